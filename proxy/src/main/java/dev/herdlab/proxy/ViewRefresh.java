package dev.herdlab.proxy;

import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;

/// Lets one proxy's stale view take its copies at the ideal instants of its schedule: a late copy
/// does not shift the next, and of several that were missed one is made up for.
///
/// Owner thread: its loop's.
final class ViewRefresh {
  private final PreciseLoop loop;
  private final Dispatcher dispatcher;
  private final RefreshSchedule schedule;
  private final long epochNanos;
  private long number;
  private Deadline next;

  /// Starts at once; instants that have passed count as missed.
  ViewRefresh(PreciseLoop loop, Dispatcher dispatcher, RefreshSchedule schedule, long epochNanos) {
    this.loop = loop;
    this.dispatcher = dispatcher;
    this.schedule = schedule;
    this.epochNanos = epochNanos;
    this.next = loop.at(instant(0), this::refresh);
  }

  private long instant(long copy) {
    return epochNanos + schedule.instant(copy);
  }

  private void refresh() {
    dispatcher.refreshView();
    long late = loop.nanos() - instant(number);
    number += 1 + Math.max(0, late / schedule.refreshNanos());
    next = loop.at(instant(number), this::refresh);
  }

  void stop() {
    next.cancel();
  }
}
