package dev.herdlab.simulator;

/// The quantiles and mean of a set of latencies, all in the same unit.
///
/// Quantile q of N sorted values is element floor(N * q), from 0. Cost: O(N) by selection. Owner
/// thread: any (immutable).
public record Quantiles(double p50, double p95, double p99, double mean) {
  /// Of no latency at all: not numbers.
  public static final Quantiles NONE =
      new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /// Of latencies in nanoseconds, which are copied, not changed; in units. Exact below 2^53 ns,
  /// which is 104 days.
  ///
  /// @throws IllegalArgumentException if there are none
  public static Quantiles ofNanos(long[] latencyNanos, long unitNanos) {
    double[] values = new double[latencyNanos.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = latencyNanos[i];
    }
    return inPlace(values, (double) unitNanos);
  }

  /// Of values that are reordered here, divided by `unit`.
  ///
  /// @throws IllegalArgumentException if there are none, or one is not a number
  static Quantiles inPlace(double[] values, double unit) {
    if (values.length == 0) {
      throw new IllegalArgumentException("latencies: none (expected: at least one)");
    }
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    if (Double.isNaN(sum)) {
      throw new IllegalArgumentException("latencies: NaN (expected: numbers)");
    }
    int size = values.length;
    int i50 = index(size, 0.50);
    int i95 = index(size, 0.95);
    int i99 = index(size, 0.99);
    // Each selection leaves the greater values behind it, where the next one looks.
    double p50 = Selection.select(values, 0, size, i50);
    double p95 = Selection.select(values, i50, size, i95);
    double p99 = Selection.select(values, i95, size, i99);
    return new Quantiles(p50 / unit, p95 / unit, p99 / unit, sum / size / unit);
  }

  private static int index(int size, double q) {
    return (int) Math.floor(size * q);
  }
}
