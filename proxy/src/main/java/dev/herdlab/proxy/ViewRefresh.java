package dev.herdlab.proxy;

import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import org.jspecify.annotations.Nullable;

/// Says when copies for stale views are due: at the ideal instants of their schedule. One that is
/// late does not shift the next, and of several that were missed one is made up for.
///
/// Owner thread: its loop's.
final class ViewRefresh {
  private final PreciseLoop loop;
  private final RefreshSchedule schedule;
  private final long epochNanos;
  private final Runnable copy;
  private long number;
  private @Nullable Deadline next;

  /// @param copy called when one is due
  ViewRefresh(PreciseLoop loop, RefreshSchedule schedule, long epochNanos, Runnable copy) {
    this.loop = loop;
    this.schedule = schedule;
    this.epochNanos = epochNanos;
    this.copy = copy;
  }

  /// Starts; instants that have passed count as missed.
  void start() {
    next = loop.at(instant(0), this::due);
  }

  private long instant(long copyNumber) {
    return epochNanos + schedule.instant(copyNumber);
  }

  // The next one is scheduled first, so that it comes if this one throws, and is cancelled if this
  // one is stopped.
  private void due() {
    long late = loop.nanos() - instant(number);
    number += 1 + Math.max(0, late / schedule.refreshNanos());
    next = loop.at(instant(number), this::due);
    copy.run();
  }

  void stop() {
    if (next != null) {
      next.cancel();
    }
  }
}
