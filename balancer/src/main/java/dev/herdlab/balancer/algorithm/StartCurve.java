package dev.herdlab.balancer.algorithm;

/// How the share of its weight that a new backend has grows over the window of `slow-start`.
///
/// Owner thread: any (immutable). Source: for each curve, the line beside it.
enum StartCurve {
  /// `max(min, (age / window) ^ (1 / aggression))`.
  ///
  /// Source: Envoy `EdfLoadBalancerBase::applySlowStartFactor`.
  ENVOY {
    @Override
    double at(double age, double aggression, double least) {
      return Math.max(least, power(age, aggression));
    }
  },
  /// One step more of 16 for each sixteenth of the window, so that the last one is at full weight:
  /// HAProxy `server_recalc_eweight`.
  HAPROXY {
    @Override
    double at(double age, double aggression, double least) {
      return Math.min(1, (Math.floor(HAPROXY_STEPS * age) + 1) / HAPROXY_STEPS);
    }
  },
  /// As Envoy's, but in ten steps, of which the first counts at once: Armeria
  /// `WeightRampingUpStrategy`, `WeightTransition.aggression`.
  ARMERIA {
    @Override
    double at(double age, double aggression, double least) {
      double step = Math.min(ARMERIA_STEPS, Math.floor(ARMERIA_STEPS * age) + 1);
      return Math.max(least, power(step / ARMERIA_STEPS, aggression));
    }
  };

  /// HAProxy's `BE_WEIGHT_SCALE`.
  private static final double HAPROXY_STEPS = 16;

  /// Armeria's default number of steps.
  private static final double ARMERIA_STEPS = 10;

  /// The share, above 0 and at most 1.
  ///
  /// @param age of the backend over the window, 0 to 1
  /// @param aggression above 1 it grows fast at first, below 1 late; 1: linear
  /// @param least what it begins with
  abstract double at(double age, double aggression, double least);

  private static double power(double base, double aggression) {
    return aggression == 1 ? base : StrictMath.pow(base, 1 / aggression);
  }
}
