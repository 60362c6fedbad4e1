package dev.herdlab.lab.twin;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.Arrays;

/// How well generator and backends kept their instants. Lag and lateness over all requests after
/// the warm-up, failed ones included; nothing of what is carried. Owner thread: any (immutable).
///
/// @param sendLagP99Nanos actual minus intended send; 0 if nothing was sent
/// @param latenessP99Nanos delivery minus ideal finish of every attempt that was delivered; 0 if
///     none was
/// @param achievedRate requests sent in the time that it took, over requests planned in the time
///     planned
record Timeliness(long sendLagP99Nanos, long latenessP99Nanos, double achievedRate) {

  /// Reads the stamps. O(n log n).
  static Timeliness of(Measurement measurement) {
    Trace trace = measurement.trace();
    Column lags = new Column();
    Column latenesses = new Column();
    long sent = 0;
    long lastSentNanos = 0;
    for (RunLog.Entry entry : measurement.run().entries()) {
      if (measurement.isOwn(entry.request()) && entry.sentNanos() >= 0) {
        sent++;
        lastSentNanos = Math.max(lastSentNanos, entry.sentNanos());
        if (entry.request() >= measurement.firstSampled()) {
          lags.add(entry.sentNanos() - trace.intendedNanos(entry.request()));
          for (RunLog.Attempt attempt : entry.attempts()) {
            if (attempt.deliveredNanos() >= 0 && attempt.finishNanos() >= 0) {
              latenesses.add(attempt.deliveredNanos() - attempt.finishNanos());
            }
          }
        }
      }
    }
    long epochNanos = measurement.conditions().epochNanos();
    double share = sent / (double) measurement.requests();
    double stretch =
        (lastSentNanos - epochNanos) / (double) (trace.lastIntendedNanos() - epochNanos);
    return new Timeliness(lags.p99(), latenesses.p99(), sent == 0 ? 0 : share / stretch);
  }

  /// A growing column of nanoseconds.
  private static final class Column {
    private long[] values = new long[1024];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, 2 * size);
      }
      values[size++] = value;
    }

    long p99() {
      long[] sorted = Arrays.copyOf(values, size);
      Arrays.sort(sorted);
      return size == 0 ? 0 : Ranks.at(sorted, 0.99);
    }
  }
}
