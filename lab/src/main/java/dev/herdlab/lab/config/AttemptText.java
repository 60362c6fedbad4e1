package dev.herdlab.lab.config;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.workload.DecimalText;
import java.util.Locale;

/// What proxies try, as the values of the keys `retries`, `retry-budget` and `hedge`, and back.
/// Owner thread: any (no state).
public final class AttemptText {
  private AttemptText() {}

  /// Reads a hedge: `p95`, or units; valid, as its key reads it.
  static AttemptPolicy.Hedge hedge(String text, long unitNanos) {
    if (text.startsWith("p")) {
      return new AttemptPolicy.Hedge.Percentile(Integer.parseInt(text.substring(1)));
    }
    return new AttemptPolicy.Hedge.After(Math.round(DecimalText.read(text) * unitNanos));
  }

  /// Reads the three, as a written run has them.
  ///
  /// @param share of the requests that may be retried; infinity for no budget
  public static AttemptPolicy read(int retries, double share, String hedge, long unitNanos) {
    return new AttemptPolicy(
        retries,
        new AttemptPolicy.Budget(share),
        hedge.equals(ExperimentWriter.NONE) ? AttemptPolicy.Hedge.NEVER : hedge(hedge, unitNanos));
  }

  /// The key `hedge`: in units, where it is a time.
  public static String hedge(AttemptPolicy policy, long unitNanos) {
    return switch (policy.hedge()) {
      case AttemptPolicy.Hedge.Never never -> ExperimentWriter.NONE;
      case AttemptPolicy.Hedge.After(long nanos) -> number((double) nanos / unitNanos);
      case AttemptPolicy.Hedge.Percentile(int percent) -> "p" + percent;
    };
  }

  /// The key `retry-budget`.
  public static String budget(AttemptPolicy policy) {
    return policy.budget().isLimited()
        ? number(100 * policy.budget().share()) + "%"
        : ExperimentWriter.NONE;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.valueOf((float) value);
  }
}
