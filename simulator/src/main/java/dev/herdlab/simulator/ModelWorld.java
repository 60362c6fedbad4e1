package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The state of one run of the [Model]: its clock, its pending events, proxies and backends.
///
/// Three sources of events are merged: the queue (completions, timers), the copies of the views,
/// and the arrivals of the trace. Of each backend only the head's completion is pending.
///
/// Owner thread: the one that calls [#run].
final class ModelWorld {
  private final BackendSet backends;
  private final Trace trace;
  private final Refreshes.Cursor refreshes;
  private final EventQueue queue = new EventQueue();
  private final List<Runnable> timers = new ArrayList<>();
  private final ArrayDeque<Integer> firedTimers = new ArrayDeque<>();
  private final Counts truth;
  private final Dispatcher[] dispatchers;
  private final List<FifoServer<Picked>> servers;
  private long nowNanos;
  private int inFlight;

  ModelWorld(
      BackendSet backends,
      double[] speeds,
      Trace trace,
      Refreshes refreshes,
      DispatchListener listener) {
    this.backends = backends;
    this.trace = trace;
    this.refreshes = refreshes.cursor();
    this.truth = new Counts(backends);
    this.dispatchers = new Dispatcher[trace.proxies()];
    for (int p = 0; p < dispatchers.length; p++) {
      dispatchers[p] = new Dispatcher(p, backends, truth, () -> nowNanos, listener);
    }
    this.servers = new ArrayList<>(speeds.length);
    for (double speed : speeds) {
      servers.add(new FifoServer<>(speed));
    }
  }

  void install(ConfiguredAlgorithm algorithm, ViewSpec view, long seed) {
    for (int p = 0; p < dispatchers.length; p++) {
      Ports.RandomSource coins = SeededRandom.of(seed, "coins", p);
      dispatchers[p].install(algorithm, view, coins, this::schedule, ModelWorld::refuseProbe);
    }
  }

  ModelRun run() {
    int requests = trace.size();
    int[] backend = new int[requests];
    long[] latencyNanos = new long[requests];
    for (int i = 0; i < requests; i++) {
      long arrivalNanos = trace.intendedNanos(i);
      advance(arrivalNanos);
      switch (dispatchers[trace.proxy(i)].pick(PickContext.PLAIN)) {
        case Picked picked -> {
          backend[i] = picked.index();
          // Nothing cancels here, so that the finish is known on admission.
          latencyNanos[i] = admit(picked, trace.serviceNanos(i)) - arrivalNanos;
        }
        case NoBackend refused -> {
          backend[i] = ModelRun.NO_BACKEND;
          latencyNanos[i] = -1;
        }
      }
    }
    drain();
    return new ModelRun(trace, backends.size(), backend, latencyNanos);
  }

  /// Queues the request at its backend; returns the instant at which it will be done.
  private long admit(Picked picked, long serviceNanos) {
    FifoServer<Picked> server = servers.get(picked.index());
    boolean idle = server.isEmpty();
    long finishNanos = server.admit(picked, nowNanos, serviceNanos).finishNanos();
    inFlight++;
    if (idle) {
      queue.add(finishNanos, EventQueue.Kind.COMPLETION, picked.index());
    }
    return finishNanos;
  }

  /// Lets everything happen that comes before an arrival at `untilNanos`, and sets the clock to it.
  private void advance(long untilNanos) {
    while (Math.min(queue.nextNanos(), refreshes.nanos()) <= untilNanos) {
      step();
    }
    if (untilNanos < nowNanos) {
      throw new IllegalArgumentException(
          "arrival: " + untilNanos + " ns (expected: not before " + nowNanos + ")");
    }
    nowNanos = untilNanos;
  }

  /// Lets the last requests finish, and checks that nothing is left in flight.
  private void drain() {
    while (inFlight > 0) {
      step();
    }
    if (truth.total() != 0) {
      throw new IllegalStateException("in flight at the end: " + truth.total() + " (expected: 0)");
    }
  }

  /// The next event of the queue or the next copy, whichever is first.
  private void step() {
    long queuedNanos = queue.nextNanos();
    long refreshNanos = refreshes.nanos();
    if (refreshNanos < queuedNanos
        || (refreshNanos == queuedNanos && queue.nextKind() != EventQueue.Kind.COMPLETION)) {
      nowNanos = refreshNanos;
      dispatchers[refreshes.proxy()].refreshView();
      refreshes.advance();
      return;
    }
    nowNanos = queuedNanos;
    switch (queue.nextKind()) {
      case COMPLETION -> complete(queue.remove());
      case TIMER -> fire(queue.remove());
    }
  }

  private void fire(int timer) {
    firedTimers.push(timer);
    timers.set(timer, ModelWorld::nothing).run();
  }

  private void complete(int index) {
    FifoServer<Picked> server = servers.get(index);
    Picked done = server.removeHead().tag();
    if (!server.isEmpty()) {
      queue.add(server.head().finishNanos(), EventQueue.Kind.COMPLETION, index);
    }
    inFlight--;
    done.complete(Outcome.SUCCEEDED);
  }

  private void schedule(long delayNanos, Runnable task) {
    if (delayNanos < 0) {
      throw new IllegalArgumentException("delay: " + delayNanos + " ns (expected: 0 or more)");
    }
    long dueNanos = Math.addExact(nowNanos, delayNanos);
    int timer = firedTimers.isEmpty() ? timers.size() : firedTimers.pop();
    if (timer == timers.size()) {
      timers.add(task);
    } else {
      timers.set(timer, task);
    }
    queue.add(dueNanos, EventQueue.Kind.TIMER, timer);
  }

  /// What stands in the place of a timer that has fired.
  private static void nothing() {}

  private static void refuseProbe(int index) {
    throw new UnsupportedOperationException(
        "probe of backend "
            + index
            + ": the model has no probes yet (expected: an algorithm that sends none)");
  }
}
