package dev.herdlab.simulator;

import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Where the proxies of one run are in getting their own balancers: which requests are told where
/// to go, and who gets its own next, and when.
///
/// Cost: O(1) a request. Owner thread: its model's.
final class Takeover {
  private final Carried carried;
  private final boolean[] has;
  private final int[] toldLeft;
  private final List<Integer> inOrder = new ArrayList<>();
  private int next;

  Takeover(Carried carried, Trace trace) {
    this.carried = carried;
    has = new boolean[trace.proxies()];
    toldLeft = new int[trace.proxies()];
    if (carried.isNone()) {
      Arrays.fill(has, true);
      return;
    }
    for (int i = 0; i < trace.size(); i++) {
      if (carried.told(i) != Carried.OWN) {
        toldLeft[trace.proxy(i)]++;
      }
    }
    for (int p = 0; p < has.length; p++) {
      inOrder.add(p);
    }
    inOrder.sort(Comparator.comparingLong(carried::switchNanos));
  }

  /// Where request `i` goes, if it is told: [Carried#OWN] if not.
  int told(int i) {
    return carried.isNone() ? Carried.OWN : carried.told(i);
  }

  /// Whether proxy `p` has its own balancer.
  boolean has(int p) {
    return has[p];
  }

  /// Proxy `p` has got its own balancer.
  void got(int p) {
    has[p] = true;
  }

  /// When the next proxy is due, not before the run's start; `Long.MAX_VALUE` when none is.
  long nanos() {
    return next < inOrder.size()
        ? Math.max(0, carried.switchNanos(inOrder.get(next)))
        : Long.MAX_VALUE;
  }

  /// The proxy that is due next.
  int advance() {
    return inOrder.get(next++);
  }

  /// One told request of proxy `p` has been picked for.
  void picked(int p) {
    toldLeft[p]--;
  }

  /// Whether proxy `p` may get its own at `nowNanos`: it is due, all its told requests are behind
  /// it, and it has none yet.
  boolean isReady(int p, long nowNanos) {
    return !has[p] && toldLeft[p] == 0 && carried.switchNanos(p) <= nowNanos;
  }
}
