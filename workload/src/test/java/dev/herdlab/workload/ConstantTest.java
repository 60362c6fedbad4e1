package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConstantTest extends ArrivalProcessContract {
  @Override
  String spec() {
    return "constant";
  }

  @Override
  ArrivalProcess process() {
    return ArrivalProcess.parse(spec(), ARRIVALS_PER_UNIT, UNIT_NANOS);
  }

  @Override
  double expectedArrivals(long nanos) {
    return nanos * ARRIVALS_PER_UNIT / UNIT_NANOS;
  }

  @Test
  void arrivalIIsAtITimesTheGap() {
    long[] instants = instants(1, 1000);
    for (int i = 0; i < instants.length; i++) {
      assertThat(instants[i]).isEqualTo((i + 1) * 781_250L);
    }
  }

  @Test
  void aGapThatIsNoWholeNumberOfNanosecondsDoesNotDrift() {
    ArrivalProcess process = ArrivalProcess.parse("constant", 3, 1000); // 333.3 ns
    RandomStream random = RandomStream.of(1, "arrival");
    long last = 0;
    for (int i = 0; i < 3_000_000; i++) {
      last = process.nextNanos(last, random);
    }
    assertThat(last).isEqualTo(1_000_000_000);
  }
}
