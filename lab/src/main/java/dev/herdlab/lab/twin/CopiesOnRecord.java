package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The copies of the true counts whose contents a record tells, put together event by event.
///
/// Cost: O(1) an event. Owner thread: its audit's.
final class CopiesOnRecord {
  private final BackendSet backends;
  private final Map<Long, Snapshot> copies = new HashMap<>();
  private int[] counts;
  private long number;
  private long truthNanos;
  private int countsLeft;

  CopiesOnRecord(BackendSet backends) {
    this.backends = backends;
    this.counts = new int[backends.size()];
  }

  /// A copy begins.
  ///
  /// @param withCounts how many counts will follow
  /// @return the copy, if it is complete
  Optional<Snapshot> begin(long itsNumber, long nanos, int withCounts) {
    counts = new int[backends.size()];
    number = itsNumber;
    truthNanos = nanos;
    countsLeft = withCounts;
    return completed();
  }

  /// One of its counts; one of a backend that nobody knows leaves the copy incomplete for good.
  ///
  /// @return the copy, if it is complete
  Optional<Snapshot> count(int backend, long count) {
    if (backend < 0 || backend >= counts.length || count < 0 || count > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    counts[backend] = (int) count;
    countsLeft--;
    return completed();
  }

  private Optional<Snapshot> completed() {
    return countsLeft == 0
        ? Optional.of(new Snapshot(number, backends, counts, truthNanos))
        : Optional.empty();
  }

  /// Keeps a complete copy.
  ///
  /// @return false if one of the same number has other counts, and is kept instead
  boolean keep(Snapshot copy) {
    Snapshot known = copies.putIfAbsent(copy.number(), copy);
    for (int i = 0; known != null && i < backends.size(); i++) {
      if (known.count(i) != copy.count(i)) {
        return false;
      }
    }
    return true;
  }

  /// The copy with that number.
  Optional<Snapshot> find(long itsNumber) {
    return Optional.ofNullable(copies.get(itsNumber));
  }
}
