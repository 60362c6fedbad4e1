package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.View;

/// How many requests all proxies together are expected to pick for while a stale view shows one
/// copy: told by a rate, or estimated from the proxy's own picks during earlier copies, times the
/// number of proxies.
///
/// The estimate is a mean of the own picks in which each earlier copy weighs 0.9 of the next: about
/// the last ten count. A guess: ten copies of ten picks each tell a rate to 10 %.
///
/// Cost: O(1) a pick. Owner thread: its balancer's.
final class ArrivalsPerCopy {
  static final Parameter RATE =
      Parameter.decimal(
          "rate",
          0,
          1e9,
          "0",
          "requests per second of all proxies; 0: measured, own picks times the number of proxies");

  private static final double MEMORY = 0.9;

  /// Copies without a pick beyond these have been forgotten anyway: 0.9^100 is below 3e-5.
  private static final long MOST_MISSED = 100;

  private final View view;
  private final double told;
  private final int proxies;
  private long copies;
  private long ownPicks;
  private double picks;
  private double weight;

  /// @param rate of all proxies, per second; 0 to measure it
  /// @param proxies number of all
  ArrivalsPerCopy(View view, double rate, int proxies) {
    this.view = view;
    this.told = rate * view.refreshNanos() / 1e9;
    this.proxies = proxies;
  }

  /// A pick begins: whether the view shows another copy than at the last one.
  boolean picking() {
    long now = view.copies();
    boolean isNew = now != copies;
    if (isNew) {
      // What was picked before the first copy was not picked during a whole interval.
      if (copies > 0) {
        learn(now - copies - 1);
      }
      copies = now;
      ownPicks = 0;
    }
    ownPicks++;
    return isNew;
  }

  private void learn(long missed) {
    picks = picks * MEMORY + ownPicks;
    weight = weight * MEMORY + 1;
    for (long i = Math.min(missed, MOST_MISSED); i > 0; i--) {
      picks *= MEMORY;
      weight = weight * MEMORY + 1;
    }
  }

  /// The expected number; infinite while nothing is known, so that loads are not trusted.
  double expected() {
    if (told > 0) {
      return told;
    }
    return weight == 0 ? Double.POSITIVE_INFINITY : picks / weight * proxies;
  }
}
