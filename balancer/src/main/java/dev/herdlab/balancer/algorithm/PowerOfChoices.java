package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The selector that draws d backends and takes the least loaded of them (`p2c` for d = 2).
///
/// With replacement a draw may repeat, so of two draws one in n says nothing. The first drawn wins
/// ties unless they are broken at random.
///
/// Cost: O(d), and moving up to d^2/2 ints in all with `draws=distinct`; d draws, one more for each
/// random tie. Owner thread: its balancer's.
/// Source: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", TPDS 12(10),
/// 2001; Envoy least_request_lb.cc (with replacement, first wins); Finagle P2CPick (distinct).
final class PowerOfChoices implements Selector {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "p2c",
              "Draws d backends at random and picks the one with the fewest requests in flight.",
              List.of(
                  Parameter.whole("d", 1, MAX_CHOICES, "2", "number of draws"),
                  Parameter.choice(
                      "draws",
                      List.of("replacement", "distinct"),
                      "replacement",
                      "whether a backend may be drawn twice; if not, a d above n is a full scan"),
                  Parameter.choice(
                      "ties",
                      List.of("first", "random"),
                      "first",
                      "which of equal draws is picked")),
              "O(d), d draws, one more for each tie with `ties=random`",
              "nothing",
              List.of(
                  "Mitzenmacher, *The Power of Two Choices in Randomized Load Balancing*, IEEE TPDS"
                      + " 12(10), 2001",
                  "Envoy `source/extensions/load_balancing_policies/least_request` (with replacement,"
                      + " the first drawn wins ties)",
                  "Finagle `loadbalancer/p2c/P2CPick.scala` (distinct draws)"),
              List.of("Weights are ignored; Envoy uses another rule when they differ."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new SelectingBalancer(
              backends,
              new InFlight(view),
              new PowerOfChoices(
                  parameters.whole("d"),
                  parameters.choice("draws").equals("distinct")
                      ? Draws.DISTINCT
                      : Draws.REPLACEMENT,
                  parameters.choice("ties").equals("random") ? Ties.RANDOM : Ties.FIRST,
                  ports.random()));
        }
      };

  /// A bound on d: beyond a few choices a full scan is the better algorithm.
  static final int MAX_CHOICES = 64;

  private final int choices;
  private final Draws draws;
  private final Ties ties;
  private final Ports.RandomSource random;
  private final int[] drawn;

  /// Whether a backend may be drawn twice.
  enum Draws {
    REPLACEMENT,
    DISTINCT
  }

  /// Which of equally loaded draws is taken.
  enum Ties {
    FIRST,
    RANDOM
  }

  PowerOfChoices(int choices, Draws draws, Ties ties, Ports.RandomSource random) {
    this.choices = choices;
    this.draws = draws;
    this.ties = ties;
    this.random = random;
    this.drawn = new int[choices];
  }

  @Override
  public int select(LoadMetric metric, int size) {
    int limit = draws == Draws.DISTINCT ? Math.min(choices, size) : choices;
    int best = draw(0, size);
    double least = metric.load(best);
    int tied = 1;
    for (int i = 1; i < limit; i++) {
      int candidate = draw(i, size);
      double load = metric.load(candidate);
      if (load < least) {
        best = candidate;
        least = load;
        tied = 1;
      } else if (load == least && ties == Ties.RANDOM) {
        // The k-th of equal draws replaces the one kept with probability 1/k: uniform over the
        // draws.
        tied++;
        if (random.below(tied) == 0) {
          best = candidate;
        }
      }
    }
    return best;
  }

  /// Draw number `number`: uniform over all, or over those not drawn yet.
  private int draw(int number, int size) {
    if (draws == Draws.REPLACEMENT) {
      return random.below(size);
    }
    // Uniform over the rest: a rank among the undrawn, moved past the drawn ones, which are kept
    // sorted.
    int candidate = random.below(size - number);
    int at = 0;
    while (at < number && drawn[at] <= candidate) {
      candidate++;
      at++;
    }
    System.arraycopy(drawn, at, drawn, at + 1, number - at);
    drawn[at] = candidate;
    return candidate;
  }
}
