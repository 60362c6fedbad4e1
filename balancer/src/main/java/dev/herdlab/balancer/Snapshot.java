package dev.herdlab.balancer;

import java.util.Arrays;

/// An immutable, numbered copy of the true counts as they were at one instant: what stale views
/// show. All proxies that refresh with the same number see the same counts.
///
/// Cost: O(1) unless said otherwise. Owner thread: any (immutable).
public final class Snapshot {
  private final long number;
  private final BackendSet backends;
  private final int[] counts;
  private final long truthNanos;

  /// A copy of `counts`. O(n).
  ///
  /// @param number says which copy of the system's this is; later ones have greater numbers
  /// @param backends what the counts are of, by index
  /// @param counts in flight on each backend, over all proxies, 0 or more
  /// @param truthNanos the instant on the dispatchers' clock at which they were true, as well as it
  ///     is known: of counts from other processes it is an estimate
  /// @throws IllegalArgumentException if there is not one count for each backend, or one is below 0
  public Snapshot(long number, BackendSet backends, int[] counts, long truthNanos) {
    if (counts.length != backends.size()) {
      throw new IllegalArgumentException(
          "counts: "
              + counts.length
              + " (expected: "
              + backends.size()
              + ", one for each backend)");
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0) {
        throw new IllegalArgumentException(
            "count of " + backends.get(i).id() + ": " + counts[i] + " (expected: >= 0)");
      }
    }
    this.number = number;
    this.backends = backends;
    this.counts = counts.clone();
    this.truthNanos = truthNanos;
  }

  /// Which copy this is.
  public long number() {
    return number;
  }

  /// What the counts are of.
  public BackendSet backends() {
    return backends;
  }

  /// In flight on the backend at `index` of [#backends], 0 or more.
  public int count(int index) {
    return counts[index];
  }

  /// When the counts were true, on the dispatchers' clock.
  public long truthNanos() {
    return truthNanos;
  }

  /// The same copy on another set: counts follow their backends' ids, a backend that this one does
  /// not know stands at zero, one that left is dropped. O(n), but O(1) on the same set.
  public Snapshot on(BackendSet other) {
    if (other == backends) {
      return this;
    }
    int[] moved = new int[other.size()];
    for (int i = 0; i < moved.length; i++) {
      int at = backends.indexOf(other.get(i).id());
      moved[i] = at < 0 ? 0 : counts[at];
    }
    return new Snapshot(number, other, moved, truthNanos);
  }

  @Override
  public String toString() {
    return "snapshot " + number + " of " + Arrays.toString(counts);
  }
}
