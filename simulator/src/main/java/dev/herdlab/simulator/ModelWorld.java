package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The state of one run of the [Model]: its clock, its pending events, proxies and backends.
///
/// Three sources of events are merged: the queue (completions, timers, probes), what was set up
/// before the run (switches to own balancers, copies and refreshes), and the arrivals of the trace.
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
  private final Refreshes.Cursor refreshes;
  private final Snapshot[] copies;
  private final EventQueue queue = new EventQueue();
  private final List<Runnable> timers = new ArrayList<>();
  private final ArrayDeque<Integer> firedTimers = new ArrayDeque<>();
  private final Counts truth;
  private final Dispatcher[] dispatchers;
  private final List<FifoServer<Picked>> servers;
  private final Signals signals;
  private final Probes probes;
  private final Clients clients;
  private long nowNanos;
  private long snapshots;
  private int inFlight;

  /// What a run needs beside its trace.
  record Setting(
      BackendSet backends,
      List<Double> speeds,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      long probeDelayNanos,
      long seed,
      Refreshes refreshes,
      Carried carried) {}

  ModelWorld(Setting setting, Trace trace, DispatchListener listener) {
    this.backends = setting.backends();
    this.trace = trace;
    this.algorithm = setting.algorithm();
    this.view = setting.view();
    this.seed = setting.seed();
    this.takeover = new Takeover(setting.carried(), trace);
    this.told = new ToldBalancer(backends);
    this.refreshes = setting.refreshes().cursor();
    this.copies = new Snapshot[setting.refreshes().copies()];
    this.truth = new Counts(backends);
    this.dispatchers = new Dispatcher[trace.proxies()];
    for (int p = 0; p < dispatchers.length; p++) {
      dispatchers[p] = new Dispatcher(p, backends, truth, () -> nowNanos, listener);
    }
    this.servers = new ArrayList<>(setting.speeds().size());
    for (double speed : setting.speeds()) {
      servers.add(new FifoServer<>(speed));
    }
    this.signals = new Signals(backends, trace, dispatchers, servers, seed);
    this.probes = new Probes(dispatchers, signals, queue, setting.probeDelayNanos());
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
    Ports.RandomSource coins = SeededRandom.of(seed, "coins", proxy);
    dispatchers[proxy].install(
        itsAlgorithm,
        itsView,
        coins,
        this::schedule,
        backend -> probes.send(proxy, backend, nowNanos),
        new Ports.Peers(proxy, dispatchers.length));
    if (!dispatchers[proxy].wants().equals(LoadBalancer.Wants.NOTHING)) {
      signals.wake(nowNanos);
      signals.installed();
    }
  }

  ModelRun run() {
    installFirst();
    int requests = trace.size();
    int[] backend = new int[requests];
    long[] latencyNanos = new long[requests];
    for (int i = 0; i < requests; i++) {
      long arrivalNanos = trace.intendedNanos(i);
      advance(arrivalNanos);
      switch (pick(i)) {
        case Picked picked -> {
          backend[i] = picked.index();
          // Nothing cancels here, so that the finish is known on admission.
          latencyNanos[i] = admit(picked, i) - arrivalNanos;
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
    PickResult result = proxy.pick(context);
    if (signals.isAwake() && result instanceof Picked picked) {
      clients.picked(request, context, picked.backend(), proxy.wants());
    }
    return result;
  }

  private void takeOver(int proxy) {
    if (takeover.isReady(proxy, nowNanos)) {
      installOwn(proxy);
    }
  }

  /// Queues the request at its backend; returns the instant at which it will be done.
  private long admit(Picked picked, int request) {
    FifoServer<Picked> server = servers.get(picked.index());
    boolean idle = server.isEmpty();
    if (signals.isAwake()) {
      signals.arrives(request, picked.index(), nowNanos);
    }
    long finishNanos = server.admit(picked, nowNanos, trace.serviceNanos(request)).finishNanos();
    inFlight++;
    if (idle) {
      queue.add(finishNanos, EventQueue.Kind.COMPLETION, picked.index());
    }
    return finishNanos;
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
    while (inFlight > 0) {
      step();
    }
    if (truth.total() != 0) {
      throw new IllegalStateException("in flight at the end: " + truth.total() + " (expected: 0)");
    }
  }

  /// The next instant of what was set up before the run.
  private long setUpNanos() {
    return Math.min(takeover.nanos(), refreshes.nanos());
  }

  /// The next event of the queue, or the next of those set up before, whichever is first.
  private void step() {
    long queuedNanos = queue.nextNanos();
    long setUpNanos = setUpNanos();
    if (setUpNanos < queuedNanos
        || (setUpNanos == queuedNanos && queue.nextKind() != EventQueue.Kind.COMPLETION)) {
      nowNanos = setUpNanos;
      if (takeover.nanos() == setUpNanos) {
        takeOver(takeover.advance());
      } else {
        refresh();
      }
      return;
    }
    nowNanos = queuedNanos;
    switch (queue.nextKind()) {
      case COMPLETION -> complete(queue.remove());
      case TIMER -> fire(queue.remove());
      case PROBE -> probes.arrived(queue.remove(), nowNanos);
    }
  }

  private void refresh() {
    if (refreshes.isCopy()) {
      copies[refreshes.copy()] = truth.snapshot(++snapshots, nowNanos);
    } else {
      Dispatcher proxy = dispatchers[refreshes.proxy()];
      long included = Math.max(0, proxy.picks() - refreshes.picksNotIncluded());
      proxy.refreshView(copies[refreshes.copy()], included);
    }
    refreshes.advance();
  }

  private void fire(int timer) {
    firedTimers.push(timer);
    timers.set(timer, ModelWorld::nothing).run();
  }

  private void complete(int index) {
    FifoServer<Picked> server = servers.get(index);
    FifoServer.Job<Picked> done = server.removeHead();
    if (!server.isEmpty()) {
      queue.add(server.head().finishNanos(), EventQueue.Kind.COMPLETION, index);
    }
    inFlight--;
    if (signals.isAwake()) {
      completeAloud(index, done);
    } else {
      done.tag().complete(Outcome.SUCCEEDED);
    }
  }

  /// A completion of which more hear than the balancer that picked.
  private void completeAloud(int index, FifoServer.Job<Picked> done) {
    int request = signals.leaves(index, nowNanos - done.arrivalNanos(), nowNanos);
    done.tag().complete(Outcome.SUCCEEDED);
    if (request >= 0) {
      clients.answered(request, backends.get(index));
    }
    if (servers.get(index).isEmpty()) {
      signals.idle(index);
    }
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
