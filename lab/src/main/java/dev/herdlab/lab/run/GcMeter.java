package dev.herdlab.lab.run;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/// The pauses of this process's collectors since a reading, summed: an upper bound of the longest.
///
/// With the heap sized for a run there is at most one. Resolution: 1 ms. Owner thread: its user's.
final class GcMeter {
  private final long startMillis = totalMillis();

  /// Nanoseconds of collection since this meter was made.
  long nanos() {
    return TimeUnit.MILLISECONDS.toNanos(totalMillis() - startMillis);
  }

  private static long totalMillis() {
    long total = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      total += Math.max(0, collector.getCollectionTime());
    }
    return total;
  }
}
