package dev.herdlab.transport;

/// Bounds the share of time that a loop spends polling without sleep: at most four fifths of any
/// longer stretch.
///
/// A real-time thread that never sleeps is stopped by the kernel for 50 ms in every second
/// (sched(7), `sched_rt_runtime_us`), which is far worse than the wake-up that polling hides.
///
/// It is a bucket of time: polling takes from it, all time that passes fills it by four fifths.
/// Cost: O(1), no clock of its own. Owner thread: its loop's.
final class SpinAllowance {
  // A stretch of polling may be this long at once; a tenth of what the kernel stops for.
  static final long CAPACITY_NANOS = 5_000_000;

  private long allowanceNanos = CAPACITY_NANOS;
  private long lastNanos;
  private boolean wasSpinning;
  private boolean started;

  /// The loop polls from now on.
  ///
  /// @return false if it must sleep instead
  boolean spinning(long nowNanos) {
    account(nowNanos);
    wasSpinning = allowanceNanos > 0;
    return wasSpinning;
  }

  /// The loop sleeps from now on.
  void sleeping(long nowNanos) {
    account(nowNanos);
    wasSpinning = false;
  }

  private void account(long nowNanos) {
    if (started) {
      long passed = nowNanos - lastNanos;
      long change = passed / 5 * 4 - (wasSpinning ? passed : 0);
      allowanceNanos = Math.min(CAPACITY_NANOS, allowanceNanos + change);
    }
    started = true;
    lastNanos = nowNanos;
  }
}
