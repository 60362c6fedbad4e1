package dev.herdlab.simulator;

import java.util.Arrays;

/// The model's pending events: a binary heap ordered by (instant, kind, insertion).
///
/// Cost: add and remove O(log size), no allocation but the growth. Owner thread: its model's.
final class EventQueue {
  /// What an event is, in the order in which events of one instant happen.
  enum Kind {
    /// The next request of a backend is done; the argument is the backend's index.
    COMPLETION(0),
    /// A request's time is over; the argument is its number.
    TIME_LIMIT(1),
    /// A balancer's timer is due; the argument is the timer's number.
    TIMER(2),
    /// A probe reaches its backend, or the answer its proxy; the argument is the probe's number.
    PROBE(3),
    /// A request that is not answered is to be hedged; the argument is its number.
    HEDGE(4);

    private final long rank;

    Kind(long rank) {
      this.rank = rank;
    }

    /// Whether it ends a request, and comes before copies of the counts.
    boolean endsRequests() {
      return this == COMPLETION || this == TIME_LIMIT;
    }
  }

  private static final int KIND_SHIFT = 60;
  private static final Kind[] KINDS = Kind.values();

  private long[] nanos = new long[64];
  private long[] order = new long[64];
  private int[] arguments = new int[64];
  private int size;
  private long inserted;

  /// Instant of the next event; `Long.MAX_VALUE` when there is none.
  long nextNanos() {
    return size == 0 ? Long.MAX_VALUE : nanos[0];
  }

  /// Kind of the next event; there must be one.
  Kind nextKind() {
    return KINDS[(int) (order[0] >>> KIND_SHIFT)];
  }

  void add(long atNanos, Kind kind, int argument) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
      order = Arrays.copyOf(order, size * 2);
      arguments = Arrays.copyOf(arguments, size * 2);
    }
    long rank = (kind.rank << KIND_SHIFT) | inserted++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!before(atNanos, rank, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, atNanos, rank, argument);
  }

  /// Removes the next event and returns its argument; there must be one.
  int remove() {
    int argument = arguments[0];
    size--;
    long lastNanos = nanos[size];
    long lastRank = order[size];
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && before(nanos[child + 1], order[child + 1], child)) {
        child++;
      }
      if (before(lastNanos, lastRank, child)) {
        break;
      }
      move(child, at);
      at = child;
      child = 2 * at + 1;
    }
    put(at, lastNanos, lastRank, arguments[size]);
    return argument;
  }

  private boolean before(long atNanos, long rank, int other) {
    return atNanos < nanos[other] || (atNanos == nanos[other] && rank < order[other]);
  }

  private void move(int from, int to) {
    nanos[to] = nanos[from];
    order[to] = order[from];
    arguments[to] = arguments[from];
  }

  private void put(int at, long atNanos, long rank, int argument) {
    nanos[at] = atNanos;
    order[at] = rank;
    arguments[at] = argument;
  }
}
