package dev.herdlab.simulator;

import java.util.Arrays;

/// Selection of the k-th smallest of many values without sorting them all: Hoare's FIND with a
/// median of three, and a sort of what is left should the pivots be unlucky for long.
///
/// Cost: about 2 N comparisons on average, O(N log N) at worst. Owner thread: any (no state).
/// Source: Hoare, "Algorithm 65: Find", CACM 4(7), 1961.
final class Selection {
  private Selection() {}

  /// Reorders `values[from, to)` so that element `k` is the one that a sort would put there, none
  /// before it is greater and none after it smaller; returns it.
  static double select(double[] values, int from, int to, int k) {
    int low = from;
    int high = to - 1;
    // A good pivot halves the range; four times as many rounds as halvings is bad luck.
    int rounds = 4 * (32 - Integer.numberOfLeadingZeros(to - from));
    while (low < high) {
      if (rounds-- == 0) {
        Arrays.sort(values, low, high + 1);
        break;
      }
      double pivot = median(values[low], values[(low + high) >>> 1], values[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (k <= j) {
        high = j;
      } else if (k >= i) {
        low = i;
      } else {
        break;
      }
    }
    return values[k];
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
