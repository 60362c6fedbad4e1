package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// Coins that take every course that they can, one run after the other: a program that draws from
/// them is so run once for each of its possible outcomes, whose exact probabilities are then known.
///
/// The courses are walked depth first: a run repeats the draws of the one before, except that the
/// last draw that could still come out higher does. Only whole-number draws are possible. Cost: the
/// product of the bounds; for small cases.
public final class EveryOutcome implements Ports.RandomSource {
  private static final int MAX_RUNS = 1_000_000;

  private final List<Draw> draws = new ArrayList<>();
  private int next;

  private record Draw(int bound, int value) {}

  private EveryOutcome() {}

  /// The law of what `program` returns: each result with its probability, in the results' order.
  ///
  /// @param program must draw from the given source alone, and the same way after the same draws
  public static <T extends Comparable<T>> Map<T, Double> law(
      Function<Ports.RandomSource, T> program) {
    Map<T, Double> law = new TreeMap<>();
    EveryOutcome coins = new EveryOutcome();
    int runs = 0;
    do {
      if (++runs > MAX_RUNS) {
        throw new IllegalStateException("more than " + MAX_RUNS + " courses: no small case");
      }
      coins.next = 0;
      law.merge(program.apply(coins), coins.probability(), Double::sum);
    } while (coins.advance());
    return law;
  }

  @Override
  public int below(int bound) {
    if (next == draws.size()) {
      draws.add(new Draw(bound, 0));
    }
    Draw draw = draws.get(next++);
    if (draw.bound() != bound) {
      throw new IllegalStateException(
          "drew below " + bound + " where it drew below " + draw.bound());
    }
    return draw.value();
  }

  @Override
  public double unit() {
    throw new UnsupportedOperationException("a draw from a continuum has no end of outcomes");
  }

  /// Draws made in this run so far.
  public int drawn() {
    return next;
  }

  private double probability() {
    double probability = 1;
    for (Draw draw : draws) {
      probability /= draw.bound();
    }
    return probability;
  }

  /// Moves on to the next course; false after the last.
  private boolean advance() {
    while (!draws.isEmpty()) {
      Draw last = draws.removeLast();
      if (last.value() + 1 < last.bound()) {
        draws.add(new Draw(last.bound(), last.value() + 1));
        return true;
      }
    }
    return false;
  }
}
