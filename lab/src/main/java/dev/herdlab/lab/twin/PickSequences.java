package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The picks of each proxy, as indices of backends in the order in which they were made. Owner
/// thread: any (no state).
final class PickSequences {
  private PickSequences() {}

  /// Those since the switches, refusals left out, and those that may be of requests that are not in
  /// the trace: see [Measurement#aloneUntilNanos].
  static List<int[]> measured(Measurement measurement, Switches switches) {
    return until(
        measurement.aloneUntilNanos(),
        switches.dispatches(),
        measurement.plan().proxies(),
        Restarts.of(measurement));
  }

  /// Whether the measured sequences lack picks that were made, since the load goes on.
  static boolean mayBeCutShort(Measurement measurement) {
    return measurement.conditions().end() == Conditions.End.LOADED;
  }

  /// Those of a run of the model, from each proxy's last installation on; with restarts, all of
  /// them.
  static List<int[]> modelled(Measurement measurement, DispatchLog log) {
    int proxies = measurement.plan().proxies();
    return until(
        Long.MAX_VALUE,
        MemberSets.of(measurement).numbered(log, proxies),
        proxies,
        Restarts.of(measurement));
  }

  private enum Restarts {
    NONE,
    SOME;

    static Restarts of(Measurement measurement) {
      return measurement.restarts() == 0 ? NONE : SOME;
    }
  }

  private static List<int[]> until(long endNanos, DispatchLog log, int proxies, Restarts restarts) {
    int[][] sequences = new int[proxies][64];
    int[] sizes = new int[proxies];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.INSTALL && restarts == Restarts.NONE) {
            sizes[proxy] = 0;
          } else if (kind == DispatchLog.Kind.PICK && nanos < endNanos) {
            if (sizes[proxy] == sequences[proxy].length) {
              sequences[proxy] = Arrays.copyOf(sequences[proxy], 2 * sizes[proxy]);
            }
            sequences[proxy][sizes[proxy]++] = value;
          }
        });
    List<int[]> picks = new ArrayList<>();
    for (int p = 0; p < proxies; p++) {
      picks.add(Arrays.copyOf(sequences[p], sizes[p]));
    }
    return picks;
  }

  /// Positions at which two runs' sequences differ, missing ones included; unless the first run's
  /// are cut short, when more of the second's is no difference.
  static long different(List<int[]> some, List<int[]> others, boolean cutShort) {
    long different = 0;
    for (int p = 0; p < some.size(); p++) {
      int[] a = some.get(p);
      int[] b = others.get(p);
      int shared = Math.min(a.length, b.length);
      different += cutShort ? a.length - shared : Math.max(a.length, b.length) - shared;
      for (int i = 0; i < shared; i++) {
        if (a[i] != b[i]) {
          different++;
        }
      }
    }
    return different;
  }
}
