package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Law;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomPickTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("random");
  }

  @Test
  void picksUniformlyWhateverTheLoads() {
    assertThat(Law.ofFirstPick("random", 9, 0, 3, 0)).containsExactly(0.25, 0.25, 0.25, 0.25);
  }
}
