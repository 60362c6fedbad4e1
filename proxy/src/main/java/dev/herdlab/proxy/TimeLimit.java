package dev.herdlab.proxy;

import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.KnownField;
import org.jspecify.annotations.Nullable;

/// How long the client of one exchange after another waits, if it says so: the proxy gives up for
/// it, to within the loop's precision.
///
/// Cost: nothing where the client names no time; else a deadline of the loop. Owner thread: its
/// exchange's.
final class TimeLimit {
  // Longer than any time that makes sense, and short enough to be added to an instant.
  private static final long LONGEST_NANOS = 86_400_000_000_000L;
  private static final long NONE = -1;

  private final ProxyInstance instance;
  private final Runnable exceeded;
  private @Nullable Deadline deadline;

  /// @param exceeded what to do when the time is over
  TimeLimit(ProxyInstance instance, Runnable exceeded) {
    this.instance = instance;
    this.exceeded = exceeded;
  }

  /// An exchange begins.
  ///
  /// @param head of its request
  /// @param receivedNanos when that was there
  void begin(Head head, long receivedNanos) {
    int field = head.find(KnownField.X_HERDLAB_TIMEOUT);
    long nanos = field < 0 ? NONE : head.number(field, NONE);
    if (nanos >= 0) {
      deadline = instance.at(receivedNanos + Math.min(nanos, LONGEST_NANOS), exceeded);
    }
  }

  /// The exchange has ended.
  void end() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }
}
