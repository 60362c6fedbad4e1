package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.Waiting;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Workers that are pushed to: a balancer picks one for each request as it arrives, and the request
/// waits in that worker's own first-in first-out queue, whatever happens elsewhere.
///
/// There is one balancer for each type, over the workers of that type; all see one proxy's counts.
/// As at a proxy, a request counts as in flight from its pick to its end or the end of its time:
/// one that keeps its worker for ever is out of the count after that. Balancers are told of no
/// completions, so that only algorithms that compare counts, or nothing, make sense.
///
/// Cost: O(workers of a type) a request. Owner thread: its run's.
final class PushPool implements WorkerPool {
  private final Rules rules;
  private final ShuffleTally tally;
  private final int[][] workersOf = new int[Assignment.WORKERS][];
  private final List<LoadBalancer> balancers = new ArrayList<>();
  private final long[] freeNanos = new long[Assignment.WORKERS];
  // When each request in flight will leave the count; ascending, for deadlines and finishes are.
  private final List<ArrayDeque<Long>> ends = new ArrayList<>();
  private long nowNanos;

  PushPool(
      Assignment assignment,
      Rules rules,
      ConfiguredAlgorithm algorithm,
      Ports.RandomSource coins,
      ShuffleTally tally) {
    this.rules = rules;
    this.tally = tally;
    Ports ports = new Ports(() -> nowNanos, coins, PushPool::noTimer, PushPool::noProbe);
    for (int type = 0; type < Assignment.WORKERS; type++) {
      int[] workers = assignment.workers(type);
      workersOf[type] = workers;
      balancers.add(
          algorithm.create(
              BackendSet.of(Arrays.stream(workers).mapToObj(w -> Backend.of("w" + w)).toList()),
              index -> ends.get(workers[index]).size(),
              ports));
      ends.add(new ArrayDeque<>());
    }
  }

  private static void noTimer(long delayNanos, Runnable task) {
    throw new UnsupportedOperationException("timer (expected: an algorithm without)");
  }

  private static void noProbe(int index) {
    throw new UnsupportedOperationException("probe (expected: an algorithm without)");
  }

  @Override
  public void arrive(Request request) {
    nowNanos = request.nanos();
    for (ArrayDeque<Long> ofWorker : ends) {
      while (!ofWorker.isEmpty() && ofWorker.peek() <= nowNanos) {
        ofWorker.remove();
      }
    }
    int worker =
        switch (balancers.get(request.type()).pick(PickContext.PLAIN)) {
          case Picked picked -> workersOf[request.type()][picked.index()];
          case NoBackend refused -> throw new IllegalStateException(refused.toString());
          case Waiting place -> throw new IllegalStateException(place.toString());
        };
    tally.picked(worker, nowNanos);
    admit(worker, request);
  }

  private void admit(int worker, Request request) {
    long deadlineNanos = rules.deadlineNanos(request);
    long startNanos = Math.max(nowNanos, freeNanos[worker]);
    if (startNanos >= deadlineNanos) {
      ends.get(worker).add(deadlineNanos);
      tally.failed(request);
      return;
    }
    long free = rules.freeNanos(request, startNanos);
    freeNanos[worker] = free;
    ends.get(worker).add(Math.min(free, deadlineNanos));
    tally.busy(startNanos, free);
    if (rules.succeeds(request, startNanos)) {
      tally.done(request, free);
    } else {
      tally.failed(request);
    }
  }

  @Override
  public void drain() {
    // What becomes of each request was known at its arrival.
  }
}
