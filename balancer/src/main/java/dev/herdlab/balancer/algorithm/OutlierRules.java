package dev.herdlab.balancer.algorithm;

import java.util.List;

/// The two rules of gRFC A50 by which a backend is an outlier, on what was counted in one interval.
///
/// Cost: O(n). Owner thread: any (no state).
/// Source: gRFC A50, *Success Rate Algorithm* and *Failure Percentage Algorithm*; grpc-go
/// `internal/xds/balancer/outlierdetection/balancer.go`.
final class OutlierRules {
  private OutlierRules() {}

  /// What one rule asks for.
  ///
  /// @param limit of the success rate rule the standard deviations below the mean, of the failure
  ///     percentage rule the share of failures, above which a backend is one
  /// @param enforced in how many of 100 cases it is ejected, 0 to 100
  /// @param hosts that must have enough requests, or there are no outliers
  /// @param volume requests that a backend must have had in the interval to count
  record Rule(double limit, int enforced, int hosts, int volume) {
    /// Finds nobody.
    static final Rule OFF = new Rule(0, 0, Integer.MAX_VALUE, 1);
  }

  /// One backend's requests in one interval.
  ///
  /// @param index where it stands
  record Count(int index, long successes, long failures) {
    long all() {
      return successes + failures;
    }

    double successRate() {
      return (double) successes / all();
    }
  }

  private static List<Count> candidates(List<Count> counts, Rule rule) {
    List<Count> enough = counts.stream().filter(count -> count.all() >= rule.volume()).toList();
    return enough.size() >= rule.hosts() ? enough : List.of();
  }

  /// Those whose success rate is below the mean of all rates by more than so many standard
  /// deviations, in order.
  static List<Count> bySuccessRate(List<Count> counts, Rule rule) {
    List<Count> candidates = candidates(counts, rule);
    double mean = 0;
    for (Count count : candidates) {
      mean += count.successRate() / candidates.size();
    }
    double squares = 0;
    for (Count count : candidates) {
      double from = count.successRate() - mean;
      squares += from * from;
    }
    double required = mean - rule.limit() * Math.sqrt(squares / candidates.size());
    return candidates.stream().filter(count -> count.successRate() < required).toList();
  }

  /// Those with a larger share of failures than the rule allows, in order.
  static List<Count> byFailures(List<Count> counts, Rule rule) {
    return candidates(counts, rule).stream()
        .filter(count -> (double) count.failures() / count.all() > rule.limit())
        .toList();
  }
}
