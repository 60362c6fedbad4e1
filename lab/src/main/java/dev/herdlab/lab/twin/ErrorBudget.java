package dev.herdlab.lab.twin;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The error budget: the measured latency of each request of the sample, cut at its stamps into
/// parts.
///
/// The parts lie end to end between the intended instant and the last byte, so they add up to the
/// measured latency to the nanosecond. A request that lacks a stamp of its last attempt, or whose
/// stamps go back in time, is *unexplained*: counted, and in no part. After retries `pick` contains
/// the failed attempts.
///
/// Stamps of all hosts must be on one clock; between machines they are not, and their requests come
/// out as unexplained. Owner thread: any (immutable).
///
/// @param parts in the order in which a request meets them, in units; empty if no request is
///     explained
/// @param explained requests whose stamps are complete and in order
/// @param unexplained the others of the sample
record ErrorBudget(SequencedMap<String, CellResult.Part> parts, int explained, int unexplained) {

  /// Names of the parts, each the time from the stamp before it to its own; see [#stamps].
  static final List<String> PARTS =
      List.of(
          "send_lag",
          "client_to_proxy",
          "pick",
          "proxy_to_backend",
          "queue_wait",
          "service",
          "lateness",
          "way_back");

  /// Cuts every request of the sample. O(n log n).
  static ErrorBudget of(Sample sample, Trace trace, long unitNanos) {
    List<RunLog.Entry> entries = sample.entries();
    long[][] columns = new long[PARTS.size()][entries.size()];
    int explained = 0;
    for (int i = 0; i < entries.size(); i++) {
      RunLog.Entry entry = entries.get(i);
      long[] stamps = stamps(trace.intendedNanos(entry.request()), entry);
      if (inOrder(stamps)) {
        long sum = 0;
        for (int part = 0; part < columns.length; part++) {
          columns[part][explained] = stamps[part + 1] - stamps[part];
          sum += columns[part][explained];
        }
        if (sum != sample.latencyNanos(i)) {
          throw new IllegalStateException(
              "budget of request "
                  + entry.request()
                  + ": "
                  + sum
                  + " ns (expected: "
                  + sample.latencyNanos(i)
                  + ")");
        }
        explained++;
      }
    }
    return summary(columns, explained, entries.size() - explained, unitNanos);
  }

  /// The cuts, from the intended instant to the last byte; -1 where a stamp is missing.
  private static long[] stamps(long intendedNanos, RunLog.Entry entry) {
    RunLog.Attempt last = entry.last();
    return new long[] {
      intendedNanos,
      entry.sentNanos(),
      last.proxyReceivedNanos(),
      last.pickedNanos(),
      last.backendReceivedNanos(),
      last.startNanos(),
      last.finishNanos(),
      last.deliveredNanos(),
      entry.doneNanos()
    };
  }

  private static boolean inOrder(long[] stamps) {
    long previous = 0;
    for (long stamp : stamps) {
      if (stamp < previous) {
        return false;
      }
      previous = stamp;
    }
    return true;
  }

  private static ErrorBudget summary(
      long[][] columns, int explained, int unexplained, long unitNanos) {
    SequencedMap<String, CellResult.Part> parts = new LinkedHashMap<>();
    for (int part = 0; explained > 0 && part < columns.length; part++) {
      long[] sorted = Arrays.copyOf(columns[part], explained);
      Arrays.sort(sorted);
      parts.put(PARTS.get(part), part(sorted, unitNanos));
    }
    return new ErrorBudget(Collections.unmodifiableSequencedMap(parts), explained, unexplained);
  }

  private static CellResult.Part part(long[] sorted, long unitNanos) {
    double unit = unitNanos;
    double sum = 0;
    for (long nanos : sorted) {
      sum += nanos;
    }
    return new CellResult.Part(
        sum / sorted.length / unit, Ranks.at(sorted, 0.50) / unit, Ranks.at(sorted, 0.99) / unit);
  }
}
