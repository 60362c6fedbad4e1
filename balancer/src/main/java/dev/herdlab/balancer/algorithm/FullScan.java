package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Ports;

/// The selector that looks at every backend and takes one of the least loaded.
///
/// With random ties it draws once for each pick, even when only one is least, as `random.choice`
/// over a list does. Cost: O(n), one pass. Owner thread: its balancer's.
final class FullScan implements Selector {
  private final Ties ties;
  private final Ports.RandomSource random;
  // Those that are least, in index order.
  private int[] tied = {};
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
    if (tied.length < size) {
      tied = new int[size];
    }
    double least = Double.POSITIVE_INFINITY;
    int count = 0;
    for (int i = 0; i < size; i++) {
      double load = metric.load(i);
      if (load < least) {
        least = load;
        tied[0] = i;
        count = 1;
      } else if (load == least) {
        tied[count++] = i;
      }
    }
    return switch (ties) {
      case FIRST -> tied[0];
      case RANDOM -> tied[random.below(count)];
      case ROUND_ROBIN -> {
        int chosen = firstFrom(cursor, count);
        cursor = chosen + 1 == size ? 0 : chosen + 1;
        yield chosen;
      }
    };
  }

  /// Of the tied ones, the first at or after `index`, and after the last the first.
  private int firstFrom(int index, int count) {
    for (int i = 0; i < count; i++) {
      if (tied[i] >= index) {
        return tied[i];
      }
    }
    return tied[0];
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    cursor = Math.max(0, before.survivorFrom(cursor, after));
  }
}
