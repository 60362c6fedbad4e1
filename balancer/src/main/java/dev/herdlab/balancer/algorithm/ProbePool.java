package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;

/// The probe replies that a Prequal client may use, oldest first.
///
/// Hot are those with as many requests in flight as the limit or more. The best one is the cold one
/// of the least latency, or the one with the fewest in flight if all are hot; the worst is the hot
/// one with the most in flight, or the one of the greatest latency if none is hot. Of equals the
/// best is the youngest, the worst the oldest.
///
/// Cost: O(pool) each. Owner thread: its balancer's.
/// Source: Wydrowski et al., "Load is not what you should balance", NSDI 2024, section 4.
final class ProbePool {
  static final int NONE = -1;

  private final int[] backend;
  private final int[] inFlight;
  private final long[] latencyNanos;
  private final long[] receivedNanos;
  private final int[] usesLeft;
  private int most;
  private int size;

  /// @param room that it may ever have
  ProbePool(int room) {
    backend = new int[room];
    inFlight = new int[room];
    latencyNanos = new long[room];
    receivedNanos = new long[room];
    usesLeft = new int[room];
    most = room;
  }

  int size() {
    return size;
  }

  /// It holds this many from now on, at most its room; the oldest go.
  void limit(int next) {
    most = next;
    while (size > most) {
      remove(0);
    }
  }

  /// Adds a reply, in the place of the oldest if the pool is full.
  ///
  /// @param uses how often it may be used
  void add(int index, int itsInFlight, long itsLatencyNanos, long nowNanos, int uses) {
    if (size == most) {
      remove(0);
    }
    backend[size] = index;
    inFlight[size] = itsInFlight;
    latencyNanos[size] = itsLatencyNanos;
    receivedNanos[size] = nowNanos;
    usesLeft[size] = uses;
    size++;
  }

  /// Removes those that came before `sinceNanos`.
  void expire(long sinceNanos) {
    int old = 0;
    while (old < size && receivedNanos[old] - sinceNanos < 0) {
      old++;
    }
    removeFirst(old);
  }

  /// Place of the best, [#NONE] if it is empty.
  int best(int limit) {
    int best = NONE;
    for (int at = size - 1; at >= 0; at--) {
      if (best == NONE || isBetter(at, best, limit)) {
        best = at;
      }
    }
    return best;
  }

  private boolean isBetter(int one, int other, int limit) {
    boolean hot = inFlight[one] >= limit;
    boolean otherHot = inFlight[other] >= limit;
    if (hot != otherHot) {
      return otherHot;
    }
    return hot ? inFlight[one] < inFlight[other] : latencyNanos[one] < latencyNanos[other];
  }

  /// Uses the reply at a place, which counts the request from now on; returns its backend.
  int use(int at) {
    int index = backend[at];
    inFlight[at]++;
    usesLeft[at]--;
    if (usesLeft[at] == 0) {
      remove(at);
    }
    return index;
  }

  void removeOldest() {
    removeFirst(Math.min(1, size));
  }

  void removeWorst(int limit) {
    int worst = NONE;
    for (int at = size - 1; at >= 0; at--) {
      if (worst == NONE || !isBetter(at, worst, limit)) {
        worst = at;
      }
    }
    if (worst != NONE) {
      remove(worst);
    }
  }

  /// Indices are those of `next` now; what left is removed.
  void update(BackendSet before, BackendSet next) {
    int at = 0;
    while (at < size) {
      int now = next.indexOf(before.get(backend[at]).id());
      if (now < 0) {
        remove(at);
      } else {
        backend[at] = now;
        at++;
      }
    }
  }

  private void remove(int at) {
    move(at + 1, at);
    size--;
  }

  private void removeFirst(int count) {
    if (count > 0) {
      move(count, 0);
      size -= count;
    }
  }

  private void move(int from, int to) {
    System.arraycopy(backend, from, backend, to, size - from);
    System.arraycopy(inFlight, from, inFlight, to, size - from);
    System.arraycopy(latencyNanos, from, latencyNanos, to, size - from);
    System.arraycopy(receivedNanos, from, receivedNanos, to, size - from);
    System.arraycopy(usesLeft, from, usesLeft, to, size - from);
  }
}
