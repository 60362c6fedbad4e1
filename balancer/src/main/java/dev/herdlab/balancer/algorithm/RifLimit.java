package dev.herdlab.balancer.algorithm;

import java.util.Arrays;

/// The number of requests in flight from which on a backend counts as hot: a quantile of what the
/// most recent probe replies said.
///
/// Quantile 0 makes all hot; 1 none; just below 1, those at the maximum.
///
/// Cost: [#value] O(1); [#add] O(window), two array moves. Owner thread: its balancer's.
/// Source: Wydrowski et al., "Load is not what you should balance", NSDI 2024, sections 4 and 5.3.
final class RifLimit {
  private final double quantile;
  private final int[] recent;
  private final int[] sorted;
  private int size;
  private int next;

  /// @param window number of replies that are remembered
  RifLimit(double quantile, int window) {
    this.quantile = quantile;
    this.recent = new int[window];
    this.sorted = new int[window];
  }

  /// A reply said this.
  void add(int inFlight) {
    if (size == recent.length) {
      removeSorted(recent[next]);
    }
    recent[next] = inFlight;
    next = next + 1 == recent.length ? 0 : next + 1;
    int at = place(inFlight);
    System.arraycopy(sorted, at, sorted, at + 1, size - at);
    sorted[at] = inFlight;
    size++;
  }

  private void removeSorted(int value) {
    int at = place(value);
    size--;
    System.arraycopy(sorted, at + 1, sorted, at, size - at);
  }

  /// Where `value` stands, or belongs.
  private int place(int value) {
    int found = Arrays.binarySearch(sorted, 0, size, value);
    return found < 0 ? -found - 1 : found;
  }

  /// The least number in flight that is hot.
  int value() {
    if (quantile == 0 || size == 0) {
      return 0;
    }
    return quantile == 1 ? Integer.MAX_VALUE : sorted[(int) (quantile * size)];
  }
}
