package dev.herdlab.balancer;

import java.util.HashMap;
import java.util.Map;

/// In-flight counts by backend, exact across changes of the set: a lease taken from an older set
/// lowers its backend's count wherever that backend now stands, and a backend that left with
/// requests in flight finds its count again if it comes back.
///
/// Cost: O(1); one array access while the set is the lease's own. Owner thread: its owner's.
public final class Counts {
  private BackendSet backends;
  private int[] counts;
  private final Map<String, Integer> departed = new HashMap<>();

  /// Zero on every backend.
  public Counts(BackendSet backends) {
    this.backends = backends;
    this.counts = new int[backends.size()];
  }

  /// In flight on the backend at `index` of the current set.
  public int inFlight(int index) {
    return counts[index];
  }

  /// Number of backends in the current set.
  public int size() {
    return counts.length;
  }

  /// The set that indices refer to.
  BackendSet backends() {
    return backends;
  }

  /// The sum over all backends, departed ones included. O(n).
  public long total() {
    long total = 0;
    for (int count : counts) {
      total += count;
    }
    for (int count : departed.values()) {
      total += count;
    }
    return total;
  }

  /// A numbered copy of them. O(n).
  ///
  /// @param nanos the instant at which they are so
  public Snapshot snapshot(long number, long nanos) {
    return new Snapshot(number, backends, counts, nanos);
  }

  /// Replaces the set. O(n).
  public void update(BackendSet next) {
    int[] moved = new int[next.size()];
    for (int i = 0; i < counts.length; i++) {
      String id = backends.get(i).id();
      int at = next.indexOf(id);
      if (at >= 0) {
        moved[at] = counts[i];
      } else if (counts[i] > 0) {
        departed.put(id, counts[i]);
      }
    }
    for (int i = 0; i < moved.length; i++) {
      Integer back = departed.remove(next.get(i).id());
      if (back != null) {
        moved[i] += back;
      }
    }
    backends = next;
    counts = moved;
  }

  void raise(Picked picked) {
    add(picked, 1);
  }

  void lower(Picked picked) {
    add(picked, -1);
  }

  private void add(Picked picked, int delta) {
    if (picked.backends() == backends) {
      int count = counts[picked.index()] + delta;
      if (count < 0) {
        throw new IllegalStateException(
            "in flight on " + picked.backend().id() + ": " + count + " (expected: >= 0)");
      }
      counts[picked.index()] = count;
    } else {
      addFromOtherSet(picked.backend().id(), delta);
    }
  }

  private void addFromOtherSet(String id, int delta) {
    int at = backends.indexOf(id);
    int count = (at >= 0 ? counts[at] : departed.getOrDefault(id, 0)) + delta;
    if (count < 0) {
      throw new IllegalStateException("in flight on " + id + ": " + count + " (expected: >= 0)");
    }
    if (at >= 0) {
      counts[at] = count;
    } else if (count == 0) {
      departed.remove(id);
    } else {
      departed.put(id, count);
    }
  }
}
