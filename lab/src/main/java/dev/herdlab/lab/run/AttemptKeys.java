package dev.herdlab.lab.run;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.lab.config.AttemptText;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.ValueType;
import java.util.List;
import java.util.Optional;

/// The keys of a proxy process for what it tries beside the first attempt of a request. Owner
/// thread: any (no state).
final class AttemptKeys {
  static final Key<Integer> RETRIES =
      Key.one(
          "retries",
          ValueType.whole(0, 100),
          "0",
          "how often a failed request is tried again, on another backend if there is one");
  static final Key<Optional<Double>> RETRY_BUDGET =
      Key.one(
          "retry-budget",
          ValueType.orNone(ValueType.percent(1000)),
          "none",
          "most retries as a share of the requests of the last 10 s, and 10 a second in any case");
  static final Key<Optional<String>> HEDGE =
      Key.one(
          "hedge",
          ValueType.orNone(ValueType.hedge()),
          "none",
          "second attempt after that percentile of recent latencies, p1 to p99, or so many units");

  private AttemptKeys() {}

  static AttemptPolicy policy(Settings settings) {
    Optional<Double> share = settings.get(RETRY_BUDGET);
    if (settings.get(RETRIES) == 0 && share.isPresent()) {
      throw settings.error(RETRY_BUDGET, "none, or retries of 1 or more");
    }
    return AttemptText.read(
        settings.get(RETRIES),
        share.orElse(Double.POSITIVE_INFINITY),
        settings.get(HEDGE).orElse("none"),
        settings.get(ComponentKeys.UNIT));
  }

  /// The same as arguments of a process.
  static List<String> of(CellPlan plan) {
    AttemptPolicy attempts = plan.serving().attempts();
    return List.of(
        "unit=" + plan.unitNanos() + "ns",
        "retries=" + attempts.retries(),
        "retry-budget=" + AttemptText.budget(attempts),
        "hedge=" + AttemptText.hedge(attempts, plan.unitNanos()));
  }
}
