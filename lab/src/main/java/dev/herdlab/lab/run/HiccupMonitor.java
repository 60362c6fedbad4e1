package dev.herdlab.lab.run;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A thread that only watches the clock: whenever it wakes much later than it asked for, the
/// machine (or the JVM) stood still, whatever the reason. Steal time does not show such stalls on
/// many machines.
///
/// Cost: one wake-up a millisecond, about 1 % of a core. Owner thread: its starter's; one use.
public final class HiccupMonitor implements AutoCloseable {
  /// Stalls shorter than this cannot be told from an ordinary wake-up.
  static final long INTERVAL_NANOS = 1_000_000;

  private final AtomicBoolean running = new AtomicBoolean(true);
  private final Thread thread = new Thread(this::run, "herdlab-hiccup");
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  /// Who wants to know the longest stall since a moment of their own. Any thread.
  public static final class Watch {
    private final AtomicLong longest = new AtomicLong();

    private Watch() {}

    /// The longest stall since the beginning or the last reset, in nanoseconds.
    public long longestNanos() {
      return longest.get();
    }

    /// Begins anew; what was the longest until now.
    public long reset() {
      return longest.getAndSet(0);
    }
  }

  /// One more who wants to know.
  public Watch watch() {
    Watch watch = new Watch();
    watches.add(watch);
    return watch;
  }

  /// Starts to watch.
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /// Stops watching, without waiting for it.
  @Override
  public void close() {
    running.set(false);
    LockSupport.unpark(thread);
  }

  private void run() {
    long before = System.nanoTime();
    while (running.get()) {
      LockSupport.parkNanos(INTERVAL_NANOS);
      long now = System.nanoTime();
      long stall = now - before - INTERVAL_NANOS;
      for (Watch watch : watches) {
        long _ = watch.longest.accumulateAndGet(stall, Math::max);
      }
      before = now;
    }
  }
}
