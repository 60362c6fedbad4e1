package dev.herdlab.lab.twin;

/// Quantiles of sorted raw values: quantile q of N is the zero-based element floor(N q). Owner
/// thread: any.
final class Ranks {
  private Ranks() {}

  /// The quantile `q` (0 to below 1) of at least one value.
  static long at(long[] sorted, double q) {
    return sorted[(int) Math.floor(sorted.length * q)];
  }
}
