package dev.herdlab.workload;

/// Pareto's law cut to [low, high], scaled to a mean.
///
/// Before scaling, P(X > x) = ((low/x)^alpha - (low/high)^alpha) / (1 - (low/high)^alpha). Drawn by
/// inversion, from one uniform. Owner thread: any (immutable).
///
/// @param alpha the exponent of the tail, above 0
/// @param low the least value before scaling, above 0
/// @param high the greatest, above low
/// @param mean after scaling, in units
/// @param scale what a draw is multiplied by
record BoundedPareto(double alpha, double low, double high, double mean, double scale)
    implements ServiceLaw {
  BoundedPareto(double alpha, double low, double high, double mean) {
    this(alpha, low, high, mean, mean / rawMoment(1, alpha, low, high));
  }

  @Override
  public double sampleUnits(RandomStream random) {
    double cut = StrictMath.pow(low / high, alpha);
    double tail = cut + random.unit() * (1 - cut);
    return scale * Math.min(high, low * StrictMath.pow(tail, -1 / alpha));
  }

  @Override
  public String spec() {
    return "pareto(alpha=%s,low=%s,high=%s,mean=%s)".formatted(alpha, low, high, mean);
  }

  @Override
  public double meanUnits() {
    return mean;
  }

  @Override
  public double secondMomentUnits() {
    return scale * scale * rawMoment(2, alpha, low, high);
  }

  /// The integral of x^order times the density alpha low^alpha x^(-alpha-1) / (1 -
  /// (low/high)^alpha).
  private static double rawMoment(int order, double alpha, double low, double high) {
    double ratio = high / low;
    double cut = StrictMath.pow(ratio, -alpha);
    double power = order - alpha;
    double integral =
        power == 0 ? StrictMath.log(ratio) : (StrictMath.pow(ratio, power) - 1) / power;
    return alpha * StrictMath.pow(low, order) * integral / (1 - cut);
  }
}
