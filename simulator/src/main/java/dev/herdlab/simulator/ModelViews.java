package dev.herdlab.simulator;

import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Snapshot;

/// The copies of the true counts in one run of the model, and the views that begin to show them.
///
/// Cost: O(backends) a copy, and what it costs a view. Owner thread: its model's.
final class ModelViews {
  private final Refreshes.Cursor refreshes;
  private final Snapshot[] copies;
  private final Counts truth;
  private final Dispatcher[] dispatchers;
  private long snapshots;

  /// @param truth what is copied
  ModelViews(Refreshes refreshes, Counts truth, Dispatcher[] dispatchers) {
    this.refreshes = refreshes.cursor();
    this.copies = new Snapshot[refreshes.copies()];
    this.truth = truth;
    this.dispatchers = dispatchers;
  }

  /// When the next copy is taken or shown; `Long.MAX_VALUE` when none is.
  long nanos() {
    return refreshes.nanos();
  }

  /// Takes or shows the next copy.
  void refresh(long nowNanos) {
    if (refreshes.isCopy()) {
      copies[refreshes.copy()] = truth.snapshot(++snapshots, nowNanos);
    } else {
      Dispatcher proxy = dispatchers[refreshes.proxy()];
      long included = Math.max(0, proxy.picks() - refreshes.picksNotIncluded());
      proxy.refreshView(copies[refreshes.copy()], included);
    }
    refreshes.advance();
  }

  /// All proxies have begun anew: each reads the counts as they are. Recorded copies have that.
  void restarted(long nowNanos) {
    if (refreshes.goesOn()) {
      Snapshot copy = truth.snapshot(++snapshots, nowNanos);
      for (Dispatcher proxy : dispatchers) {
        proxy.refreshView(copy, proxy.picks());
      }
    }
  }
}
