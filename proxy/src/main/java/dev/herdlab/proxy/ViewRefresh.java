package dev.herdlab.proxy;

import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets the stale views of the proxies that share a schedule take their copies at its ideal
/// instants: all of them the same copy, since no pick and no completion comes between. A late copy
/// does not shift the next, and of several that were missed one is made up for.
///
/// Owner thread: its loop's.
final class ViewRefresh {
  private final PreciseLoop loop;
  private final List<Dispatcher> dispatchers;
  private final RefreshSchedule schedule;
  private final long epochNanos;
  private long number;
  private @Nullable Deadline next;

  ViewRefresh(
      PreciseLoop loop, List<Dispatcher> dispatchers, RefreshSchedule schedule, long epochNanos) {
    this.loop = loop;
    this.dispatchers = List.copyOf(dispatchers);
    this.schedule = schedule;
    this.epochNanos = epochNanos;
  }

  /// Starts; instants that have passed count as missed.
  void start() {
    next = loop.at(instant(0), this::refresh);
  }

  private long instant(long copy) {
    return epochNanos + schedule.instant(copy);
  }

  // The next one is scheduled first, so that it comes if this one throws, and is cancelled if this
  // one is stopped.
  private void refresh() {
    long late = loop.nanos() - instant(number);
    number += 1 + Math.max(0, late / schedule.refreshNanos());
    next = loop.at(instant(number), this::refresh);
    for (Dispatcher dispatcher : dispatchers) {
      dispatcher.refreshView();
    }
  }

  void stop() {
    if (next != null) {
      next.cancel();
    }
  }
}
