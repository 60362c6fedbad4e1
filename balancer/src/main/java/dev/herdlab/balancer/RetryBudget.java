package dev.herdlab.balancer;

/// The retry budget of one proxy: retries may be a share of the requests of the last ten seconds,
/// and ten a second in any case, so that a proxy with few requests may retry too.
///
/// Each request pays in, each retry draws 1/share of that, and both are forgotten after ten
/// seconds, in ten slices of one. The ten a second are a reserve of a hundred retries in each span
/// of ten seconds.
///
/// Cost: O(1). Owner thread: its dispatcher's.
/// Source: Finagle `finagle-core/src/main/scala/com/twitter/finagle/service/RetryBudget.scala` (ttl
/// 10 s, 10 a second at least, 20 %), on the leaky token bucket of com.twitter.util.
/// Deviation: Finagle counts in whole thousandths of a request; this counts requests and retries by
/// themselves, so that no share is rounded.
final class RetryBudget {
  /// Length of a slice.
  static final long SLICE_NANOS = 1_000_000_000L;

  private static final int SLICES = 10;
  private static final long RESERVE = 10L * SLICES;

  private final double share;
  private final long[] requests = new long[SLICES];
  private final long[] retries = new long[SLICES];
  private long slice;

  RetryBudget(AttemptPolicy.Budget budget) {
    this.share = budget.share();
  }

  /// A request came.
  void deposit(long nowNanos) {
    requests[at(nowNanos)]++;
  }

  /// Draws one retry.
  ///
  /// @return false, and nothing is drawn, if there is not enough left
  boolean withdraw(long nowNanos) {
    int at = at(nowNanos);
    long in = 0;
    long out = 0;
    for (int i = 0; i < SLICES; i++) {
      in += requests[i];
      out += retries[i];
    }
    boolean granted = share == Double.POSITIVE_INFINITY || out + 1 <= in * share + RESERVE;
    retries[at] += granted ? 1 : 0;
    return granted;
  }

  /// The slice of now; those that are over are emptied.
  private int at(long nowNanos) {
    long now = Math.floorDiv(nowNanos, SLICE_NANOS);
    for (long left = Math.min(SLICES, now - slice); left > 0; left--) {
      int old = (int) Math.floorMod(now - left + 1, (long) SLICES);
      requests[old] = 0;
      retries[old] = 0;
    }
    slice = Math.max(slice, now);
    return (int) Math.floorMod(slice, (long) SLICES);
  }
}
