package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ramps of 400 units, that is 5120 arrivals at the mean of 1: the tests' 10 000 arrivals see the
/// slope and what comes after.
class RampTest {
  private static final double OVER = 400;

  abstract static class RampContract extends PoissonContract {
    private final double from;
    private final double to;

    RampContract(double from, double to) {
      this.from = from;
      this.to = to;
    }

    @Override
    String spec() {
      return "ramp(from=" + from + ",to=" + to + ",over=" + OVER + ")";
    }

    @Override
    ArrivalProcess process() {
      return ArrivalProcess.parse(spec(), ARRIVALS_PER_UNIT, UNIT_NANOS);
    }

    @Override
    double expectedArrivals(long nanos) {
      double units = (double) nanos / UNIT_NANOS;
      double ramp = Math.min(units, OVER);
      double area = from * ramp + (to - from) * ramp * ramp / (2 * OVER) + to * (units - ramp);
      return ARRIVALS_PER_UNIT * area;
    }
  }

  @Nested
  class Up extends RampContract {
    Up() {
      super(0.5, 1.5);
    }
  }

  @Nested
  class Down extends RampContract {
    Down() {
      super(1.9, 0.1);
    }
  }

  @Nested
  class FromNothing extends RampContract {
    FromNothing() {
      super(0, 2);
    }
  }

  @Nested
  class Level extends RampContract {
    Level() {
      super(1, 1);
    }
  }

  @Test
  void theFirstArrivalOfARampFromNothingIsFinite() {
    ArrivalProcess process = ArrivalProcess.parse("ramp(from=0,to=1,over=10)", 1, 1_000_000);
    for (long seed : List.of(1L, 2L, 3L)) {
      // The integrated rate reaches 36.8, the largest exponential draw, before 50 units.
      assertThat(process.nextNanos(0, RandomStream.of(seed, "arrival"))).isBetween(1L, 50_000_000L);
    }
  }

  /// So steep that the rate changes much before the first arrival: the curvature counts.
  @ParameterizedTest
  @CsvSource({"0, 2", "2, 0.1", "0.5, 3"})
  void theFirstArrivalOfASteepRampFollowsTheIntegratedRate(double from, double to) {
    String spec = "ramp(from=" + from + ",to=" + to + ",over=2)";
    ArrivalProcess process = ArrivalProcess.parse(spec, 1, 1_000_000_000);
    RandomStream random = RandomStream.of(10, "arrival");
    double[] firsts =
        DoubleStream.generate(() -> process.nextNanos(0, random) / 1e9).limit(10_000).toArray();
    KolmogorovSmirnov.assertFollows(
        firsts,
        t -> {
          double ramp = Math.min(t, 2);
          return 1 - Math.exp(-(from * ramp + (to - from) * ramp * ramp / 4 + to * (t - ramp)));
        });
  }
}
