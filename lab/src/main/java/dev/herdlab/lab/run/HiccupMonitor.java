package dev.herdlab.lab.run;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// A thread that only watches the clock: whenever it wakes much later than it asked for, the
/// machine (or the JVM) stood still, whatever the reason. Steal time does not show such stalls on
/// many machines.
///
/// Cost: one wake-up a millisecond, about 1 % of a core. Owner thread: its starter's; one use.
final class HiccupMonitor {
  /// Stalls shorter than this cannot be told from an ordinary wake-up.
  static final long INTERVAL_NANOS = 1_000_000;

  private final AtomicBoolean running = new AtomicBoolean(true);
  private final Thread thread = new Thread(this::watch, "herdlab-hiccup");
  private volatile long longestNanos;

  /// Starts to watch.
  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /// Stops watching; the longest stall seen, in nanoseconds.
  long stop() throws InterruptedException {
    end();
    thread.join(1_000);
    return longestNanos;
  }

  /// Stops watching, without waiting for it.
  void end() {
    running.set(false);
    LockSupport.unpark(thread);
  }

  private void watch() {
    long before = System.nanoTime();
    while (running.get()) {
      LockSupport.parkNanos(INTERVAL_NANOS);
      long now = System.nanoTime();
      longestNanos = Math.max(longestNanos, now - before - INTERVAL_NANOS);
      before = now;
    }
  }
}
