package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.HerdingIndex;
import java.util.Arrays;
import java.util.List;

/// The herding index of the measured picks, over intervals of the view's refresh, or of a unit
/// where it has none. Owner thread: any (no state).
final class Herding {
  private Herding() {}

  /// Of the picks since the switches after the first `warmup`, all proxies together.
  static CellResult.Herding of(Measurement measurement, Switches switches) {
    DispatchLog log = switches.dispatches();
    long epochNanos = measurement.conditions().epochNanos();
    long intervalNanos =
        measurement.view() instanceof ViewSpec.SharedStale stale
            ? stale.refreshNanos()
            : measurement.plan().unitNanos();
    long[] instants = new long[log.size()];
    int[] picked = new int[log.size()];
    int[] count = {0};
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.PICK) {
            instants[count[0]] = nanos - epochNanos;
            picked[count[0]++] = value;
          }
        });
    HerdingIndex index =
        HerdingIndex.of(
            Arrays.copyOf(instants, count[0]),
            Arrays.copyOf(picked, count[0]),
            measurement.plan().warmup(),
            measurement.backends().size(),
            intervalNanos);
    return new CellResult.Herding(
        index.index(), index.underRandom(), shares(measurement, picked, count[0]));
  }

  /// Of the picks after the first `warmup`, by backend; empty if there are none.
  private static List<Double> shares(Measurement measurement, int[] picked, int count) {
    int from = measurement.plan().warmup();
    if (count <= from) {
      return List.of();
    }
    double[] shares = new double[measurement.backends().size()];
    for (int i = from; i < count; i++) {
      shares[picked[i]] += 1.0 / (count - from);
    }
    return Arrays.stream(shares).boxed().toList();
  }
}
