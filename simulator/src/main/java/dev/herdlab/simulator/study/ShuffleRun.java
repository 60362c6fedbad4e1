package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.workload.RandomStream;

/// One run of the study `shuffle`: requests of twelve types arrive by a Poisson process, each of a
/// random type, with exponential service times of mean 1.
///
/// Runs of one seed meet the same requests, at instants that shrink as the rate grows. Owner
/// thread: any (immutable).
///
/// @param assignment which workers may serve which type
/// @param bad what the requests of one type do
/// @param variant how requests reach workers
/// @param rate requests a unit, over all types
/// @param units length of the run; the first tenth is dropped
/// @param limitUnits time that a request has
/// @param seed of all randomness
record ShuffleRun(
    Assignment assignment,
    WorkerPool.Bad bad,
    Variant variant,
    double rate,
    int units,
    double limitUnits,
    long seed) {

  /// How requests reach workers.
  enum Variant {
    /// An idle worker takes the oldest request that it may serve.
    PULL("pull"),
    /// Each goes to a random one of its workers at once.
    PUSH_RANDOM("push-random"),
    /// Each goes at once to the one of its workers that has the fewest in flight.
    PUSH_LEAST_CONN("push-least-conn");

    private final String word;

    Variant(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  ShuffleRun withRate(double otherRate) {
    return new ShuffleRun(assignment, bad, variant, otherRate, units, limitUnits, seed);
  }

  /// Cost: about 0.1 us a request.
  ShuffleTally run() {
    long endNanos = units * Studies.UNIT_NANOS;
    WorkerPool.Rules rules = new WorkerPool.Rules(Math.round(limitUnits * Studies.UNIT_NANOS), bad);
    ShuffleTally tally = new ShuffleTally(rules, endNanos / 10, endNanos);
    WorkerPool pool = pool(rules, tally);
    RandomStream arrivals = RandomStream.of(seed, "arrival");
    RandomStream types = RandomStream.of(seed, "type");
    RandomStream services = RandomStream.of(seed, "service");
    double atUnits = arrivals.exponential() / rate;
    while (atUnits < units) {
      pool.arrive(
          new WorkerPool.Request(
              types.below(Assignment.WORKERS),
              (long) (atUnits * Studies.UNIT_NANOS),
              Math.round(services.exponential() * Studies.UNIT_NANOS)));
      atUnits += arrivals.exponential() / rate;
    }
    pool.drain();
    return tally;
  }

  private WorkerPool pool(WorkerPool.Rules rules, ShuffleTally tally) {
    SeededRandom coins = SeededRandom.of(seed, "coins", 0);
    return switch (variant) {
      case PULL -> new PullPool(assignment, rules, coins, tally);
      case PUSH_RANDOM -> push("random", rules, coins, tally);
      case PUSH_LEAST_CONN -> push("least-conn", rules, coins, tally);
    };
  }

  private PushPool push(
      String algorithm, WorkerPool.Rules rules, SeededRandom coins, ShuffleTally tally) {
    return new PushPool(
        assignment, rules, Algorithms.builtIn().parse(algorithm, Studies.UNIT_NANOS), coins, tally);
  }
}
