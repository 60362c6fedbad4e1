package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QuantilesTest {
  @Test
  void takesTheElementAtFloorOfSizeTimesQ() {
    // 0, 10, ..., 990 ns, in an order that is not theirs; a unit of 10 ns.
    long[] latencies = LongStream.range(0, 100).map(i -> i * 37 % 100 * 10).toArray();

    assertThat(Quantiles.ofNanos(latencies, 10)).isEqualTo(new Quantiles(50, 95, 99, 49.5));
  }

  @Test
  void ofOneIsThatOne() {
    assertThat(Quantiles.ofNanos(new long[] {42}, 1)).isEqualTo(new Quantiles(42, 42, 42, 42));
  }

  @Test
  void leavesTheValuesAsTheyWere() {
    long[] values = {3, 1, 2};

    Quantiles.ofNanos(values, 1);

    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void refusesNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantiles.ofNanos(new long[0], 1))
        .withMessage("latencies: none (expected: at least one)");
  }

  @Test
  void refusesWhatIsNotANumber() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Quantiles.inPlace(new double[] {1, Double.NaN}, 1))
        .withMessage("latencies: NaN (expected: numbers)");
  }
}
