package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;

/// The selector that draws d backends and takes the least loaded of them (`p2c` for d = 2).
///
/// With replacement a draw may repeat, so of two draws one in n says nothing. The first drawn wins
/// ties unless they are broken at random.
///
/// Cost: O(d), and moving up to d^2/2 ints in all with `draws=distinct`; d draws, one more for each
/// random tie. Owner thread: its balancer's.
/// Source: Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing", TPDS 12(10),
/// 2001; Envoy least_request_lb.cc (with replacement, first wins); Finagle P2CPick (distinct);
/// Traefik p2c.go (shifted).
final class PowerOfChoices implements Selector {
  /// A bound on d: beyond a few choices a full scan is the better algorithm.
  static final int MAX_CHOICES = 64;

  private final int choices;
  private final Draws draws;
  private final Ties ties;
  private final Ports.RandomSource random;
  private final int[] drawn;

  /// What becomes of a backend that was drawn before.
  enum Draws {
    /// It may be drawn twice.
    REPLACEMENT,
    /// Only those that were not are drawn.
    DISTINCT,
    /// It stands for the next one in index order; with two draws alone.
    SHIFTED
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
    int limit = draws == Draws.REPLACEMENT ? choices : Math.min(choices, size);
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
    if (draws == Draws.SHIFTED) {
      return shifted(number, random.below(size), size);
    }
    // Uniform over the rest: a rank among the undrawn, moved past the drawn ones, which are kept
    // sorted.
    int candidate = random.below(size - number);
    int at = 0;
    while (at < number && drawn[at] <= candidate) {
      candidate++;
      at++;
    }
    for (int i = number; i > at; i--) {
      drawn[i] = drawn[i - 1]; // by hand: they are few
    }
    drawn[at] = candidate;
    return candidate;
  }

  private int shifted(int number, int candidate, int size) {
    if (number == 0) {
      drawn[0] = candidate;
      return candidate;
    }
    return candidate == drawn[0] ? (candidate + 1) % size : candidate;
  }
}
