package dev.herdlab.workload;

import dev.herdlab.workload.Spec.Range;

/// The service laws that a spec can name.
final class ServiceLaws {
  private ServiceLaws() {}

  static ServiceLaw parse(String text) {
    Spec spec = new Spec("service", text);
    ServiceLaw law =
        switch (spec.name()) {
          case "lognormal" -> lognormal(spec);
          case "exponential" -> new Exponential(mean(spec));
          case "deterministic" -> new Deterministic(mean(spec));
          case "pareto" -> pareto(spec);
          case "bimodal" -> bimodal(spec);
          case "empirical" -> Empirical.read(spec, mean(spec));
          default ->
              throw spec.unknownName(
                  "lognormal, exponential, deterministic, pareto, bimodal or empirical");
        };
    double never = spec.number("never", 0, Range.SHARE);
    spec.end();
    return never == 0 ? law : new Unending(law, never);
  }

  static String absolute(String text) {
    Spec spec = new Spec("service", text);
    return spec.name().equals("empirical") ? spec.withAbsoluteFile() : text;
  }

  private static double mean(Spec spec) {
    return spec.number("mean", 1, Range.ABOVE_ZERO);
  }

  private static Lognormal lognormal(Spec spec) {
    double mu = spec.number("mu", -0.36, Range.ANY);
    double sigma = spec.number("sigma", 0.85, Range.AT_LEAST_ZERO);
    double own = StrictMath.exp(mu + sigma * sigma / 2);
    return new Lognormal(mu, sigma, spec.number("mean", own, Range.ABOVE_ZERO), own);
  }

  private static BoundedPareto pareto(Spec spec) {
    double alpha = spec.number("alpha", 1.5, Range.ABOVE_ZERO);
    double low = spec.number("low", 1, Range.ABOVE_ZERO);
    double high = spec.number("high", 1000, Range.ABOVE_ZERO);
    if (high <= low) {
      throw spec.error("high", "a number > low, which is " + low);
    }
    return new BoundedPareto(alpha, low, high, mean(spec));
  }

  private static Bimodal bimodal(Spec spec) {
    double small = spec.number("short", 1, Range.AT_LEAST_ZERO);
    double large = spec.number("long", 10, Range.ABOVE_ZERO);
    if (large < small) {
      throw spec.error("long", "a number >= short, which is " + small);
    }
    double shareLarge = spec.number("share-long", 0.1, Range.SHARE);
    if (small == 0 && shareLarge == 0) {
      throw spec.error("share-long", "a number > 0 when short is 0: the mean would be 0");
    }
    return new Bimodal(small, large, shareLarge, mean(spec));
  }

  /// Another law, of which a share of requests is not: they never end.
  record Unending(ServiceLaw others, double neverShare) implements ServiceLaw {
    @Override
    public double sampleUnits(RandomStream random) {
      return random.unit() < neverShare ? Double.POSITIVE_INFINITY : others.sampleUnits(random);
    }

    @Override
    public long sampleNanos(RandomStream random, long unitNanos) {
      return random.unit() < neverShare ? NEVER_NANOS : others.sampleNanos(random, unitNanos);
    }

    @Override
    public String spec() {
      String spec = others.spec();
      return spec.substring(0, spec.length() - 1) + ",never=" + neverShare + ")";
    }

    @Override
    public double meanUnits() {
      return others.meanUnits();
    }

    @Override
    public double secondMomentUnits() {
      return others.secondMomentUnits();
    }
  }

  /// Exp of a normal, times `mean / own`.
  ///
  /// @param own the mean that mu and sigma give by themselves
  record Lognormal(double mu, double sigma, double mean, double own) implements ServiceLaw {
    @Override
    public double sampleUnits(RandomStream random) {
      double sample = StrictMath.exp(mu + sigma * random.normal());
      return mean == own ? sample : sample * (mean / own);
    }

    @Override
    public String spec() {
      String scale = mean == own ? "" : ",mean=" + mean;
      return "lognormal(mu=" + mu + ",sigma=" + sigma + scale + ")";
    }

    @Override
    public double meanUnits() {
      return mean;
    }

    @Override
    public double secondMomentUnits() {
      return mean * mean * StrictMath.exp(sigma * sigma);
    }
  }

  /// A record of the mean alone.
  record Exponential(double mean) implements ServiceLaw {
    @Override
    public double sampleUnits(RandomStream random) {
      return mean * random.exponential();
    }

    @Override
    public String spec() {
      return "exponential(mean=" + mean + ")";
    }

    @Override
    public double meanUnits() {
      return mean;
    }

    @Override
    public double secondMomentUnits() {
      return 2 * mean * mean;
    }
  }

  /// Always the mean; draws nothing.
  record Deterministic(double mean) implements ServiceLaw {
    @Override
    public double sampleUnits(RandomStream random) {
      return mean;
    }

    @Override
    public String spec() {
      return "deterministic(mean=" + mean + ")";
    }

    @Override
    public double meanUnits() {
      return mean;
    }

    @Override
    public double secondMomentUnits() {
      return mean * mean;
    }
  }

  /// Short or long, scaled together to the mean.
  record Bimodal(double small, double large, double shareLarge, double mean) implements ServiceLaw {
    private double scale() {
      return mean / (small + shareLarge * (large - small));
    }

    @Override
    public double sampleUnits(RandomStream random) {
      return scale() * (random.unit() < shareLarge ? large : small);
    }

    @Override
    public String spec() {
      return "bimodal(short=%s,long=%s,share-long=%s,mean=%s)"
          .formatted(small, large, shareLarge, mean);
    }

    @Override
    public double meanUnits() {
      return mean;
    }

    @Override
    public double secondMomentUnits() {
      double raw = (1 - shareLarge) * small * small + shareLarge * large * large;
      return scale() * scale() * raw;
    }
  }
}
