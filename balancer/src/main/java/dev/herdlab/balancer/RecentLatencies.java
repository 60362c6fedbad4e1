package dev.herdlab.balancer;

import java.util.Arrays;

/// A percentile of the latencies of a proxy's last 500 answered requests, each from its first pick.
///
/// The hedging delay holds its own share: a request that takes longer than the delay does so with
/// its hedge too, so as many of the latencies are above the percentile as requests were hedged.
///
/// Cost: O(1) a latency, and every 20th the sorting of 500. Owner thread: its dispatcher's.
final class RecentLatencies {
  /// So many are remembered: 25 are above a 95th percentile, which is then known to about a fifth.
  static final int SIZE = 500;

  /// With fewer than these there is no percentile.
  static final int LEAST = 100;

  private static final int RENEWED_EVERY = 20;

  private final int percent;
  private final long[] latencies = new long[SIZE];
  private final long[] sorted = new long[SIZE];
  private long count;
  private long percentileNanos = Long.MAX_VALUE;

  /// @param percent 1 to 99
  RecentLatencies(int percent) {
    this.percent = percent;
  }

  void add(long nanos) {
    latencies[(int) (count++ % SIZE)] = nanos;
    if (count >= LEAST && count % RENEWED_EVERY == 0) {
      int known = (int) Math.min(count, SIZE);
      System.arraycopy(latencies, 0, sorted, 0, known);
      Arrays.sort(sorted, 0, known);
      percentileNanos = sorted[known * percent / 100];
    }
  }

  /// The percentile: element floor(N q) of the sorted; `Long.MAX_VALUE` while it is not known.
  long percentileNanos() {
    return percentileNanos;
  }
}
