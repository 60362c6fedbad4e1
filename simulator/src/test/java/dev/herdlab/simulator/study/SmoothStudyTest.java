package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class SmoothStudyTest {
  private static List<SequencedMap<String, Object>> rows(String weights) {
    return new Studies(Algorithms.builtIn())
        .run("smooth", Map.of("weights", weights), Progress.NONE)
        .cells()
        .rows();
  }

  @Test
  void bothStartsGiveThePublishedSequenceAndReturnToWhereTheyBegan() {
    List<SequencedMap<String, Object>> rows = rows("5,1,1");

    assertThat(rows.get(0))
        .containsEntry("start", "zero")
        .containsEntry("sequence", "a a b a c a a")
        .containsEntry("state_first", "0 0 0")
        .containsEntry("state_after", "0 0 0; 0 0 0; 0 0 0")
        .containsEntry("returns", true);
    assertThat(rows.get(1))
        .containsEntry("start", "weights")
        .containsEntry("sequence", "a a b a c a a")
        .containsEntry("state_first", "5 1 1")
        .containsEntry("state_after", "5 1 1; 5 1 1; 5 1 1")
        .containsEntry("returns", true);
  }

  @Test
  void theNaiveWayHasLongerRunsAndLessEvenGaps() {
    SequencedMap<String, Object> smooth = rows("5,1,1").get(0);
    SequencedMap<String, Object> naive = rows("5,1,1").get(2);

    // Gaps of a: 1 2 2 1 1 and 1 1 1 1 3, mean 7/5.
    assertThat(naive)
        .containsEntry("sequence", "a a a a a b c")
        .containsEntry("longest_run", 5)
        .containsEntry("gap_min", 1)
        .containsEntry("gap_max", 3)
        .containsEntry("gap_sd", Math.sqrt(0.64));
    assertThat(smooth).containsEntry("longest_run", 4).containsEntry("gap_max", 2);
    assertThat((double) smooth.get("gap_sd")).isCloseTo(Math.sqrt(0.24), within(1e-12));
  }

  @Test
  void runsAreCyclic() {
    assertThat(SmoothStudy.longestRun(new int[] {0, 0, 1, 0})).isEqualTo(3);
    assertThat(SmoothStudy.longestRun(new int[] {2, 2, 2})).isEqualTo(3);
    assertThat(SmoothStudy.longestRun(new int[] {0, 1})).isEqualTo(1);
  }

  @Test
  void anyWeightsMayBeGiven() {
    SequencedMap<String, Object> equal = rows("1,1,1,1").get(0);

    assertThat(equal).containsEntry("sequence", "a b c d").containsEntry("longest_run", 1);
    assertThat(rows("7").get(0)).containsEntry("longest_run", 7).containsEntry("returns", true);
    assertThat((String) rows("2000,3").get(0).get("sequence")).endsWith(" ...");
  }

  @Test
  void aCycleHasABound() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rows("65535,".repeat(16) + "1"))
        .withMessage("weights: sum 1048561 (expected: a sum of at most 1000000)");
  }
}
