package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/// Kolmogorov and Smirnov's test of samples against a law's distribution function.
final class KolmogorovSmirnov {
  /// How often the test would fail for samples that do follow the law, over all seeds. The seeds
  /// are literal, so it fails always or never.
  static final double FALSE_ALARMS = 1e-3;

  private KolmogorovSmirnov() {}

  static void assertFollows(double[] samples, DoubleUnaryOperator cdf) {
    double[] sorted = samples.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double distance = 0;
    for (int i = 0; i < n; i++) {
      double p = cdf.applyAsDouble(sorted[i]);
      distance = Math.max(distance, Math.max(p - (double) i / n, (i + 1.0) / n - p));
    }
    // The first term of the limit law: P(sqrt(n) D > x) <= 2 exp(-2 x^2).
    double limit = Math.sqrt(-Math.log(FALSE_ALARMS / 2) / 2 / n);
    assertThat(distance).isLessThan(limit);
  }

  /// The normal law's distribution function, by Marsaglia's series (Journal of Statistical Software
  /// 11(4), 2004).
  static double normalCdf(double x) {
    if (Math.abs(x) > 8) {
      return x < 0 ? 0 : 1;
    }
    double term = x;
    double sum = x;
    for (int i = 3; Math.abs(term) > 1e-17 * Math.abs(sum); i += 2) {
      term *= x * x / i;
      sum += term;
    }
    return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  }
}
