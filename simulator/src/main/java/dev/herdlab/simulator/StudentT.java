package dev.herdlab.simulator;

/// Student's t distribution: quantiles for confidence and prediction intervals from few runs.
///
/// The distribution function is I_x(a, b), the regularised incomplete beta function, by its
/// continued fraction; the quantile is found by bisection. Relative error below 1e-9.
///
/// Cost: some microseconds. Owner thread: any (no state).
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.5.8 and 26.7.1.
public final class StudentT {
  private StudentT() {}

  /// The value that a t variable of `degrees` degrees of freedom exceeds with probability 1 - `p`.
  ///
  /// @param p from 0.5 to below 1
  /// @param degrees 1 or more
  public static double quantile(double p, int degrees) {
    if (!(p >= 0.5 && p < 1)) {
      throw new IllegalArgumentException("p: " + p + " (expected: 0.5 or more and below 1)");
    }
    if (degrees < 1) {
      throw new IllegalArgumentException("degrees: " + degrees + " (expected: 1 or more)");
    }
    double low = 0;
    double high = 1;
    while (cumulative(high, degrees) < p) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
      double middle = (low + high) / 2;
      if (cumulative(middle, degrees) < p) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /// Probability that a t variable of `degrees` degrees of freedom is at most `t`, which is 0 or
  /// more.
  static double cumulative(double t, int degrees) {
    double x = degrees / (degrees + t * t);
    return 1 - 0.5 * incompleteBeta(x, degrees / 2.0, 0.5);
  }

  private static double incompleteBeta(double x, double a, double b) {
    if (x <= 0 || x >= 1) {
      return x <= 0 ? 0 : 1;
    }
    double front =
        StrictMath.exp(
            logGamma(a + b)
                - logGamma(a)
                - logGamma(b)
                + a * StrictMath.log(x)
                + b * StrictMath.log1p(-x));
    // The fraction converges fast on one side of the mean; symmetry gives the other.
    return x < (a + 1) / (a + b + 2)
        ? front * fraction(x, a, b) / a
        : 1 - front * fraction(1 - x, b, a) / b;
  }

  /// The continued fraction 1 / (1 + d1 / (1 + d2 / ...)), from its tail to its head.
  private static double fraction(double x, double a, double b) {
    double value = 1;
    for (int m = 200; m >= 1; m--) {
      double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
      double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
      value = 1 + even / (1 + odd / value);
    }
    double first = -(a + b) * x / (a + 1);
    return 1 / (1 + first / value);
  }

  /// Of a positive multiple of one half, by Stirling's series above 10 and the recurrence below.
  private static double logGamma(double z) {
    double shift = 0;
    double at = z;
    while (at < 10) {
      shift += StrictMath.log(at);
      at++;
    }
    double inverse = 1 / at;
    double square = inverse * inverse;
    double series = inverse * (1 / 12.0 - square * (1 / 360.0 - square / 1260));
    return (at - 0.5) * StrictMath.log(at)
        - at
        + 0.5 * StrictMath.log(2 * Math.PI)
        + series
        - shift;
  }
}
