package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The picks of each proxy, as indices of backends in the order in which they were made. Owner
/// thread: any (no state).
final class PickSequences {
  private PickSequences() {}

  /// Those in a log, refusals left out.
  static List<int[]> of(DispatchLog log, int proxies) {
    int[][] sequences = new int[proxies][64];
    int[] sizes = new int[proxies];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.PICK) {
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

  /// Positions at which two runs' sequences differ, missing ones included.
  static long different(List<int[]> some, List<int[]> others) {
    long different = 0;
    for (int p = 0; p < some.size(); p++) {
      int[] a = some.get(p);
      int[] b = others.get(p);
      int shared = Math.min(a.length, b.length);
      different += Math.max(a.length, b.length) - shared;
      for (int i = 0; i < shared; i++) {
        if (a[i] != b[i]) {
          different++;
        }
      }
    }
    return different;
  }
}
