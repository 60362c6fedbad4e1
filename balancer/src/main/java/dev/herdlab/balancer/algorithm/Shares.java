package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;

/// Probabilities of some backends, to be drawn from.
///
/// Cost: O(log n), one draw. Owner thread: its balancer's.
final class Shares {
  private int[] indices;
  private double[] upTo;
  private int size;

  Shares(int most) {
    indices = new int[most];
    upTo = new double[most];
  }

  /// Forgets all; room for `most`.
  void clear(int most) {
    size = 0;
    if (indices.length != most) {
      indices = new int[most];
      upTo = new double[most];
    }
  }

  /// Adds a backend; the shares need not sum to 1.
  void add(int index, double share) {
    indices[size] = index;
    upTo[size] = (size == 0 ? 0 : upTo[size - 1]) + share;
    size++;
  }

  /// One of them by its share.
  int draw(Ports.RandomSource random) {
    double at = random.unit() * upTo[size - 1];
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (upTo[middle] > at) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return indices[low];
  }
}
