package dev.herdlab.lab.run;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;

/// Whether a cell's requests fit in the heap, which is fixed in size so that it does not grow while
/// a clock runs: better to be told before a run than to lose it.
///
/// Owner thread: any (no state).
final class HeapNeed {
  /// What a request takes while its run is recorded and analysed: three events of the dispatch log,
  /// three longs each; the entry of the run's log with an attempt's stamps; the columns of the
  /// trace. An estimate, on the generous side.
  private static final long BYTES_PER_REQUEST = 400;

  /// Of the heap, what may be filled so; the rest is for sockets, buffers and the model.
  private static final double SHARE = 0.75;

  /// The same of what -Xmx says, of which the JVM counts some spaces out.
  private static final double NAMED_SHARE = 0.7;

  private static final long MEBIBYTE = 1 << 20;

  private HeapNeed() {}

  /// Refuses a cell with more requests than a heap can hold.
  ///
  /// @throws ConfigException with the most that fit, and how to have more
  static void check(CellPlan plan, long heapBytes) {
    long most = (long) (SHARE * heapBytes / BYTES_PER_REQUEST);
    if (plan.requests() > most) {
      long needed = (long) Math.ceil(plan.requests() * BYTES_PER_REQUEST / NAMED_SHARE / MEBIBYTE);
      throw ConfigException.at(
          "requests",
          String.valueOf(plan.requests()),
          "at most %d in a heap of %d MiB, or HERDLAB_JAVA_OPTS=-Xmx%dm"
              .formatted(most, heapBytes / MEBIBYTE, needed));
    }
  }
}
