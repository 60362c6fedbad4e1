package dev.herdlab.simulator;

import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.List;

/// Whether a pool can keep up with what its backends are sent, as one run or several showed it.
///
/// A backend that is sent more work than it can do has a queue that grows as long as the run lasts,
/// and quantiles would only tell how long that was. The busiest one is called so if its load is
/// above 1 by more than chance: by four standard errors, which an almost full pool of 16 exceeds in
/// fewer than one run of a thousand.
///
/// Owner thread: any (immutable).
///
/// @param load of the busiest backend: work that it was sent, over what it can do; NaN if not known
/// @param error standard error of the load, as if requests came to it by a Poisson process, or by
///     one as bursty as the arrivals
/// @param growth requests by which the number in the system grew, a unit
public record Stability(double load, double error, double growth) {
  /// Of what was not looked at.
  public static final Stability UNKNOWN = new Stability(Double.NaN, 0, Double.NaN);

  private static final double ERRORS = 4;
  private static final int WINDOWS = 16;

  /// What became of each request of a trace.
  public interface Served {
    /// Index of the backend of request `i`; below 0 if it has none.
    int backend(int i);

    /// Latency of request `i`; below 0 if it has none.
    long latencyNanos(int i);
  }

  /// Of requests `warmup` and later. O(N).
  ///
  /// @param speeds of the backends, each all its servers'
  public static Stability of(
      Trace trace, Served served, List<Double> speeds, int warmup, long unitNanos) {
    int last = trace.size() - 1;
    double nanos = Math.max(1, trace.intendedNanos(last) - trace.intendedNanos(warmup));
    double[] work = new double[speeds.size()];
    double[] squares = new double[speeds.size()];
    int[] requests = new int[speeds.size()];
    for (int i = warmup; i <= last; i++) {
      int backend = served.backend(i);
      if (backend >= 0) {
        double service = trace.serviceNanos(i) / speeds.get(backend);
        work[backend] += service;
        squares[backend] += service * service;
        requests[backend]++;
      }
    }
    int busiest = 0;
    for (int b = 1; b < work.length; b++) {
      busiest = work[b] > work[busiest] ? b : busiest;
    }
    // What is left of a burst in a part of the arrivals.
    double part = (double) requests[busiest] / (trace.size() - warmup);
    double dispersion = 1 + (dispersion(trace, warmup) - 1) * part;
    double grown = inSystem(trace, served, last) - inSystem(trace, served, warmup);
    return new Stability(
        work[busiest] / nanos,
        Math.sqrt(squares[busiest] * dispersion) / nanos,
        grown * unitNanos / nanos);
  }

  /// Index of dispersion of the arrivals: variance over mean of their numbers in windows. 1 if it
  /// is not above 2, which chance makes of a Poisson process in one trace of eighty.
  private static double dispersion(Trace trace, int warmup) {
    long fromNanos = trace.intendedNanos(warmup);
    double windowNanos = (trace.intendedNanos(trace.size() - 1) - fromNanos + 1) / (double) WINDOWS;
    int[] counts = new int[WINDOWS];
    for (int i = warmup; i < trace.size(); i++) {
      counts[(int) ((trace.intendedNanos(i) - fromNanos) / windowNanos)]++;
    }
    double mean = (double) (trace.size() - warmup) / WINDOWS;
    double squares = 0;
    for (int count : counts) {
      squares += (count - mean) * (count - mean);
    }
    double index = squares / (WINDOWS - 1) / mean;
    return index > 2 ? index : 1;
  }

  /// Requests that have arrived by request `last` and are not done at its arrival.
  private static int inSystem(Trace trace, Served served, int last) {
    long nowNanos = trace.intendedNanos(last);
    int count = 0;
    for (int i = 0; i <= last; i++) {
      if (trace.intendedNanos(i) + served.latencyNanos(i) > nowNanos) {
        count++;
      }
    }
    return count;
  }

  /// Of several runs: means.
  static Stability of(List<Stability> runs) {
    double[] loads = runs.stream().mapToDouble(Stability::load).toArray();
    double variance = 0;
    for (Stability run : runs) {
      variance += run.error * run.error;
    }
    return new Stability(
        Arrays.stream(loads).average().orElse(Double.NaN),
        Math.sqrt(variance) / Math.max(1, loads.length),
        runs.stream().mapToDouble(Stability::growth).average().orElse(Double.NaN));
  }

  /// False if some backend was sent more than it can do.
  public boolean settles() {
    return !(load - ERRORS * error >= 1);
  }
}
