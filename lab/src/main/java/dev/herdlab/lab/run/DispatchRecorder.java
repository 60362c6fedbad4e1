package dev.herdlab.lab.run;

import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;

/// What a proxy process keeps of what its balancers see: the record since the last installation and
/// the one before it, each bounded. A record that is full takes nothing more, and says so.
///
/// Cost: that of [DispatchLog]; a comparison an event. Owner thread: the proxies' loop; a record
/// that has been replaced does not change any more and may be read by any.
final class DispatchRecorder implements DispatchListener {
  /// Memory of one event.
  static final int EVENT_BYTES = 3 * Long.BYTES;

  private Tape current = new Tape(0);
  private Tape previous = new Tape(0);

  /// One record, with room for so many events, all of which is set aside at once.
  static final class Tape {
    private final DispatchLog log;
    private final int room;
    private boolean truncated;

    /// Empty. Any thread.
    Tape(int room) {
      this.log = new DispatchLog(room);
      this.room = room;
    }

    /// The events.
    DispatchLog log() {
      return log;
    }

    /// How full it is.
    Filled filled() {
      return new Filled(log.size(), room, truncated);
    }

    /// Whether there was no room for all.
    boolean isTruncated() {
      return truncated;
    }

    /// Whether it can take so many more; if not, it takes no more at all.
    private boolean takes(int events) {
      if (room > 0 && log.size() + events > room) {
        truncated = true;
      }
      return room > 0 && !truncated;
    }

    /// A copy of its own.
    Tape copy() {
      Tape copy = new Tape(log.size());
      log.forEach(copy.log::append);
      copy.truncated = truncated;
      return copy;
    }
  }

  /// How full a record is. Owner thread: any (immutable).
  ///
  /// @param events that it has
  /// @param room for so many
  /// @param truncated whether there was no room for all
  record Filled(int events, int room, boolean truncated) {}

  /// Goes on with an empty record.
  void begin(Tape next) {
    previous = current;
    current = next;
  }

  /// Goes back to the record before, since nothing has come of [#begin].
  void undo(Tape before) {
    current = previous;
    previous = before;
  }

  /// The record that goes on.
  Tape current() {
    return current;
  }

  /// The record before it.
  Tape previous() {
    return previous;
  }

  @Override
  public void picked(int proxy, Picked picked, PickContext context) {
    if (current.takes(context.pinned().isEmpty() ? 1 : 2)) {
      current.log.picked(proxy, picked, context);
    }
  }

  @Override
  public void refused(int proxy, PickContext context, long nowNanos) {
    if (current.takes(1)) {
      current.log.refused(proxy, context, nowNanos);
    }
  }

  @Override
  public void waits(int proxy, PickContext context, int pinned, long nowNanos) {
    if (current.takes(context.pinned().isEmpty() ? 1 : 2)) {
      current.log.waits(proxy, context, pinned, nowNanos);
    }
  }

  @Override
  public void again(int proxy, Further why, int index, long nowNanos) {
    if (current.takes(1)) {
      current.log.again(proxy, why, index, nowNanos);
    }
  }

  @Override
  public void overBudget(int proxy, long nowNanos) {
    if (current.takes(1)) {
      current.log.overBudget(proxy, nowNanos);
    }
  }

  @Override
  public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
    if (current.takes(1)) {
      current.log.completed(proxy, picked, outcome, nowNanos);
    }
  }

  @Override
  public void refreshed(int proxy, Snapshot snapshot, long picksNotIncluded, long nowNanos) {
    // The copy itself, its counts and the refresh.
    if (current.takes(2 + snapshot.backends().size())) {
      current.log.refreshed(proxy, snapshot, picksNotIncluded, nowNanos);
    }
  }

  @Override
  public void observed(int proxy, int index, BackendSignal signal, long nowNanos) {
    int events =
        switch (signal) {
          case BackendSignal.ProbeReply reply -> 2;
          case BackendSignal.IdleNotice notice -> 1;
          case BackendSignal.LoadReport report -> 4;
        };
    if (current.takes(events)) {
      current.log.observed(proxy, index, signal, nowNanos);
    }
  }

  @Override
  public void installed(int proxy, long nowNanos) {
    if (current.takes(1)) {
      current.log.installed(proxy, nowNanos);
    }
  }

  @Override
  public void kept(int proxy, int index, long sequence, long nowNanos) {
    if (current.takes(1)) {
      current.log.kept(proxy, index, sequence, nowNanos);
    }
  }

  @Override
  public void updated(int proxy, long version, long nowNanos) {
    if (current.takes(1)) {
      current.log.updated(proxy, version, nowNanos);
    }
  }
}
