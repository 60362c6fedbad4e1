package dev.herdlab.simulator.study;

import dev.herdlab.simulator.HerdingIndex;
import java.util.Arrays;

/// What is counted in a run of the study `shuffle`, between the end of the warm-up and the last
/// arrival.
///
/// Errors and latencies are of the well-behaved requests that arrive in that time; one that runs
/// out of time has the whole of it as its latency. Cost: O(1) a request, and a sort at the end.
/// Owner thread: its run's.
final class ShuffleTally {
  private final WorkerPool.Rules rules;
  private final long fromNanos;
  private final long untilNanos;
  private final HerdingIndex.Counter picks = new HerdingIndex.Counter(Assignment.WORKERS);
  private long[] latencyNanos = new long[1024];
  private int requests;
  private int errors;
  private long done;
  private double busyNanos;

  /// Counts what happens from `fromNanos` to before `untilNanos`.
  ShuffleTally(WorkerPool.Rules rules, long fromNanos, long untilNanos) {
    this.rules = rules;
    this.fromNanos = fromNanos;
    this.untilNanos = untilNanos;
  }

  private boolean counts(long nanos) {
    return nanos >= fromNanos && nanos < untilNanos;
  }

  /// A worker got a request; in the order of time.
  void picked(int worker, long nanos) {
    if (counts(nanos)) {
      picks.add(nanos / Studies.UNIT_NANOS, worker);
    }
  }

  /// A worker is busy with one.
  void busy(long startNanos, long endNanos) {
    busyNanos += Math.max(0, Math.min(endNanos, untilNanos) - Math.max(startNanos, fromNanos));
  }

  /// One is done in time.
  void done(WorkerPool.Request request, long atNanos) {
    if (counts(atNanos)) {
      done++;
    }
    latency(request, atNanos - request.nanos());
  }

  /// One ran out of time, as a bad one always does.
  void failed(WorkerPool.Request request) {
    if (latency(request, rules.limitNanos())) {
      errors++;
    }
  }

  private boolean latency(WorkerPool.Request request, long nanos) {
    if (!counts(request.nanos()) || rules.isBad(request)) {
      return false;
    }
    if (requests == latencyNanos.length) {
      latencyNanos = Arrays.copyOf(latencyNanos, 2 * requests);
    }
    latencyNanos[requests++] = nanos;
    return true;
  }

  /// Share of errors; 0 if there was no request.
  double errorRate() {
    return requests == 0 ? 0 : (double) errors / requests;
  }

  /// Requests done a unit.
  double throughput() {
    return done * (double) Studies.UNIT_NANOS / (untilNanos - fromNanos);
  }

  /// Share of the workers' time in which they are busy, with bad requests too.
  double utilisation() {
    return busyNanos / Assignment.WORKERS / (untilNanos - fromNanos);
  }

  /// Mean latency in units; NaN if there was no request.
  double meanLatency() {
    return Arrays.stream(latencyNanos, 0, requests).average().orElse(Double.NaN)
        / Studies.UNIT_NANOS;
  }

  /// The latencies' element floor(N q), in units, for each of `quantiles`; NaN if there is none.
  double[] latencyQuantiles(double... quantiles) {
    long[] sorted = Arrays.copyOf(latencyNanos, requests);
    Arrays.sort(sorted);
    return Arrays.stream(quantiles)
        .map(q -> requests == 0 ? Double.NaN : sorted[(int) Math.floor(requests * q)])
        .map(nanos -> nanos / Studies.UNIT_NANOS)
        .toArray();
  }

  /// Over intervals of one unit.
  HerdingIndex herding() {
    return picks.index(1 << 18);
  }
}
