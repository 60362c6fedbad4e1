package dev.herdlab.balancer;

import java.util.Arrays;
import java.util.List;

/// Everything that changed a balancer's mind, in the order in which it happened: installations,
/// picks, refusals, completions, refreshes and what backends said, of all proxies of one thread.
/// Enough to make the same picks again with the same coins (the pick audit), and to know the copies
/// that were really seen and when.
///
/// Not in it: timers, which an algorithm's picks must not need to be repeated, and the cookie of a
/// request that was refused.
///
/// Three longs an event, two events an answer to a probe and four a load report, grown by doubling;
/// a log that must not grow further is its owner's to stop feeding. Cost: O(1) amortised, no
/// allocation but the growth. Owner thread: the dispatchers'; read by others only once they have
/// stopped.
@SuppressWarnings("EnumOrdinal") // numbers, in files too, are read by the build that wrote them
public final class DispatchLog implements DispatchListener {
  private static final int WORDS = 3;
  private static final Kind[] KINDS = Kind.values();
  private static final FailureKind[] FAILURES = FailureKind.values();
  private static final long NO_SNAPSHOT = Long.MIN_VALUE;

  private long[] words;
  private int size;
  private long lastSnapshot = NO_SNAPSHOT;

  /// What happened.
  public enum Kind {
    /// A lease was opened; the value is the picked index, the argument the request's key.
    PICK,
    /// A pick was refused; the argument is the request's key.
    REFUSAL,
    /// A request was asked for and has to wait, or to go, as too many do; the argument is its key.
    /// So again each time that one which waits was asked for in vain.
    WAIT,
    /// A lease ended in success; the argument is its sequence number at its proxy.
    SUCCESS,
    /// A lease ended in failure; the argument as for success, the value stands for the
    /// [FailureKind] (see [DispatchLog#outcome]).
    FAILURE,
    /// A lease was cancelled; the argument as for success.
    CANCELLATION,
    /// The proxy's view took the copy whose number is the argument; the value is how many of the
    /// proxy's last picks the copy does not know of.
    REFRESH,
    /// A copy of the true counts, before the first refresh with it: the argument is its number, the
    /// value how many [#COUNT] events follow, the instant when it was true.
    SNAPSHOT,
    /// A count above 0 of the copy before it: the value is a backend's index, the argument the
    /// count.
    COUNT,
    /// The proxy was given a fresh balancer and view.
    INSTALL,
    /// A lease that was open at the installation before it: the value is the index of its backend
    /// in the set of now, -1 if it has left; the argument its sequence number.
    LEASE,
    /// The proxy's set of backends was replaced; the argument is the version of the new one.
    UPDATE,
    /// The cookie of the request of the pick or wait behind it: the value is the index of the
    /// backend that it names in the set of now, -1 if it is not there.
    PINNED,
    /// A number of what the backend says behind it, in the argument; fractions as the bits of a
    /// double.
    NUMBER,
    /// The answer to a probe, after one number, its latency in nanoseconds: the value is the
    /// backend's index, -1 if it is not in the set of now, the argument what it has in flight.
    PROBE_REPLY,
    /// A backend has become idle; the value as for an answer.
    IDLE,
    /// A load report, after three numbers, utilisation, requests and errors a second: value and
    /// argument as for an answer.
    REPORT,
    /// The pick, refusal or wait behind it is of a retry: the value is the index of a backend that
    /// the request has tried, -1 if it is not in the set of now.
    RETRY,
    /// The same of a hedge.
    HEDGE,
    /// A retry was refused by the budget.
    OVER_BUDGET
  }

  /// Receives the events of a log.
  @FunctionalInterface
  public interface Visitor {
    /// One event.
    ///
    /// @param kind what happened
    /// @param proxy at which proxy
    /// @param value see [Kind]
    /// @param argument see [Kind]
    /// @param nanos the instant on the dispatcher's clock
    void event(Kind kind, int proxy, int value, long argument, long nanos);
  }

  /// An empty log with room for `events`.
  public DispatchLog(int events) {
    words = new long[Math.max(16, Math.multiplyExact(events, WORDS))];
  }

  @Override
  public void picked(int proxy, Picked picked, PickContext context) {
    if (!context.pinned().isEmpty()) {
      int pinned = picked.backends().indexOf(context.pinned());
      append(Kind.PINNED, proxy, pinned, 0, picked.pickedNanos());
    }
    append(Kind.PICK, proxy, picked.index(), context.key(), picked.pickedNanos());
  }

  @Override
  public void refused(int proxy, PickContext context, long nowNanos) {
    append(Kind.REFUSAL, proxy, 0, context.key(), nowNanos);
  }

  @Override
  public void waits(int proxy, PickContext context, int pinned, long nowNanos) {
    if (!context.pinned().isEmpty()) {
      append(Kind.PINNED, proxy, pinned, 0, nowNanos);
    }
    append(Kind.WAIT, proxy, 0, context.key(), nowNanos);
  }

  @Override
  public void again(int proxy, Further why, int index, long nowNanos) {
    Kind kind =
        switch (why) {
          case RETRY -> Kind.RETRY;
          case HEDGE -> Kind.HEDGE;
        };
    append(kind, proxy, index, 0, nowNanos);
  }

  @Override
  public void overBudget(int proxy, long nowNanos) {
    append(Kind.OVER_BUDGET, proxy, 0, 0, nowNanos);
  }

  @Override
  public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
    switch (outcome) {
      case Outcome.Succeeded ok -> append(Kind.SUCCESS, proxy, 0, picked.sequence(), nowNanos);
      case Outcome.Failed(FailureKind kind) ->
          append(Kind.FAILURE, proxy, kind.ordinal(), picked.sequence(), nowNanos);
      case Outcome.Cancelled cancelled ->
          append(Kind.CANCELLATION, proxy, 0, picked.sequence(), nowNanos);
    }
  }

  @Override
  public void refreshed(int proxy, Snapshot snapshot, long picksNotIncluded, long nowNanos) {
    if (snapshot.number() != lastSnapshot) {
      lastSnapshot = snapshot.number();
      append(snapshot, proxy);
    }
    append(Kind.REFRESH, proxy, Math.toIntExact(picksNotIncluded), snapshot.number(), nowNanos);
  }

  private void append(Snapshot snapshot, int proxy) {
    int size = snapshot.backends().size();
    int counts = 0;
    for (int i = 0; i < size; i++) {
      counts += snapshot.count(i) > 0 ? 1 : 0;
    }
    append(Kind.SNAPSHOT, proxy, counts, snapshot.number(), snapshot.truthNanos());
    for (int i = 0; i < size; i++) {
      if (snapshot.count(i) > 0) {
        append(Kind.COUNT, proxy, i, snapshot.count(i), snapshot.truthNanos());
      }
    }
  }

  @Override
  public void observed(int proxy, int index, BackendSignal signal, long nowNanos) {
    switch (signal) {
      case BackendSignal.ProbeReply reply -> {
        append(Kind.NUMBER, proxy, 0, reply.latencyNanos(), nowNanos);
        append(Kind.PROBE_REPLY, proxy, index, reply.inFlight(), nowNanos);
      }
      case BackendSignal.IdleNotice notice -> append(Kind.IDLE, proxy, index, 0, nowNanos);
      case BackendSignal.LoadReport report -> {
        appendFraction(proxy, report.utilisation(), nowNanos);
        appendFraction(proxy, report.ratePerSecond(), nowNanos);
        appendFraction(proxy, report.errorsPerSecond(), nowNanos);
        append(Kind.REPORT, proxy, index, report.inFlight(), nowNanos);
      }
    }
  }

  private void appendFraction(int proxy, double number, long nowNanos) {
    append(Kind.NUMBER, proxy, 0, Double.doubleToRawLongBits(number), nowNanos);
  }

  @Override
  public void installed(int proxy, long nowNanos) {
    // What follows an installation is to be understood without what was before.
    lastSnapshot = NO_SNAPSHOT;
    append(Kind.INSTALL, proxy, 0, 0, nowNanos);
  }

  @Override
  public void kept(int proxy, int index, long sequence, long nowNanos) {
    append(Kind.LEASE, proxy, index, sequence, nowNanos);
  }

  @Override
  public void updated(int proxy, long version, long nowNanos) {
    append(Kind.UPDATE, proxy, 0, version, nowNanos);
  }

  /// Adds an event as read back from a file.
  ///
  /// @param proxy below 2^24
  public void append(Kind kind, int proxy, int value, long argument, long nanos) {
    grow();
    int at = size * WORDS;
    words[at] = ((long) kind.ordinal() << 56) | ((long) proxy << 32) | (value & 0xFFFF_FFFFL);
    words[at + 1] = argument;
    words[at + 2] = nanos;
    size++;
  }

  private void grow() {
    if ((size + 1) * WORDS > words.length) {
      words = Arrays.copyOf(words, words.length * 2);
    }
  }

  /// The outcome that a completion event stands for.
  ///
  /// @throws IllegalArgumentException if `kind` is no completion
  public static Outcome outcome(Kind kind, int value) {
    return switch (kind) {
      case SUCCESS -> Outcome.SUCCEEDED;
      case FAILURE -> new Outcome.Failed(FAILURES[value]);
      case CANCELLATION -> Outcome.CANCELLED;
      case PICK,
          REFUSAL,
          WAIT,
          REFRESH,
          SNAPSHOT,
          COUNT,
          INSTALL,
          LEASE,
          UPDATE,
          PINNED,
          NUMBER,
          PROBE_REPLY,
          IDLE,
          REPORT,
          RETRY,
          HEDGE,
          OVER_BUDGET ->
          throw new IllegalArgumentException("event: " + kind + " (expected: a completion)");
    };
  }

  /// The same events, each `nanos` later: on another clock, or since another epoch.
  public DispatchLog shifted(long nanos) {
    DispatchLog shifted = new DispatchLog(size);
    for (int i = 0; i < size; i++) {
      shifted.copy(this, i);
      shifted.words[i * WORDS + 2] += nanos;
    }
    return shifted;
  }

  /// Logs of several threads as one, in the order of their instants, which must be on one clock and
  /// count from one epoch (see [#shifted]).
  ///
  /// Events of one log stay in their order; those of one instant are in the order of the logs. What
  /// belongs to the event behind it stays in front of that: a copy of the counts, though it was
  /// true before, a cookie, a number. O(n times number of logs).
  public static DispatchLog merge(List<DispatchLog> logs) {
    DispatchLog merged = new DispatchLog(logs.stream().mapToInt(DispatchLog::size).sum());
    int[] next = new int[logs.size()];
    while (true) {
      int first = -1;
      long firstNanos = Long.MAX_VALUE;
      for (int i = 0; i < next.length; i++) {
        if (next[i] < logs.get(i).size) {
          long nanos = logs.get(i).orderNanos(next[i]);
          if (first < 0 || nanos < firstNanos) {
            first = i;
            firstNanos = nanos;
          }
        }
      }
      if (first < 0) {
        return merged;
      }
      DispatchLog log = logs.get(first);
      int end = log.afterParts(next[first]) + 1;
      while (next[first] < Math.min(end, log.size)) {
        merged.copy(log, next[first]++);
      }
    }
  }

  /// The event at `at`, or the first one behind those there that are parts of it.
  private int afterParts(int at) {
    int after = at;
    while (after < size && isPart(kind(after))) {
      after++;
    }
    return after;
  }

  private static boolean isPart(Kind kind) {
    return kind == Kind.SNAPSHOT
        || kind == Kind.COUNT
        || kind == Kind.PINNED
        || kind == Kind.RETRY
        || kind == Kind.HEDGE
        || kind == Kind.NUMBER;
  }

  private long orderNanos(int at) {
    int after = afterParts(at);
    return words[(after < size ? after : at) * WORDS + 2];
  }

  private Kind kind(int at) {
    return KINDS[(int) (words[at * WORDS] >>> 56)];
  }

  private void copy(DispatchLog other, int at) {
    grow();
    System.arraycopy(other.words, at * WORDS, words, size * WORDS, WORDS);
    size++;
  }

  /// Number of events.
  public int size() {
    return size;
  }

  /// Forgets all events, keeps the room.
  public void clear() {
    size = 0;
    lastSnapshot = NO_SNAPSHOT;
  }

  /// Shows every event in order.
  public void forEach(Visitor visitor) {
    for (int at = 0; at < size * WORDS; at += WORDS) {
      long head = words[at];
      visitor.event(
          KINDS[(int) (head >>> 56)],
          (int) (head >>> 32) & 0xFF_FFFF,
          (int) head,
          words[at + 1],
          words[at + 2]);
    }
  }
}
