package dev.herdlab.simulator;

import java.util.Arrays;

/// The quantiles and mean of a set of latencies, all in the same unit. Owner thread: any (immutable).
public record Quantiles(double p50, double p95, double p99, double mean) {
  /// Of latencies in nanoseconds, in units. Quantile q of N sorted values is element floor(N * q).
  ///
  /// @throws IllegalArgumentException if there are none
  public static Quantiles ofNanos(long[] latencyNanos, long unitNanos) {
    if (latencyNanos.length == 0) {
      throw new IllegalArgumentException("latencies: none (expected: at least one)");
    }
    long[] sorted = latencyNanos.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (long value : sorted) {
      sum += value;
    }
    double unit = unitNanos;
    return new Quantiles(
        at(sorted, 0.50) / unit,
        at(sorted, 0.95) / unit,
        at(sorted, 0.99) / unit,
        sum / sorted.length / unit);
  }

  private static double at(long[] sorted, double q) {
    return sorted[(int) Math.floor(sorted.length * q)];
  }
}
