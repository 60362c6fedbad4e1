package dev.herdlab.simulator.study;

import dev.herdlab.simulator.HerdingIndex;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
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
    Trace trace = served.trace();
    int last = trace.size() - 1;
    double nanos = Math.max(1, trace.intendedNanos(last) - trace.intendedNanos(warmup));
    double[] workNanos = new double[speeds.size()];
    for (int i = warmup; i <= last; i++) {
      int backend = served.backend(i);
      workNanos[backend] += trace.serviceNanos(i) / speeds.get(backend);
    }
    double grown = served.inSystem(last) - served.inSystem(warmup);
    return new PoolRun(
        Arrays.stream(workNanos).max().orElseThrow() / nanos,
        grown * Studies.UNIT_NANOS / nanos,
        served.quantiles(warmup),
        served.herding(warmup, speeds.size()));
  }
}
