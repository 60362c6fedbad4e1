package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.workload.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The two generators, which may not know each other, are one: here both can be seen.
class SameNumbersTest {
  @ParameterizedTest
  @CsvSource({"0,coins,0", "7,service,3", "-1,arrival,9223372036854775807"})
  void ofEqualKeys(long seed, String purpose, long index) {
    SeededRandom coins = SeededRandom.of(seed, purpose, index);
    RandomStream workload = RandomStream.of(seed, purpose, index);

    for (int i = 0; i < 1000; i++) {
      // With a bound just above 2^30 a draw in four is rejected.
      int bound = i % 2 == 0 ? 1 + i : Integer.MAX_VALUE / 2 + 1 + i;
      assertThat(coins.below(bound)).isEqualTo(workload.below(bound));
      assertThat(coins.unit()).isEqualTo(workload.unit());
    }
  }
}
