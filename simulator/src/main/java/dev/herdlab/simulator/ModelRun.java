package dev.herdlab.simulator;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a run of the model, or a replay, gave: for each request of the trace its backend and its
/// latency.
///
/// Latency is in nanoseconds from the intended instant to the ideal finish. A request that failed
/// has none, and one that no backend took has backend -1. Owner thread: any (immutable).
public final class ModelRun implements Stability.Served {
  /// The backend of a request that none took.
  public static final int NO_BACKEND = -1;

  private final Trace trace;
  private final int backends;
  private final int[] backend;
  private final long[] latencyNanos;
  private final Map<Integer, FailureKind> failures;
  private final Optional<ModelRequests.FurtherPicks> further;
  private final AttemptCounts attempts;

  /// Takes over the arrays: the caller does not touch them again.
  ModelRun(
      Trace trace,
      int backends,
      int[] backend,
      long[] latencyNanos,
      Map<Integer, FailureKind> failures,
      Optional<ModelRequests.FurtherPicks> further,
      AttemptCounts attempts) {
    this.trace = trace;
    this.backends = backends;
    this.backend = backend;
    this.latencyNanos = latencyNanos;
    this.failures = failures;
    this.further = further;
    this.attempts = attempts;
  }

  /// The plan that was run.
  public Trace trace() {
    return trace;
  }

  /// Number of requests.
  public int size() {
    return backend.length;
  }

  /// How many attempts the requests took, warm-up included; nothing where each has one.
  public AttemptCounts attempts() {
    return attempts;
  }

  /// Index of the backend that request `i` went to, or [#NO_BACKEND]: of several the one that
  /// answered, or failed last.
  @Override
  public int backend(int i) {
    return backend[i];
  }

  /// Latency of request `i`; -1 when it failed.
  @Override
  public long latencyNanos(int i) {
    return latencyNanos[i];
  }

  /// Why request `i` failed; empty when it did not.
  public Optional<FailureKind> failure(int i) {
    return Optional.ofNullable(failures.get(i));
  }

  /// How many requests failed, by the label of why; warm-up included.
  public SortedMap<String, Long> failed() {
    SortedMap<String, Long> failed = new TreeMap<>();
    failures.values().forEach(kind -> failed.merge(kind.label(), 1L, Long::sum));
    return Collections.unmodifiableSortedMap(failed);
  }

  /// Quantiles and mean of all latencies after the first `warmup` requests, in units; not numbers
  /// if all failed. O(N).
  ///
  /// @throws IllegalArgumentException if there are no requests
  public Quantiles quantiles(int warmup, long unitNanos) {
    double[] values = new double[Math.max(0, size() - warmup)];
    int count = 0;
    for (int i = warmup; i < size(); i++) {
      if (latencyNanos[i] >= 0) {
        values[count++] = latencyNanos[i];
      }
    }
    if (count == 0 && values.length > 0) {
      return Quantiles.NONE;
    }
    return Quantiles.inPlace(
        count == values.length ? values : Arrays.copyOf(values, count), (double) unitNanos);
  }

  /// How the picks of all attempts after the first `warmup` requests are shared out, by backend;
  /// zeros if there are none. O(N).
  public List<Double> shares(int warmup) {
    double[] counts = new double[backends];
    double picks = 0;
    for (int i = warmup; i < size(); i++) {
      if (backend[i] != NO_BACKEND) {
        counts[backend[i]]++;
        picks++;
      }
    }
    if (further.isPresent()) {
      picks += further.get().count(counts, warmup);
    }
    double all = Math.max(1, picks);
    return Arrays.stream(counts).map(count -> count / all).boxed().toList();
  }

  /// Requests that no backend took, warm-up included. O(N).
  public long refused() {
    return Arrays.stream(backend).filter(it -> it == NO_BACKEND).count();
  }

  /// Whether the pool kept up, after the first `warmup` requests. O(N).
  ///
  /// @param speeds of the backends
  public Stability stability(List<Double> speeds, int warmup, long unitNanos) {
    return Stability.of(trace, this, speeds, warmup, unitNanos);
  }

  /// The herding index of the picks after the first `warmup`, over intervals of `intervalNanos`.
  public HerdingIndex herding(int warmup, long intervalNanos) {
    long[] instants = new long[size()];
    for (int i = 0; i < instants.length; i++) {
      instants[i] = trace.intendedNanos(i);
    }
    return HerdingIndex.of(instants, backend, warmup, backends, intervalNanos);
  }
}
