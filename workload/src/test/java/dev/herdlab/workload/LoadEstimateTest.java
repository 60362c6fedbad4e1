package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LoadEstimateTest {
  private static final long SECOND = 1_000_000_000;

  private final LoadEstimate estimate = new LoadEstimate(SECOND);

  /// One request that meets `others` in flight, done at `nowNanos`.
  private void sample(int others, long latencyNanos, long nowNanos) {
    for (int i = 0; i < others; i++) {
      var _ = estimate.arrived(nowNanos);
    }
    int tag = estimate.arrived(nowNanos);
    assertThat(tag).isEqualTo(others);
    estimate.finished(tag, latencyNanos, nowNanos);
    for (int i = 0; i < others; i++) {
      estimate.cancelled(nowNanos);
    }
  }

  @Test
  void aTagIsTheNumberInFlightBeforeTheRequest() {
    assertThat(estimate.arrived(0)).isZero();
    assertThat(estimate.arrived(1)).isEqualTo(1);
    estimate.cancelled(2);
    assertThat(estimate.arrived(3)).isEqualTo(1);
    assertThat(estimate.inFlight()).isEqualTo(2);
  }

  @Test
  void theEstimateIsTheMedianOfTheLatenciesMetAtThatNumberInFlight() {
    for (long latency : new long[] {50, 10, 40, 20, 30}) {
      sample(2, latency, latency);
    }
    sample(0, 7, 100);
    assertThat(estimate.latencyNanos(2, 100)).isEqualTo(30);
    assertThat(estimate.latencyNanos(0, 100)).isEqualTo(7);
  }

  @Test
  void ofAnEvenNumberTheLowerOfTheTwoInTheMiddleCounts() {
    sample(0, 10, 1);
    sample(0, 20, 2);
    assertThat(estimate.latencyNanos(0, 2)).isEqualTo(10);
  }

  @Test
  void withoutSamplesAtANumberTheNearestOneSpeaksForItTheLowerOfTwo() {
    sample(2, 200, 1);
    sample(6, 600, 2);
    assertThat(estimate.latencyNanos(0, 2)).isEqualTo(200);
    assertThat(estimate.latencyNanos(3, 2)).isEqualTo(200);
    assertThat(estimate.latencyNanos(4, 2)).isEqualTo(200);
    assertThat(estimate.latencyNanos(5, 2)).isEqualTo(600);
    assertThat(estimate.latencyNanos(1000, 2)).isEqualTo(600);
  }

  @Test
  void aSampleOlderThanTheWindowCountsOnlyWhenThereIsNoYounger() {
    sample(3, 300, 0);
    assertThat(estimate.latencyNanos(3, SECOND)).isEqualTo(300);
    sample(9, 900, SECOND + 1);
    assertThat(estimate.latencyNanos(3, SECOND + 1)).isEqualTo(900);
    assertThat(estimate.latencyNanos(3, 3 * SECOND)).isEqualTo(300);
  }

  @Test
  void onlyTheLastSixteenOfATagAreKept() {
    for (int i = 0; i < 100; i++) {
      sample(0, i < 84 ? 1_000 : 10, i);
    }
    assertThat(estimate.latencyNanos(0, 100)).isEqualTo(10);
    for (int i = 0; i < 8; i++) {
      sample(0, 1_000, 100);
    }
    assertThat(estimate.latencyNanos(0, 100)).isEqualTo(10);
    sample(0, 1_000, 100);
    assertThat(estimate.latencyNanos(0, 100)).isEqualTo(1_000);
  }

  @Test
  void numbersInFlightBeyondTheLastTagShareIt() {
    sample(LoadEstimate.TAGS + 10, 5, 1);
    assertThat(estimate.latencyNanos(LoadEstimate.TAGS - 1, 1)).isEqualTo(5);
    assertThat(estimate.latencyNanos(LoadEstimate.TAGS + 100, 1)).isEqualTo(5);
  }

  @Test
  void utilisationIsTheShareOfTheTimeWithARequestInFlight() {
    // Busy a quarter of each 10 ms for 20 time constants: the average has forgotten its start, and
    // moves by at most a period over the time constant, 1 %.
    for (long at = 0; at < 20 * SECOND; at += 10_000_000) {
      int tag = estimate.arrived(at);
      estimate.finished(tag, 2_500_000, at + 2_500_000);
    }
    assertThat(estimate.utilisation(20 * SECOND)).isCloseTo(0.25, within(0.01));
    assertThat(estimate.ratePerSecond(20 * SECOND)).isCloseTo(100, within(1.0));
    assertThat(estimate.errorsPerSecond(20 * SECOND)).isZero();
  }

  @Test
  void averagesDoNotStartFromZero() {
    int tag = estimate.arrived(5 * SECOND);
    assertThat(estimate.utilisation(5 * SECOND)).isZero();
    estimate.finished(tag, 1_000_000, 5 * SECOND + 1_000_000);
    assertThat(estimate.utilisation(5 * SECOND + 1_000_000)).isCloseTo(1, within(1e-9));
    // One end in the first millisecond, whose weight is 1 - exp(-0.001).
    assertThat(estimate.ratePerSecond(5 * SECOND + 1_000_000)).isCloseTo(1000.5, within(0.1));
  }

  @Test
  void aTimeConstantAfterTheLastRequestTheShareHasFallenToOneInE() {
    int tag = estimate.arrived(0);
    estimate.finished(tag, 100 * SECOND, 100 * SECOND);
    assertThat(estimate.utilisation(101 * SECOND)).isCloseTo(Math.exp(-1), within(1e-9));
  }

  @Test
  void aFailureCountsForBothRatesAndLeavesNoLatency() {
    var _ = estimate.arrived(0);
    estimate.failed(SECOND);
    assertThat(estimate.errorsPerSecond(SECOND)).isEqualTo(estimate.ratePerSecond(SECOND));
    assertThat(estimate.errorsPerSecond(SECOND)).isPositive();
    assertThat(estimate.latencyNanos(0, SECOND)).isZero();
    assertThat(estimate.inFlight()).isZero();
  }

  @Test
  void aCancelledRequestLeavesNothing() {
    var _ = estimate.arrived(0);
    estimate.cancelled(SECOND);
    assertThat(estimate.ratePerSecond(SECOND)).isZero();
    assertThat(estimate.latencyNanos(0, SECOND)).isZero();
    assertThat(estimate.inFlight()).isZero();
  }

  @Test
  void anInstantBeforeTheLatestCountsAsThatOne() {
    var _ = estimate.arrived(SECOND);
    assertThat(estimate.arrived(0)).isEqualTo(1);
    estimate.cancelled(2 * SECOND);
    double before = estimate.utilisation(2 * SECOND);
    assertThat(estimate.utilisation(0)).isEqualTo(before);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LoadEstimate(0))
        .withMessage("window: 0 ns (expected: > 0)");
    assertThatIllegalStateException().isThrownBy(() -> estimate.cancelled(0));
  }
}
