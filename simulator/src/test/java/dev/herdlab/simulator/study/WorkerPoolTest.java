package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.SeededRandom;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  private static final long UNIT = Studies.UNIT_NANOS;

  private static WorkerPool.Rules rules(WorkerPool.Bad bad) {
    return new WorkerPool.Rules(10 * UNIT, bad);
  }

  private static WorkerPool.Request request(int type, long at, long service) {
    return new WorkerPool.Request(type, at * UNIT, service * UNIT);
  }

  private static SeededRandom coins() {
    return SeededRandom.of(1, "coins", 0);
  }

  @Test
  void anIdleWorkerTakesTheOldestThatItMayServe() {
    WorkerPool.Rules rules = rules(WorkerPool.Bad.NONE);
    ShuffleTally tally = new ShuffleTally(rules, 0, 1000 * UNIT);
    PullPool pool = new PullPool(Assignment.SHUFFLE, rules, coins(), tally);

    // Type 0 has the workers 0, 1 and 3, busy until 4; type 3 shares worker 3 alone, and has 4, 6.
    pool.arrive(request(0, 0, 4));
    pool.arrive(request(0, 0, 5));
    pool.arrive(request(0, 0, 6));
    pool.arrive(request(0, 1, 1));
    pool.arrive(request(3, 2, 1));
    pool.drain();

    // 4, 5, 6; the waiting one of type 0 from 4 to 5, which is 4 long; type 3 at once.
    assertThat(tally.latencyQuantiles(0, 0.2, 0.4, 0.6, 0.8)).containsExactly(1, 4, 4, 5, 6);
  }

  @Test
  void whatIsNotDoneInTimeLeavesTheQueueOrFreesItsWorker() {
    WorkerPool.Rules rules = rules(WorkerPool.Bad.NONE);
    ShuffleTally tally = new ShuffleTally(rules, 0, 1000 * UNIT);
    PullPool pool = new PullPool(Assignment.SHUFFLE, rules, coins(), tally);

    for (int i = 0; i < 3; i++) {
      pool.arrive(request(0, 0, 50));
    }
    // Waits until 10, when the three are given up, and has one unit left: too little for two.
    pool.arrive(request(0, 1, 2));
    pool.arrive(request(0, 2, 2));
    pool.drain();

    assertThat(tally.errorRate()).isEqualTo(4.0 / 5);
    assertThat(tally.latencyQuantiles(0, 0.9)).containsExactly(10, 10);
    assertThat(tally.throughput() * 1000).isEqualTo(1);
    assertThat(tally.utilisation() * 12 * 1000).isEqualTo(30 + 1 + 2);
  }

  @Test
  void aBadRequestKeepsItsWorkerForEver() {
    WorkerPool.Rules rules = rules(WorkerPool.Bad.FOREVER);
    ShuffleTally tally = new ShuffleTally(rules, 0, 100 * UNIT);
    PullPool pool = new PullPool(Assignment.SHUFFLE, rules, coins(), tally);

    for (int i = 0; i < 3; i++) {
      pool.arrive(request(0, i, 1));
    }
    // Type 1 has the workers 1, 2 and 4, of which 1 is stuck.
    for (int i = 0; i < 3; i++) {
      pool.arrive(request(1, 50, 4));
    }
    pool.drain();

    assertThat(tally.errorRate()).isZero();
    assertThat(tally.latencyQuantiles(0, 0.4, 0.7)).containsExactly(4, 4, 8);
    assertThat(tally.utilisation() * 12 * 100).isEqualTo(100 + 99 + 98 + 12);
  }

  @Test
  void aPushedRequestWaitsForItsOwnWorkerWhateverTheOthersDo() {
    WorkerPool.Rules rules = rules(WorkerPool.Bad.UNTIL_TIMEOUT);
    ShuffleTally tally = new ShuffleTally(rules, 0, 100 * UNIT);
    PushPool pool =
        new PushPool(
            Assignment.SHUFFLE,
            rules,
            Algorithms.builtIn().parse("least-conn", UNIT),
            coins(),
            tally);

    for (int i = 0; i < 3; i++) {
      pool.arrive(request(0, 0, 1));
    }
    // Each of the four workers 1 (stuck), 2, 4 has one or none: 2 and 4 first, then any.
    pool.arrive(request(1, 1, 5));
    pool.arrive(request(1, 1, 5));
    pool.drain();

    assertThat(tally.errorRate()).isZero();
    assertThat(tally.latencyQuantiles(0, 0.5)).containsExactly(5, 5);
    assertThat(tally.utilisation() * 12 * 100).isEqualTo(30 + 10);
  }

  @Test
  void leastConnForgetsARequestWhoseTimeIsUpThoughItsWorkerIsStuck() {
    WorkerPool.Rules rules = rules(WorkerPool.Bad.FOREVER);
    ShuffleTally tally = new ShuffleTally(rules, 0, 1000 * UNIT);
    PushPool pool =
        new PushPool(
            Assignment.SHUFFLE,
            rules,
            Algorithms.builtIn().parse("least-conn", UNIT),
            coins(),
            tally);

    for (int i = 0; i < 3; i++) {
      pool.arrive(request(0, 0, 1));
    }
    // Before 10 the stuck worker 1 counts one; after that none, like the idle 2 and 4.
    for (int i = 0; i < 30; i++) {
      pool.arrive(request(1, 100 + 20 * i, 1));
    }

    // Some 10 of the 30 went to worker 1: all 30 or none of them with probability below 1e-5.
    assertThat(tally.errorRate()).isStrictlyBetween(0.0, 1.0);
  }
}
