package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomPickTest extends AlgorithmContract {
  @Override
  Stream<String> specs() {
    return Stream.of("random");
  }

  @Test
  void picksUniformlyWhateverTheLoads() {
    assertThat(Law.ofFirstPick("random", 9, 0, 3, 0)).containsExactly(0.25, 0.25, 0.25, 0.25);
  }
}
