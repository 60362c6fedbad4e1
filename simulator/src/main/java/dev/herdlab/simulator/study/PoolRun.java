package dev.herdlab.simulator.study;

import dev.herdlab.simulator.HerdingIndex;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.List;

/// What one run showed of a pool after its warm-up. Owner thread: any (immutable).
///
/// @param load of the busiest backend: work that it was sent, over what it can do
/// @param growth requests by which the number in the system grew, a unit
/// @param latency of the requests that arrived after the warm-up, in units
/// @param herding of the picks, over intervals of one unit
record PoolRun(double load, double growth, Quantiles latency, HerdingIndex herding) {

  /// Of requests `warmup` and later.
  ///
  /// @param speeds of the backends
  static PoolRun of(Served served, List<Double> speeds, int warmup) {
    Stability stability = Stability.of(served.trace(), served, speeds, warmup, Studies.UNIT_NANOS);
    return new PoolRun(
        stability.load(),
        stability.growth(),
        served.quantiles(warmup),
        served.herding(warmup, speeds.size()));
  }
}
