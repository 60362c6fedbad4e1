package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.balancer.Waiter;
import dev.herdlab.balancer.Waiting;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
  private int restarts;
  private final Clients clients;
  private long nowNanos;
  private final long timeoutNanos;
  /// Who waits at its proxy and has a time limit.
  private final Map<Integer, Waiter> waiting = new HashMap<>();
  private final int[] backend;
  private final long[] latencyNanos;
  private final Map<Integer, FailureKind> failures = new TreeMap<>();
  // Of requests that may still run into their time limit; empty if there is none.
  private final @Nullable Attempt[] limited;

  /// How backends serve, and what is known of the ways to them.
  ///
  /// @param timeoutNanos after which a request is given up, from its intended instant on
  /// @param probeDelayNanos of a probe, one way
  record Service(Queueing queueing, long timeoutNanos, long probeDelayNanos) {}

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
    this.timeoutNanos = service.timeoutNanos();
    this.backend = new int[trace.size()];
    this.latencyNanos = new long[trace.size()];
    this.limited = new @Nullable Attempt[timeoutNanos == Model.NO_TIMEOUT ? 0 : trace.size()];
    this.signals = new Signals(backends, trace, dispatchers, servers, seed);
    this.probes = new Probes(dispatchers, signals, queue, service.probeDelayNanos());
    this.views = new ModelViews(setting.refreshes(), truth, dispatchers);
    this.changes =
        new ModelChanges(
            setting.changes(), backends, servers, truth, dispatchers, this::lose, this::restart);
    this.clients = new Clients(trace);
  }

  private void installFirst() {
    for (int p = 0; p < dispatchers.length; p++) {
      if (takeover.has(p)) {
        installOwn(p);
      } else {
        install(p, told.inPlaceOf(algorithm), new ViewSpec.Local());
      }
    }
  }

  private void installOwn(int proxy) {
    takeover.got(proxy);
    install(proxy, algorithm, view);
  }

  private void install(int proxy, ConfiguredAlgorithm itsAlgorithm, ViewSpec itsView) {
    Ports.RandomSource coins = SeededRandom.of(Change.Restart.seed(seed, restarts), "coins", proxy);
    dispatchers[proxy].install(
        itsAlgorithm,
        itsView,
        coins,
        this::schedule,
        backend ->
            probes.send(proxy, changes.number(dispatchers[proxy].backends(), backend), nowNanos),
        new Ports.Peers(proxy, dispatchers.length));
    if (!dispatchers[proxy].wants().equals(LoadBalancer.Wants.NOTHING)) {
      signals.wake(nowNanos);
      signals.installed();
    }
  }

  ModelRun run() {
    installFirst();
    for (int i = 0; i < trace.size(); i++) {
      advance(trace.intendedNanos(i));
      answered(i, pick(i));
    }
    drain();
    return new ModelRun(trace, backends.size(), backend, latencyNanos, failures);
  }

  private void answered(int request, PickResult result) {
    switch (result) {
      case Picked picked -> arrive(picked, request);
      case NoBackend refused -> {
        backend[request] = ModelRun.NO_BACKEND;
        fail(request, FailureKind.NO_BACKEND);
      }
      case Waiting place -> {} // The dispatcher keeps it, and says when it goes.
    }
  }

  private void fail(int request, FailureKind kind) {
    latencyNanos[request] = -1;
    failures.put(request, kind);
  }

  private PickResult pick(int request) {
    int proxy = trace.proxy(request);
    int backend = takeover.told(request);
    if (backend == Carried.OWN) {
      if (!takeover.has(proxy)) {
        installOwn(proxy);
      }
      return pick(request, dispatchers[proxy]);
    }
    told.next(backend);
    PickResult result = pick(request, dispatchers[proxy]);
    takeover.picked(proxy);
    takeOver(proxy);
    return result;
  }

  private PickResult pick(int request, Dispatcher proxy) {
    PickContext context = clients.context(request);
    Waiter waiter =
        later -> {
          waiting.remove(request);
          cookie(request, context, later, proxy);
          answered(request, later);
        };
    PickResult result = proxy.pick(context, waiter);
    if (result instanceof Waiting && limited.length > 0) {
      waiting.put(request, waiter);
      queue.add(Math.addExact(nowNanos, timeoutNanos), EventQueue.Kind.TIME_LIMIT, request);
    }
    cookie(request, context, result, proxy);
    return result;
  }

  private void cookie(int request, PickContext context, PickResult result, Dispatcher proxy) {
    if (signals.isAwake() && result instanceof Picked picked) {
      clients.picked(request, context, picked.backend(), proxy.wants());
    }
  }

  private void takeOver(int proxy) {
    if (takeover.isReady(proxy, nowNanos)) {
      installOwn(proxy);
    }
  }

  /// A request comes to the backend that was picked for it.
  private void arrive(Picked picked, int request) {
    int at = changes.number(picked.backends(), picked.index());
    Attempt attempt = new Attempt(picked, request, at);
    backend[request] = at;
    Optional<FailureKind> refusal = servers.refusal(at);
    if (refusal.isPresent() || servers.isFull(at)) {
      turnAway(attempt, refusal.orElse(FailureKind.SHED));
      return;
    }
    if (signals.isAwake()) {
      signals.arrives(attempt, nowNanos);
    }
    servers.admit(attempt, nowNanos, trace.serviceNanos(request));
    if (limited.length > 0) {
      limited[request] = attempt;
      if (nowNanos == trace.intendedNanos(request)) {
        // One that waited at its proxy has its limit since then.
        queue.add(Math.addExact(nowNanos, timeoutNanos), EventQueue.Kind.TIME_LIMIT, request);
      }
    }
  }

  private void turnAway(Attempt attempt, FailureKind kind) {
    fail(attempt.request(), kind);
    boolean answered = kind == FailureKind.SHED || kind == FailureKind.ERROR_STATUS;
    if (signals.isAwake() && answered) {
      signals.turnsAway(attempt, nowNanos);
    }
    attempt.lease().complete(new Outcome.Failed(kind));
  }

  /// A backend has lost an attempt, with all that it had.
  private void lose(Attempt attempt) {
    forget(attempt);
    fail(attempt.request(), FailureKind.CONNECT_FAILED);
    if (signals.isAwake()) {
      signals.cancelled(attempt, nowNanos);
    }
    attempt.lease().complete(new Outcome.Failed(FailureKind.CONNECT_FAILED));
  }

  private void restart() {
    restarts++;
    for (int p = 0; p < dispatchers.length; p++) {
      installOwn(p);
    }
    views.restarted(nowNanos);
  }

  private void expire(int request) {
    Attempt attempt = limited[request];
    Waiter waiter = waiting.remove(request);
    if (waiter != null) {
      dispatchers[trace.proxy(request)].leave(waiter);
      backend[request] = ModelRun.NO_BACKEND;
      fail(request, FailureKind.DEADLINE_EXCEEDED);
    } else if (attempt != null) {
      fail(request, FailureKind.DEADLINE_EXCEEDED);
      cancel(attempt, new Outcome.Failed(FailureKind.DEADLINE_EXCEEDED));
    }
  }

  /// Takes an attempt from its backend, which is free for others from now on.
  private void cancel(Attempt attempt, Outcome outcome) {
    forget(attempt);
    servers.cancel(attempt, nowNanos);
    if (signals.isAwake()) {
      signals.cancelled(attempt, nowNanos);
    }
    attempt.lease().complete(outcome);
    tellIfIdle(attempt.backend());
  }

  private void forget(Attempt attempt) {
    if (limited.length > 0) {
      limited[attempt.request()] = null;
    }
  }

  private void tellIfIdle(int index) {
    if (signals.isAwake()
        && servers.inFlight(index) == 0
        && servers.works(index)
        && changes.has(index)) {
      signals.idle(index);
    }
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
      case COMPLETION -> complete(queue.remove());
      case TIME_LIMIT -> expire(queue.remove());
      case TIMER -> fire(queue.remove());
      case PROBE -> probes.arrived(queue.remove(), nowNanos);
    }
  }

  private void fire(int timer) {
    firedTimers.push(timer);
    timers.set(timer, ModelWorld::nothing).run();
  }

  private void complete(int index) {
    Attempt done = servers.finish(index, nowNanos);
    if (done == null) {
      return;
    }
    forget(done);
    int request = done.request();
    latencyNanos[request] = nowNanos - trace.intendedNanos(request);
    if (!signals.isAwake()) {
      done.lease().complete(Outcome.SUCCEEDED);
      return;
    }
    boolean followed = done.isFollowed();
    signals.leaves(done, nowNanos - done.arrivalNanos(), nowNanos);
    done.lease().complete(Outcome.SUCCEEDED);
    if (followed) {
      clients.answered(request, backends.get(index));
    }
    tellIfIdle(index);
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
