package dev.herdlab.balancer.algorithm;

/// Picks within the last second, as HAProxy's frequency counters estimate them: those of the
/// present period of a second, and of the one before the share that is not over yet; rounded down,
/// but one that stands alone is not forgotten at once.
///
/// Cost: O(1). Owner thread: its balancer's.
/// Source: HAProxy src/freq_ctr.c `update_freq_ctr_period_slow` and `_freq_ctr_total_from_values`
/// (3.5-dev5, commit 50872da).
/// Deviation: in ns; HAProxy's counts ms, and periods begin at even ones.
final class PickRate {
  private static final long PERIOD_NANOS = 1_000_000_000;

  private boolean begun;
  private long periodStartNanos;
  private long inPeriod;
  private long inPrevious;

  void add(long nowNanos) {
    if (!begun) {
      begun = true;
      periodStartNanos = nowNanos;
    } else if (nowNanos - periodStartNanos >= PERIOD_NANOS) {
      periodStartNanos += PERIOD_NANOS;
      inPrevious = inPeriod;
      inPeriod = 0;
      if (nowNanos - periodStartNanos >= PERIOD_NANOS) {
        inPrevious = 0;
        periodStartNanos = nowNanos;
      }
    }
    inPeriod++;
  }

  long perSecond(long nowNanos) {
    long left = periodStartNanos + PERIOD_NANOS - nowNanos;
    long past = inPrevious;
    long present = inPeriod;
    if (left < 0) {
      left += PERIOD_NANOS;
      past = left >= 0 ? present : 0;
      present = 0;
    }
    return present == 0 && past <= 1 ? past : present + past * left / PERIOD_NANOS;
  }
}
