package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Ports;

/// The selector that looks at every backend and takes one of the least loaded.
///
/// With random ties it draws once for each pick, even when only one is least, as `random.choice`
/// over a list does. Cost: O(n), two passes. Owner thread: its balancer's.
final class FullScan implements Selector {
  private final Ties ties;
  private final Ports.RandomSource random;
  private int cursor;

  /// Which of the least loaded is taken.
  enum Ties {
    /// Uniformly one of them.
    RANDOM,
    /// The one of the lowest index.
    FIRST,
    /// The next one in index order after the last pick.
    ROUND_ROBIN
  }

  FullScan(Ties ties, Ports.RandomSource random) {
    this.ties = ties;
    this.random = random;
  }

  @Override
  public int select(LoadMetric metric, int size) {
    double least = Double.POSITIVE_INFINITY;
    int count = 0;
    int first = 0;
    for (int i = 0; i < size; i++) {
      double load = metric.load(i);
      if (load < least) {
        least = load;
        count = 1;
        first = i;
      } else if (load == least) {
        count++;
      }
    }
    return switch (ties) {
      case FIRST -> first;
      case RANDOM -> tied(metric, least, first, random.below(Math.max(count, 1)), size);
      case ROUND_ROBIN -> {
        int chosen = cursor;
        while (metric.load(chosen) > least) {
          chosen = after(chosen, size);
        }
        cursor = after(chosen, size);
        yield chosen;
      }
    };
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    cursor = Math.max(0, before.survivorFrom(cursor, after));
  }

  private static int after(int index, int size) {
    return index + 1 == size ? 0 : index + 1;
  }

  /// Index of the `skip`-th (from 0) of those whose load is `least`; `first` is the 0th.
  private static int tied(LoadMetric metric, double least, int first, int skip, int size) {
    int index = first;
    for (int left = skip; left > 0; ) {
      index++;
      if (index == size) {
        return first;
      }
      if (metric.load(index) == least) {
        left--;
      }
    }
    return index;
  }
}
