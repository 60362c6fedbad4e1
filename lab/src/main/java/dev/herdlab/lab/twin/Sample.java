package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The requests that everything is compared over: those after what is carried and after the warm-up
/// that succeeded.
///
/// Measured, replayed and twin quantiles are all taken over this one set; failed requests stand
/// beside it, in the accounting. Owner thread: any (not changed after construction).
final class Sample {
  private final List<RunLog.Entry> entries;
  private final long[] latencyNanos;
  private final int incomplete;
  private final int first;
  private final int requests;
  private final int failed;
  private final long unitNanos;

  private Sample(
      List<RunLog.Entry> entries,
      long[] latencyNanos,
      int incomplete,
      int failed,
      Measurement measurement) {
    this.entries = entries;
    this.latencyNanos = latencyNanos;
    this.incomplete = incomplete;
    this.first = measurement.firstSampled();
    this.requests = measurement.trace().size() - first;
    this.failed = failed;
    this.unitNanos = measurement.plan().unitNanos();
  }

  /// The sample of a measured attempt. A request that says `ok` but not when it ended, or not which
  /// backend of the set answered, can't be compared: it is not in the sample but in [#incomplete].
  static Sample of(Measurement measurement) {
    Trace trace = measurement.trace();
    List<RunLog.Entry> entries = new ArrayList<>();
    int incomplete = 0;
    int failed = 0;
    for (RunLog.Entry entry : measurement.run().entries()) {
      if (entry.request() < measurement.firstSampled()) {
        continue;
      }
      if (!entry.ok()) {
        failed++;
      } else if (isComplete(entry, measurement.backends())) {
        entries.add(entry);
      } else {
        incomplete++;
      }
    }
    long[] latency = new long[entries.size()];
    for (int i = 0; i < latency.length; i++) {
      RunLog.Entry entry = entries.get(i);
      latency[i] = entry.doneNanos() - trace.intendedNanos(entry.request());
    }
    return new Sample(List.copyOf(entries), latency, incomplete, failed, measurement);
  }

  private static boolean isComplete(RunLog.Entry entry, BackendSet backends) {
    return entry.sentNanos() >= 0
        && entry.doneNanos() >= 0
        && !entry.attempts().isEmpty()
        && backends.indexOf(entry.last().backend()) >= 0;
  }

  /// Number of requests.
  int size() {
    return latencyNanos.length;
  }

  /// Requests after the warm-up that succeeded but lack what a comparison needs.
  int incomplete() {
    return incomplete;
  }

  /// What happened to them.
  List<RunLog.Entry> entries() {
    return entries;
  }

  /// The measured latency of the sample's member number `i`.
  long latencyNanos(int i) {
    return latencyNanos[i];
  }

  /// Of the measured latencies.
  Quantiles quantiles() {
    return quantilesOf(latencyNanos);
  }

  /// Of the sample's members in a column that has a value for each request of the trace.
  Quantiles quantiles(long[] nanosByRequest) {
    return quantilesOf(members(nanosByRequest));
  }

  /// Of all requests after the warm-up that did not fail in a column that has -1 for those that
  /// did: where requests may fail, a run of the model has its own ones that do.
  Quantiles quantilesOfItsOwn(long[] nanosByRequest) {
    return quantilesOf(
        Arrays.stream(nanosByRequest).skip(first).filter(nanos -> nanos >= 0).toArray());
  }

  /// Share of the requests after the warm-up that failed, in such a column.
  double failed(long[] nanosByRequest) {
    long failed = Arrays.stream(nanosByRequest).skip(first).filter(nanos -> nanos < 0).count();
    return (double) failed / Math.max(1, nanosByRequest.length - first);
  }

  /// Share of the measured requests after the warm-up that failed.
  double failed() {
    return (double) failed / Math.max(1, requests);
  }

  /// The sample's members out of a column that has a value for each request of the trace.
  long[] members(long[] nanosByRequest) {
    long[] members = new long[latencyNanos.length];
    for (int i = 0; i < members.length; i++) {
      members[i] = nanosByRequest[entries.get(i).request()];
    }
    return members;
  }

  /// Not numbers when the sample is empty: then the verdict has a reason for it.
  private Quantiles quantilesOf(long[] nanos) {
    return nanos.length == 0 ? Quantiles.NONE : Quantiles.ofNanos(nanos, unitNanos);
  }
}
