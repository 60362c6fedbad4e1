package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Ports;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Workers that pull: an idle one takes the oldest waiting request that it may serve, and what no
/// idle one may serve waits for all of its workers at once.
///
/// An arrival that finds several of its workers idle goes to a random one of them. Service is not
/// interrupted. Cost: O(workers + types) a request. Owner thread: its run's.
final class PullPool implements WorkerPool {
  private static final long IDLE = -1;

  private final Rules rules;
  private final ShuffleTally tally;
  private final Ports.RandomSource coins;
  private final int[][] workersOf = new int[Assignment.WORKERS][];
  private final int[][] typesOf = new int[Assignment.WORKERS][];
  private final List<ArrayDeque<Request>> waiting = new ArrayList<>();
  // When a busy worker will be free; IDLE for an idle one.
  private final long[] freeNanos = new long[Assignment.WORKERS];
  private final int[] idle = new int[Assignment.WORKERS];

  PullPool(Assignment assignment, Rules rules, Ports.RandomSource coins, ShuffleTally tally) {
    this.rules = rules;
    this.tally = tally;
    this.coins = coins;
    for (int i = 0; i < Assignment.WORKERS; i++) {
      workersOf[i] = assignment.workers(i);
      typesOf[i] = assignment.types(i);
      waiting.add(new ArrayDeque<>());
    }
    Arrays.fill(freeNanos, IDLE);
  }

  @Override
  public void arrive(Request request) {
    advance(request.nanos());
    int count = 0;
    for (int worker : workersOf[request.type()]) {
      if (freeNanos[worker] == IDLE) {
        idle[count++] = worker;
      }
    }
    if (count == 0) {
      waiting.get(request.type()).add(request);
    } else {
      start(idle[coins.below(count)], request, request.nanos());
    }
  }

  @Override
  public void drain() {
    advance(Long.MAX_VALUE - 1);
    // Whose workers are all kept for ever.
    for (ArrayDeque<Request> queue : waiting) {
      queue.forEach(tally::failed);
      queue.clear();
    }
  }

  /// Lets all workers become free that do so until then, in the order of their instants.
  private void advance(long untilNanos) {
    while (true) {
      int next = -1;
      for (int worker = 0; worker < freeNanos.length; worker++) {
        if (freeNanos[worker] != IDLE && (next < 0 || freeNanos[worker] < freeNanos[next])) {
          next = worker;
        }
      }
      if (next < 0 || freeNanos[next] > untilNanos) {
        return;
      }
      long nowNanos = freeNanos[next];
      freeNanos[next] = IDLE;
      takeOldest(next, nowNanos);
    }
  }

  private void takeOldest(int worker, long nowNanos) {
    int oldest = -1;
    long oldestNanos = Long.MAX_VALUE;
    for (int type : typesOf[worker]) {
      ArrayDeque<Request> queue = waiting.get(type);
      Request head = queue.peek();
      while (head != null && rules.deadlineNanos(head) <= nowNanos) {
        tally.failed(queue.remove());
        head = queue.peek();
      }
      if (head != null && head.nanos() < oldestNanos) {
        oldest = type;
        oldestNanos = head.nanos();
      }
    }
    if (oldest >= 0) {
      start(worker, waiting.get(oldest).remove(), nowNanos);
    }
  }

  private void start(int worker, Request request, long nowNanos) {
    long free = rules.freeNanos(request, nowNanos);
    freeNanos[worker] = free;
    tally.picked(worker, nowNanos);
    tally.busy(nowNanos, free);
    if (rules.succeeds(request, nowNanos)) {
      tally.done(request, free);
    } else {
      tally.failed(request);
    }
  }
}
