package dev.herdlab.simulator;

import dev.herdlab.balancer.SeededRandom;
import java.util.Arrays;

/// How much picks crowd: of all picks, the share that went to the backend picked most within their
/// own interval, beside what random picks would give.
///
/// Time is cut into intervals of one refresh (of one unit for views that have none), from instant 0
/// for all proxies. With N_j picks in interval j, M_j of them on its most picked backend, the index
/// is sum M_j / sum N_j: the mean over intervals of the largest share, each interval weighted by
/// its picks. A herd gives 1; picks in turn give 1/n; random picks are above 1/n, the more so the
/// fewer picks an interval has.
///
/// The expectation keeps the N_j and throws each interval's picks at random, over and over, until
/// 2^20 or more are thrown: a relative standard error of about 0.1 %. The published herd throws as
/// many as it has requests: about 0.2 % with 300 000.
///
/// Owner thread: any (immutable).
///
/// @param index from 1/n to 1
/// @param underRandom its expectation if each pick were uniform
public record HerdingIndex(double index, double underRandom) {
  private static final int RANDOM_PICKS = 1 << 20;

  /// Of picks in the order of their instants.
  ///
  /// @param pickNanos their instants, since the run's start
  /// @param picked the backends' indices; negative ones are skipped
  /// @param from the first pick that counts
  /// @param backends number of backends, 1 or more
  /// @param intervalNanos length of an interval, above 0
  public static HerdingIndex of(
      long[] pickNanos, int[] picked, int from, int backends, long intervalNanos) {
    Counter counter = new Counter(backends);
    for (int i = from; i < picked.length; i++) {
      if (picked[i] >= 0) {
        counter.add(Math.floorDiv(pickNanos[i], intervalNanos), picked[i]);
      }
    }
    return counter.index(RANDOM_PICKS);
  }

  /// Counts picks as they come. Cost: O(1) a pick, O(n) an interval. Owner thread: its user's.
  public static final class Counter {
    private final int[] counts;
    private int[] sizes = new int[1024];
    private int intervals;
    private long interval = Long.MIN_VALUE;
    private int size;
    private int most;
    private long picks;
    private long mostPicks;

    /// Of picks among `backends`.
    public Counter(int backends) {
      counts = new int[backends];
    }

    /// One pick of `backend` in interval number `at`; intervals come in order.
    public void add(long at, int backend) {
      if (at != interval) {
        close();
        interval = at;
      }
      size++;
      most = Math.max(most, ++counts[backend]);
    }

    private void close() {
      if (size == 0) {
        return;
      }
      if (intervals == sizes.length) {
        sizes = Arrays.copyOf(sizes, intervals * 2);
      }
      sizes[intervals++] = size;
      picks += size;
      mostPicks += most;
      size = 0;
      most = 0;
      Arrays.fill(counts, 0);
    }

    /// The index of all picks so far, its expectation from at least `randomPicks` random ones; both
    /// 0 when there are no picks. The last interval counts as it stands.
    public HerdingIndex index(int randomPicks) {
      close();
      if (picks == 0) {
        return new HerdingIndex(0, 0);
      }
      SeededRandom random = SeededRandom.of(0, "herding", 0);
      long thrown = 0;
      long mostThrown = 0;
      while (thrown < randomPicks) {
        for (int j = 0; j < intervals; j++) {
          mostThrown += mostOf(sizes[j], random);
        }
        thrown += picks;
      }
      return new HerdingIndex((double) mostPicks / picks, (double) mostThrown / thrown);
    }

    private int mostOf(int throwns, SeededRandom random) {
      int greatest = 0;
      for (int i = 0; i < throwns; i++) {
        greatest = Math.max(greatest, ++counts[random.below(counts.length)]);
      }
      Arrays.fill(counts, 0);
      return greatest;
    }
  }
}
