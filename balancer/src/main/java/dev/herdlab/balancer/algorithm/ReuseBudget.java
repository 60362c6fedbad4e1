package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;

/// How often a probe reply may be used: max(1, (1 + δ) / ((1 - m/n) probes - remove)) for a pool of
/// m replies and n backends, rounded at random so that the mean is right.
///
/// The denominator is the rate at which a full pool would still gain replies of backends that it
/// does not know, per request, before they are used. In a small fleet it is 0 or less: every use is
/// then one too many, and the formula means nothing.
///
/// Owner thread: any (immutable).
/// Source: Wydrowski et al., "Load is not what you should balance", NSDI 2024, equation 1.
///
/// @param probes sent for each request
/// @param remove replies removed for each request, besides those used up; below `probes`
/// @param delta net rate at which replies gather, above 0
record ReuseBudget(double probes, double remove, double delta) {
  /// The budget, for a pool that [#fits].
  double of(int pool, int backends) {
    return Math.max(1, (1 + delta) / gain(pool, backends));
  }

  private double gain(int pool, int backends) {
    return (1 - (double) pool / backends) * probes - remove;
  }

  /// Whether the formula means something.
  boolean fits(int pool, int backends) {
    return gain(pool, backends) > 0;
  }

  /// The largest pool, up to `most`, that leaves half of the gain of a large fleet: with the
  /// paper's numbers a reply is then used twice at most. At least 2 where that fits, since fewer
  /// are never used; at least 1.
  int poolFor(int backends, int most) {
    int half = (int) (backends * (1 - remove / probes) / 2);
    return Math.min(most, half < 2 && fits(2, backends) ? 2 : Math.max(1, half));
  }

  /// A whole number of uses whose mean is the budget.
  static int rounded(double budget, Ports.RandomSource random) {
    int whole = (int) budget;
    double fraction = budget - whole;
    return fraction > 0 && random.unit() < fraction ? whole + 1 : whole;
  }
}
