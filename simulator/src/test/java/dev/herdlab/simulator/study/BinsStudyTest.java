package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BinsStudyTest {
  private static StudyResult run(Map<String, String> settings) {
    return new Studies(Algorithms.builtIn()).run("bins", settings, Progress.NONE);
  }

  private static double number(Map<String, Object> row, String key) {
    return ((Number) row.get(key)).doubleValue();
  }

  /// With three balls, one choice fills a bin with 3, 2 or 1 with probability 1/9, 6/9, 2/9: mean
  /// 17/9. n = 10 000 runs; the fullest bin's sd is below 0.6, so 5 standard errors are 0.03.
  @Test
  void threeBallsAreAsCountedByHand() {
    Map<String, Object> row = run(Map.of("n", "3", "runs", "10000")).cells().rows().getFirst();

    assertThat(number(row, "one_choice")).isCloseTo(17.0 / 9, within(0.03));
    // Second ball beside the first: 1/9 (both draws hit its bin). Then the third joins two: 1/9, so
    // three
    // in a bin: 1/81; else two: 8/81. Otherwise (8/9) the third joins a one if both draws hit full
    // bins: 4/9.
    double two = 3.0 / 81 + 2 * (8.0 / 81 + 8.0 / 9 * 4 / 9) + 8.0 / 9 * 5 / 9;
    assertThat(number(row, "two_choices")).isCloseTo(two, within(0.03));
  }

  @Test
  void twoChoicesGrowSlowlyAndOneChoiceDoesNot() {
    StudyResult result = run(Map.of("n", "100,100000", "runs", "15"));
    Map<String, Object> few = result.cells().rows().getFirst();
    Map<String, Object> many = result.cells().rows().getLast();

    assertThat(number(many, "one_choice") - number(few, "one_choice")).isGreaterThan(2);
    assertThat(number(many, "two_choices") - number(few, "two_choices")).isLessThan(1.2);
    assertThat(number(many, "one_choice_theory"))
        .isCloseTo(Math.log(1e5) / Math.log(Math.log(1e5)), within(1e-12));
    assertThat(number(many, "two_choices_theory"))
        .isCloseTo(Math.log(Math.log(1e5)) / Math.log(2), within(1e-12));
  }

  @Test
  void sameSeedGivesTheSameRowsAndAnotherSeedOthers() {
    Map<String, String> settings = Map.of("n", "5000", "runs", "9");

    assertThat(run(settings)).isEqualTo(run(settings));
    assertThat(run(settings)).isNotEqualTo(run(Map.of("n", "5000", "runs", "9", "seed", "1")));
  }
}
