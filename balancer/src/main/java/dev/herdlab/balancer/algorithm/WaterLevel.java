package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.View;
import java.util.Arrays;

/// Loads as a vessel with a stepped floor, and how far a given amount of water fills it: the
/// smallest loads are raised to one level, the others stay dry.
///
/// Cost: [#read] O(n log n), [#over] and [#covers] O(n). Owner thread: its balancer's.
final class WaterLevel {
  /// Load in the upper half, index in the lower, in rising order.
  private long[] floor;

  WaterLevel(int size) {
    floor = new long[size];
  }

  void resize(int size) {
    floor = new long[size];
  }

  /// Takes the loads as `view` shows them.
  void read(View view) {
    for (int i = 0; i < floor.length; i++) {
      floor[i] = ((long) view.inFlight(i) << 32) | i;
    }
    Arrays.sort(floor);
  }

  /// The load that stands at `rank` from the least, from 0.
  int load(int rank) {
    return (int) (floor[rank] >> 32);
  }

  /// Index of the backend at `rank`; among equal loads in the order of indices.
  int index(int rank) {
    return (int) floor[rank];
  }

  /// Number of backends whose load is below the level that `water`, above 0, rises to.
  int covers(double water) {
    double needed = 0;
    int covered = 1;
    while (covered < floor.length) {
      needed += (double) covered * (load(covered) - load(covered - 1));
      if (needed >= water) {
        return covered;
      }
      covered++;
    }
    return covered;
  }

  /// The level that `water` rises to over the `covered` lowest.
  double over(int covered, double water) {
    double sum = water;
    for (int rank = 0; rank < covered; rank++) {
      sum += load(rank);
    }
    return sum / covered;
  }
}
