package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.SeededRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HerdingIndexTest {
  @Test
  void weighsEachIntervalsLargestShareByItsPicks() {
    // Intervals of 10 ns: {0, 0, 1} and {2}; the first pick is warm-up, -1 no pick. (2 + 1) / (3 +
    // 1).
    long[] at = {0, 1, 5, 9, 9, 25};
    int[] backend = {1, 0, 0, 1, -1, 2};

    HerdingIndex herding = HerdingIndex.of(at, backend, 1, 3, 10);

    assertThat(herding.index()).isEqualTo(0.75);
  }

  @Test
  void expectationOfTwoPicksAmongTwoIsThreeQuarters() {
    // Both on one backend (share 1) or one on each (share 1/2), equally likely.
    long[] at = new long[2_000];
    Arrays.setAll(at, i -> i / 2);
    HerdingIndex herding = HerdingIndex.of(at, new int[2_000], 0, 2, 1);

    assertThat(herding.index()).isEqualTo(1);
    // A share is 1/2 or 1 with sd 1/4; 2^20 picks are 2^19 intervals: 5 sd of the mean are 0.0017.
    assertThat(herding.underRandom()).isCloseTo(0.75, within(0.0018));
  }

  @Test
  void randomPicksAreAtTheirExpectation() {
    int picks = 200_000;
    SeededRandom random = SeededRandom.of(5, "picks", 0);
    long[] at = new long[picks];
    int[] backend = new int[picks];
    Arrays.setAll(at, i -> i / 10);
    Arrays.setAll(backend, i -> random.below(16));

    HerdingIndex herding = HerdingIndex.of(at, backend, 0, 16, 1);

    // 20 000 intervals of 10 picks; the largest count has an sd below 0.8, its share below 0.08: 5
    // sd
    // of the mean are 0.0028, and the expectation's own error is a third of that.
    assertThat(herding.index()).isCloseTo(herding.underRandom(), within(0.004));
  }

  @Test
  void ofNoPicksIsZero() {
    assertThat(HerdingIndex.of(new long[0], new int[0], 0, 4, 1)).isEqualTo(new HerdingIndex(0, 0));
  }

  @Test
  void sameFromACounterFedAsItGoes() {
    HerdingIndex.Counter counter = new HerdingIndex.Counter(4);
    long[] at = new long[5_000];
    int[] backend = new int[5_000];
    for (int i = 0; i < at.length; i++) {
      at[i] = i * 3L;
      backend[i] = i * i % 4;
      counter.add(at[i] / 100, backend[i]);
    }

    assertThat(counter.index(1 << 20)).isEqualTo(HerdingIndex.of(at, backend, 0, 4, 100));
  }
}
