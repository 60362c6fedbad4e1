package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class EveryOutcomeTest {
  @Test
  void givesEachResultItsProbability() {
    // Two dice: the sum of 2 of 3 has probabilities 1, 2, 3, 2, 1 in 9.
    Map<Integer, Double> sums = EveryOutcome.law(coins -> coins.below(3) + coins.below(3));

    assertThat(sums.keySet()).containsExactly(0, 1, 2, 3, 4);
    assertThat(sums.get(2)).isCloseTo(3.0 / 9, Law.EXACT);
    assertThat(sums.get(4)).isCloseTo(1.0 / 9, Law.EXACT);
  }

  @Test
  void followsDrawsThatDependOnEarlierOnes() {
    Map<String, Double> law =
        EveryOutcome.law(coins -> coins.below(2) == 0 ? "stop" : "go" + coins.below(3));

    assertThat(law.keySet()).containsExactly("go0", "go1", "go2", "stop");
    assertThat(law.get("stop")).isCloseTo(0.5, Law.EXACT);
    assertThat(law.get("go1")).isCloseTo(1.0 / 6, Law.EXACT);
  }

  @Test
  void runsAProgramWithoutDrawsOnce() {
    assertThat(EveryOutcome.law(coins -> 7)).isEqualTo(Map.of(7, 1.0));
  }
}
