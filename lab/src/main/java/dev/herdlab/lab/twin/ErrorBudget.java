package dev.herdlab.lab.twin;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
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
/// Where hosts have clocks of their own, only durations on one clock are known: send lag, pick and
/// what the backend did. What is left of the latency, all ways together, is the one part `network`.
///
/// Owner thread: any (immutable).
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

  /// Names of the parts where hosts have clocks of their own.
  static final List<String> PARTS_OF_DURATIONS =
      List.of("send_lag", "pick", "queue_wait", "service", "lateness", "network");

  /// Cuts every request of the sample. O(n log n).
  static ErrorBudget of(Sample sample, Measurement measurement) {
    List<String> names =
        switch (measurement.conditions().clocks()) {
          case ONE -> PARTS;
          case SEVERAL -> PARTS_OF_DURATIONS;
        };
    List<RunLog.Entry> entries = sample.entries();
    long[][] columns = new long[names.size()][entries.size()];
    int explained = 0;
    for (int i = 0; i < entries.size(); i++) {
      RunLog.Entry entry = entries.get(i);
      long intendedNanos = measurement.trace().intendedNanos(entry.request());
      long[] parts =
          switch (measurement.conditions().clocks()) {
            case ONE -> between(stamps(intendedNanos, entry));
            case SEVERAL -> durations(intendedNanos, entry);
          };
      if (isExplained(parts)) {
        long sum = 0;
        for (int part = 0; part < columns.length; part++) {
          columns[part][explained] = parts[part];
          sum += parts[part];
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
    long unitNanos = measurement.plan().unitNanos();
    return summary(names, columns, explained, entries.size() - explained, unitNanos);
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

  /// The time from each cut to the next; below 0 where one is missing or time goes back.
  private static long[] between(long[] stamps) {
    long[] parts = new long[stamps.length - 1];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = duration(stamps[i], stamps[i + 1]);
    }
    return parts;
  }

  private static long[] durations(long intendedNanos, RunLog.Entry entry) {
    RunLog.Attempt last = entry.last();
    long lag = duration(intendedNanos, entry.sentNanos());
    long pick = duration(last.proxyReceivedNanos(), last.pickedNanos());
    long wait = duration(last.backendReceivedNanos(), last.startNanos());
    long service = duration(last.startNanos(), last.finishNanos());
    long lateness = duration(last.finishNanos(), last.deliveredNanos());
    long known = lag + pick + wait + service + lateness;
    return new long[] {
      lag, pick, wait, service, lateness, entry.doneNanos() - intendedNanos - known
    };
  }

  /// Time between two stamps of one clock; below 0 if one is missing, or they are out of order.
  private static long duration(long fromNanos, long toNanos) {
    return fromNanos < 0 ? -1 : toNanos - fromNanos;
  }

  private static boolean isExplained(long[] parts) {
    for (long part : parts) {
      if (part < 0) {
        return false;
      }
    }
    return true;
  }

  private static ErrorBudget summary(
      List<String> names, long[][] columns, int explained, int unexplained, long unitNanos) {
    SequencedMap<String, CellResult.Part> parts = new LinkedHashMap<>();
    for (int part = 0; explained > 0 && part < columns.length; part++) {
      long[] sorted = Arrays.copyOf(columns[part], explained);
      Arrays.sort(sorted);
      parts.put(names.get(part), part(sorted, unitNanos));
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
