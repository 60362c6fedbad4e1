package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.SeededRandom;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SelectionTest {
  static Stream<Arguments> shapes() {
    SeededRandom random = SeededRandom.of(1, "selection", 0);
    return Stream.of(
        shape("random", i -> random.unit()),
        shape("few values", i -> random.below(3)),
        shape("equal", i -> 7),
        shape("rising", i -> i),
        shape("falling", i -> -i),
        shape("organ pipe", i -> Math.min(i, 1000 - i)),
        shape("infinite", i -> i % 2 == 0 ? Double.POSITIVE_INFINITY : i));
  }

  private static Arguments shape(String name, IntToDoubleFunction value) {
    return Arguments.of(name, value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("shapes")
  void putsEachElementWhereASortWould(String name, IntToDoubleFunction shape) {
    for (int size : new int[] {1, 2, 3, 4, 17, 1000}) {
      double[] values = new double[size];
      Arrays.setAll(values, shape);
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      for (int k = 0; k < size; k += Math.max(1, size / 50)) {
        double[] copy = values.clone();
        assertThat(Selection.select(copy, 0, size, k)).isEqualTo(sorted[k]);
        for (int i = 0; i < size; i++) {
          assertThat(i < k ? copy[i] <= copy[k] : copy[i] >= copy[k]).isTrue();
        }
      }
    }
  }

  @Test
  void leavesWhatIsOutsideTheRange() {
    double[] values = {9, 5, 4, 3, 0};

    assertThat(Selection.select(values, 1, 4, 1)).isEqualTo(3);
    assertThat(values[0]).isEqualTo(9);
    assertThat(values[4]).isEqualTo(0);
  }

  /// A sequence on which the median of three is the second smallest each time: McIlroy's adversary,
  /// "A Killer Adversary for Quicksort", 1999, played against this very code, would need N / 2
  /// rounds; the fallback sorts long before.
  @Test
  void endsSoonOnUnluckyPivots() {
    int size = 200_000;
    double[] values = new double[size];
    // Musser's median-of-3 killer, 1997.
    int half = size / 2;
    for (int i = 0; i < half; i++) {
      values[i] = i % 2 == 0 ? i + 1 : half + i + (half % 2);
      values[half + i] = 2 * (i + 1);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);

    assertThat(Selection.select(values, 0, size, size - 1)).isEqualTo(sorted[size - 1]);
  }
}
