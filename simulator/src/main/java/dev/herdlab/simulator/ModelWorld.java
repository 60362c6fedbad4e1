package dev.herdlab.simulator;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The state of one run of the [Model]: its clock, its pending events, proxies and backends.
///
/// Three sources of events are merged: the queue (completions, timers, probes), what was set up
/// before the run (switches to own balancers, changes of the system, copies and refreshes), and the
/// arrivals of the trace.
/// Of each backend only the head's completion is pending.
///
/// Owner thread: the one that calls [#run].
final class ModelWorld {
  private final BackendSet backends;
  private final Trace trace;
  private final ConfiguredAlgorithm algorithm;
  private final ViewSpec view;
  private final long seed;
  private final Takeover takeover;
  private final ToldBalancer told;
  private final ModelViews views;
  private final EventQueue queue = new EventQueue();
  private final List<Runnable> timers = new ArrayList<>();
  private final ArrayDeque<Integer> firedTimers = new ArrayDeque<>();
  private final Counts truth;
  private final Dispatcher[] dispatchers;
  private final ModelBackends servers;
  private final Signals signals;
  private final Probes probes;
  private final ModelChanges changes;
  private final AttemptPolicy attempts;
  private final ModelRequests requests;
  private int restarts;
  private long nowNanos;

  /// How backends serve, and what is known of the ways to them.
  ///
  /// @param timeoutNanos after which a request is given up, from its intended instant on
  /// @param probeDelayNanos of a probe, one way
  /// @param attempts that proxies make
  record Service(
      Queueing queueing, long timeoutNanos, long probeDelayNanos, AttemptPolicy attempts) {}

  /// What a run needs beside its trace.
  record Setting(
      BackendSet backends,
      List<Double> speeds,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      Service service,
      long seed,
      Refreshes refreshes,
      Carried carried,
      List<Change.Timed> changes) {}

  ModelWorld(Setting setting, Trace trace, DispatchListener listener) {
    this.backends = setting.backends();
    this.trace = trace;
    this.algorithm = setting.algorithm();
    this.view = setting.view();
    this.seed = setting.seed();
    this.takeover = new Takeover(setting.carried(), trace);
    this.told = new ToldBalancer(backends);
    this.truth = new Counts(backends);
    this.dispatchers = new Dispatcher[trace.proxies()];
    for (int p = 0; p < dispatchers.length; p++) {
      dispatchers[p] = new Dispatcher(p, backends, truth, () -> nowNanos, listener);
    }
    Service service = setting.service();
    this.servers = new ModelBackends(service.queueing(), setting.speeds(), queue);
    this.signals = new Signals(backends, trace, dispatchers, servers, seed);
    this.probes = new Probes(dispatchers, signals, queue, service.probeDelayNanos());
    this.views = new ModelViews(setting.refreshes(), truth, dispatchers);
    this.changes =
        new ModelChanges(
            setting.changes(), backends, servers, truth, dispatchers, this::lose, this::restart);
    this.attempts = service.attempts();
    this.requests =
        new ModelRequests(
            new ModelRequests.Surroundings(
                backends, trace, List.of(dispatchers), servers, signals, changes, queue),
            () -> nowNanos,
            service.timeoutNanos(),
            attempts.isActive());
  }

  private void installFirst() {
    for (int p = 0; p < dispatchers.length; p++) {
      if (takeover.has(p)) {
        installOwn(p);
      } else {
        install(p, told.inPlaceOf(algorithm), new ViewSpec.Local(), AttemptPolicy.NONE);
      }
    }
  }

  private void installOwn(int proxy) {
    takeover.got(proxy);
    install(proxy, algorithm, view, attempts);
  }

  private void install(
      int proxy, ConfiguredAlgorithm itsAlgorithm, ViewSpec itsView, AttemptPolicy policy) {
    Ports.RandomSource coins = SeededRandom.of(Change.Restart.seed(seed, restarts), "coins", proxy);
    dispatchers[proxy].install(
        itsAlgorithm,
        itsView,
        coins,
        this::schedule,
        backend ->
            probes.send(proxy, changes.number(dispatchers[proxy].backends(), backend), nowNanos),
        new Ports.Peers(proxy, dispatchers.length),
        policy);
    if (!dispatchers[proxy].wants().equals(LoadBalancer.Wants.NOTHING)) {
      signals.wake(nowNanos);
      signals.installed();
    }
  }

  ModelRun run() {
    installFirst();
    for (int i = 0; i < trace.size(); i++) {
      advance(trace.intendedNanos(i));
      requests.answered(i, pick(i));
    }
    drain();
    return requests.results();
  }

  private PickResult pick(int request) {
    int proxy = trace.proxy(request);
    int backend = takeover.told(request);
    if (backend == Carried.OWN) {
      if (!takeover.has(proxy)) {
        installOwn(proxy);
      }
      return requests.pick(request);
    }
    told.next(backend);
    PickResult result = requests.pick(request);
    takeover.picked(proxy);
    takeOver(proxy);
    return result;
  }

  private void takeOver(int proxy) {
    if (takeover.isReady(proxy, nowNanos)) {
      installOwn(proxy);
    }
  }

  /// A backend has lost an attempt, with all that it had.
  private void lose(Attempt attempt) {
    requests.lost(attempt, FailureKind.CONNECT_FAILED);
  }

  private void restart() {
    restarts++;
    for (int p = 0; p < dispatchers.length; p++) {
      installOwn(p);
    }
    views.restarted(nowNanos);
  }

  /// Lets everything happen that comes before an arrival at `untilNanos`, and sets the clock to it.
  private void advance(long untilNanos) {
    while (Math.min(queue.nextNanos(), setUpNanos()) <= untilNanos) {
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
    while (servers.inFlight() > 0) {
      if (Math.min(queue.nextNanos(), setUpNanos()) == Long.MAX_VALUE) {
        throw new IllegalStateException(
            servers.inFlight() + " requests hang for ever (expected: a time limit, or an end)");
      }
      step();
    }
    for (Dispatcher proxy : dispatchers) {
      if (proxy.waiting() > 0) {
        throw new IllegalStateException(
            "waiting at the end: " + proxy.waiting() + " (expected: 0)");
      }
    }
    if (truth.total() != 0) {
      throw new IllegalStateException("in flight at the end: " + truth.total() + " (expected: 0)");
    }
  }

  /// The next instant of what was set up before the run.
  private long setUpNanos() {
    return Math.min(changes.nanos(), Math.min(takeover.nanos(), views.nanos()));
  }

  /// The next event of the queue, or the next of those set up before, whichever is first.
  private void step() {
    long queuedNanos = queue.nextNanos();
    long setUpNanos = setUpNanos();
    if (setUpNanos < queuedNanos
        || (setUpNanos == queuedNanos && !queue.nextKind().endsRequests())) {
      nowNanos = setUpNanos;
      if (takeover.nanos() == setUpNanos) {
        takeOver(takeover.advance());
      } else if (changes.nanos() == setUpNanos) {
        changes.make(nowNanos);
      } else {
        views.refresh(nowNanos);
      }
      return;
    }
    nowNanos = queuedNanos;
    switch (queue.nextKind()) {
      case COMPLETION -> requests.complete(queue.remove());
      case TIME_LIMIT -> requests.expire(queue.remove());
      case TIMER -> fire(queue.remove());
      case HEDGE -> requests.hedge(queue.remove());
      case PROBE -> probes.arrived(queue.remove(), nowNanos);
    }
  }

  private void fire(int timer) {
    firedTimers.push(timer);
    timers.set(timer, ModelWorld::nothing).run();
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
}
