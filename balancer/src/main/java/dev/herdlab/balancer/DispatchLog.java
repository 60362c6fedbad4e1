package dev.herdlab.balancer;

import java.util.Arrays;

/// Everything that changed a balancer's mind, in the order in which it happened: picks, refusals,
/// completions and refreshes of all proxies of one thread. Enough to make the same picks again with
/// the same coins (the pick audit), and to know the refresh instants that were really seen.
///
/// Three longs an event, grown by doubling. Cost: O(1) amortised, no allocation but the growth.
/// Owner thread: the dispatchers'; read by others only once they have stopped.
@SuppressWarnings("EnumOrdinal") // numbers, in files too, are read by the build that wrote them
public final class DispatchLog implements DispatchListener {
  private static final int WORDS = 3;
  private static final Kind[] KINDS = Kind.values();
  private static final FailureKind[] FAILURES = FailureKind.values();

  private long[] words;
  private int size;

  /// What happened.
  public enum Kind {
    /// A lease was opened; the value is the picked index, the argument the request's key.
    PICK,
    /// A pick was refused; the argument is the request's key.
    REFUSAL,
    /// A lease ended in success; the argument is its sequence number at its proxy.
    SUCCESS,
    /// A lease ended in failure; the argument as for success, the value stands for the
    /// [FailureKind] (see [DispatchLog#outcome]).
    FAILURE,
    /// A lease was cancelled; the argument as for success.
    CANCELLATION,
    /// The proxy's view took a new copy.
    REFRESH
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
    append(Kind.PICK, proxy, picked.index(), context.key(), picked.pickedNanos());
  }

  @Override
  public void refused(int proxy, PickContext context, long nowNanos) {
    append(Kind.REFUSAL, proxy, 0, context.key(), nowNanos);
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
  public void refreshed(int proxy, long nowNanos) {
    append(Kind.REFRESH, proxy, 0, 0, nowNanos);
  }

  /// Adds an event as read back from a file.
  ///
  /// @param proxy below 2^24
  public void append(Kind kind, int proxy, int value, long argument, long nanos) {
    if ((size + 1) * WORDS > words.length) {
      words = Arrays.copyOf(words, words.length * 2);
    }
    int at = size * WORDS;
    words[at] = ((long) kind.ordinal() << 56) | ((long) proxy << 32) | (value & 0xFFFF_FFFFL);
    words[at + 1] = argument;
    words[at + 2] = nanos;
    size++;
  }

  /// The outcome that a completion event stands for.
  ///
  /// @throws IllegalArgumentException if `kind` is no completion
  public static Outcome outcome(Kind kind, int value) {
    return switch (kind) {
      case SUCCESS -> Outcome.SUCCEEDED;
      case FAILURE -> new Outcome.Failed(FAILURES[value]);
      case CANCELLATION -> Outcome.CANCELLED;
      case PICK, REFUSAL, REFRESH ->
          throw new IllegalArgumentException("event: " + kind + " (expected: a completion)");
    };
  }

  /// Number of events.
  public int size() {
    return size;
  }

  /// Forgets all events, keeps the room.
  public void clear() {
    size = 0;
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
