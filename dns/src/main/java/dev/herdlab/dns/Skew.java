package dev.herdlab.dns;

import java.util.Arrays;

/// How unevenly requests fall on proxies.
///
/// Owner thread: any (immutable).
///
/// @param largest the largest share of a proxy over the mean share: 1 if all have the same, the
///     number of proxies if one has all
/// @param variation the shares' standard deviation over their mean (coefficient of variation): 0 if
///     all have the same
/// @param idle proxies without a request
/// @param window the mean over windows of [#largest] within each
public record Skew(double largest, double variation, int idle, double window) {
  /// Of a sequence of requests.
  ///
  /// @param proxy each request's, from 0
  /// @param instantsNanos when each is sent; never going back
  /// @param proxies how many there are
  /// @param windowNanos how long a window is; one that is not over by the last request counts only
  ///     if it is the only one
  public static Skew of(int[] proxy, long[] instantsNanos, int proxies, long windowNanos) {
    if (proxy.length == 0 || proxy.length != instantsNanos.length || proxies < 1) {
      throw new IllegalArgumentException(
          "requests: %d of %d instants, %d proxies (expected: equally many, and at least 1 of both)"
              .formatted(proxy.length, instantsNanos.length, proxies));
    }
    if (windowNanos < 1) {
      throw new IllegalArgumentException("window: " + windowNanos + " ns (expected: > 0)");
    }
    long[] all = new long[proxies];
    long[] within = new long[proxies];
    double sum = 0;
    int windows = 0;
    long end = instantsNanos[0] + windowNanos;
    for (int i = 0; i < proxy.length; i++) {
      while (instantsNanos[i] >= end) {
        double largest = largest(within);
        // A window without a request says nothing.
        sum += Double.isNaN(largest) ? 0 : largest;
        windows += Double.isNaN(largest) ? 0 : 1;
        Arrays.fill(within, 0);
        end += windowNanos;
      }
      all[proxy[i]]++;
      within[proxy[i]]++;
    }
    return new Skew(
        largest(all), variation(all), idle(all), windows == 0 ? largest(all) : sum / windows);
  }

  private static double largest(long[] counts) {
    double mean = Arrays.stream(counts).average().orElse(0);
    return Arrays.stream(counts).max().orElse(0) / mean;
  }

  private static double variation(long[] counts) {
    double mean = Arrays.stream(counts).average().orElse(0);
    double squares = Arrays.stream(counts).mapToDouble(n -> (n - mean) * (n - mean)).sum();
    return StrictMath.sqrt(squares / counts.length) / mean;
  }

  private static int idle(long[] counts) {
    return (int) Arrays.stream(counts).filter(n -> n == 0).count();
  }
}
