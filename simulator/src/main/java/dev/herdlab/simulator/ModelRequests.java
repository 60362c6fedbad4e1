package dev.herdlab.simulator;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.Tries;
import dev.herdlab.balancer.Waiter;
import dev.herdlab.balancer.Waiting;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The requests of one run of the model, from the pick to the answer or the failure: their
/// attempts, and what came of them.
///
/// Owner thread: its model's.
final class ModelRequests {
  private final BackendSet backends;
  private final Trace trace;
  private final List<Dispatcher> dispatchers;
  private final ModelBackends servers;
  private final Signals signals;
  private final ModelChanges changes;
  private final EventQueue queue;
  private final Ports.NanoClock clock;
  private final long timeoutNanos;
  private final Clients clients;
  private final int[] backend;
  private final long[] latencyNanos;
  private final Map<Integer, FailureKind> failures = new TreeMap<>();
  /// Who waits at its proxy and has a time limit.
  private final Map<Integer, Waiter> waiting = new HashMap<>();
  /// Requests at backends; empty if none has a time limit or more than one attempt.
  private final @Nullable Running[] running;
  private final Optional<FurtherPicks> further;

  /// What there is beside the requests.
  record Surroundings(
      BackendSet backends,
      Trace trace,
      List<Dispatcher> dispatchers,
      ModelBackends servers,
      Signals signals,
      ModelChanges changes,
      EventQueue queue) {}

  /// @param clock the instant of the event at hand
  /// @param timeoutNanos [Model#NO_TIMEOUT] for none
  /// @param again whether requests may have more than one attempt
  ModelRequests(Surroundings around, Ports.NanoClock clock, long timeoutNanos, boolean again) {
    this.backends = around.backends();
    this.trace = around.trace();
    this.dispatchers = around.dispatchers();
    this.servers = around.servers();
    this.signals = around.signals();
    this.changes = around.changes();
    this.queue = around.queue();
    this.clock = clock;
    this.timeoutNanos = timeoutNanos;
    this.clients = new Clients(trace);
    this.backend = new int[trace.size()];
    this.latencyNanos = new long[trace.size()];
    this.running = new @Nullable Running[again || hasLimit() ? trace.size() : 0];
    this.further = again ? Optional.of(new FurtherPicks()) : Optional.empty();
  }

  private boolean hasLimit() {
    return timeoutNanos != Model.NO_TIMEOUT;
  }

  /// What came of all of them.
  ModelRun results() {
    AttemptCounts counts = AttemptCounts.NONE;
    if (further.isPresent()) {
      for (Dispatcher proxy : dispatchers) {
        counts = counts.plus(proxy.attemptCounts());
      }
    }
    return new ModelRun(trace, backends.size(), backend, latencyNanos, failures, further, counts);
  }

  /// Asks a request's proxy for its first attempt.
  PickResult pick(int request) {
    Dispatcher proxy = proxy(request);
    PickContext context = clients.context(request);
    Waiter waiter =
        later -> {
          waiting.remove(request);
          cookie(request, context, later, proxy);
          answered(request, later);
        };
    PickResult result = proxy.pick(context, waiter);
    if (result instanceof Waiting && hasLimit()) {
      waiting.put(request, waiter);
      limit(request);
    }
    cookie(request, context, result, proxy);
    return result;
  }

  private Dispatcher proxy(int request) {
    return dispatchers.get(trace.proxy(request));
  }

  private void limit(int request) {
    queue.add(Math.addExact(clock.nanos(), timeoutNanos), EventQueue.Kind.TIME_LIMIT, request);
  }

  private void cookie(int request, PickContext context, PickResult result, Dispatcher proxy) {
    if (signals.isAwake() && result instanceof Picked picked) {
      clients.picked(request, context, picked.backend(), proxy.wants());
    }
  }

  /// The proxy has answered: the request goes to its first backend, fails, or waits.
  void answered(int request, PickResult result) {
    switch (result) {
      case Picked picked -> begin(request, picked);
      case NoBackend refused -> {
        backend[request] = ModelRun.NO_BACKEND;
        fail(request, FailureKind.NO_BACKEND);
      }
      case Waiting place -> {} // The dispatcher keeps it, and says when it goes.
    }
  }

  private void begin(int request, Picked first) {
    if (running.length > 0) {
      Optional<Tries> tries = tries(request, first);
      running[request] = new Running(tries);
      if (hasLimit() && clock.nanos() == trace.intendedNanos(request)) {
        // One that waited at its proxy has its limit since then.
        limit(request);
      }
      long delay = tries.map(Tries::hedgeAfterNanos).orElse(Long.MAX_VALUE);
      if (delay != Long.MAX_VALUE) {
        queue.add(Math.addExact(clock.nanos(), delay), EventQueue.Kind.HEDGE, request);
      }
    }
    arrive(first, request);
  }

  private Optional<Tries> tries(int request, Picked first) {
    if (!proxy(request).attemptPolicy().isActive()) {
      return Optional.empty();
    }
    Tries tries = new Tries(proxy(request));
    tries.begin(clients.context(request), first);
    return Optional.of(tries);
  }

  private void again(int request, Picked lease) {
    further.ifPresent(picks -> picks.add(request, backend[request]));
    cookie(request, clients.context(request), lease, proxy(request));
    arrive(lease, request);
  }

  /// A request comes to the backend that was picked for it.
  private void arrive(Picked picked, int request) {
    int at = changes.number(picked.backends(), picked.index());
    Attempt attempt = new Attempt(picked, request, at);
    backend[request] = at;
    if (running.length > 0 && running[request] != null) {
      running[request].attempts().add(attempt);
    }
    Optional<FailureKind> refusal = servers.refusal(at);
    if (refusal.isPresent() || servers.isFull(at)) {
      turnAway(attempt, refusal.orElse(FailureKind.SHED));
      return;
    }
    if (signals.isAwake()) {
      signals.arrives(attempt, clock.nanos());
    }
    servers.admit(attempt, clock.nanos(), trace.serviceNanos(request));
  }

  private void turnAway(Attempt attempt, FailureKind kind) {
    boolean answered = kind == FailureKind.SHED || kind == FailureKind.ERROR_STATUS;
    if (signals.isAwake() && answered) {
      signals.turnsAway(attempt, clock.nanos());
    }
    failed(attempt, kind);
  }

  /// An attempt's backend has lost it.
  void lost(Attempt attempt, FailureKind kind) {
    if (signals.isAwake()) {
      signals.cancelled(attempt, clock.nanos());
    }
    failed(attempt, kind);
  }

  /// An attempt has failed. Its request has if no other one runs, and there is no retry.
  private void failed(Attempt attempt, FailureKind kind) {
    int request = attempt.request();
    Running at = running.length > 0 ? running[request] : null;
    if (at == null) {
      fail(request, kind);
      attempt.lease().complete(new Outcome.Failed(kind));
      return;
    }
    at.attempts().remove(attempt);
    attempt.lease().complete(new Outcome.Failed(kind));
    if (!at.attempts().isEmpty()) {
      return;
    }
    Optional<Picked> next = at.tries().filter(tries -> tries.mayRetry(kind)).flatMap(Tries::retry);
    if (next.isPresent()) {
      again(request, next.get());
    } else {
      running[request] = null;
      fail(request, kind);
    }
  }

  private void fail(int request, FailureKind kind) {
    latencyNanos[request] = -1;
    failures.put(request, kind);
  }

  /// A request that is not answered may have its hedge now.
  void hedge(int request) {
    Running at = running[request];
    if (at != null) {
      at.tries().flatMap(Tries::hedge).ifPresent(lease -> again(request, lease));
    }
  }

  /// A request's time is over.
  void expire(int request) {
    Running at = running[request];
    Waiter waiter = waiting.remove(request);
    if (waiter != null) {
      proxy(request).leave(waiter);
      backend[request] = ModelRun.NO_BACKEND;
      fail(request, FailureKind.DEADLINE_EXCEEDED);
    } else if (at != null) {
      running[request] = null;
      fail(request, FailureKind.DEADLINE_EXCEEDED);
      for (Attempt attempt : at.attempts()) {
        cancel(attempt, new Outcome.Failed(FailureKind.DEADLINE_EXCEEDED));
      }
    }
  }

  /// Takes an attempt from its backend, which is free for others from now on.
  private void cancel(Attempt attempt, Outcome outcome) {
    servers.cancel(attempt, clock.nanos());
    if (signals.isAwake()) {
      signals.cancelled(attempt, clock.nanos());
    }
    attempt.lease().complete(outcome);
    tellIfIdle(attempt.backend());
  }

  private void tellIfIdle(int index) {
    if (signals.isAwake()
        && servers.inFlight(index) == 0
        && servers.works(index)
        && changes.has(index)) {
      signals.idle(index);
    }
  }

  /// The finish of a backend's next attempt has come, unless it has moved.
  void complete(int index) {
    Attempt done = servers.finish(index, clock.nanos());
    if (done == null) {
      return;
    }
    int request = done.request();
    Optional<Tries> tries = won(done);
    latencyNanos[request] = clock.nanos() - trace.intendedNanos(request);
    if (signals.isAwake()) {
      boolean followed = done.isFollowed();
      signals.leaves(done, clock.nanos() - done.arrivalNanos(), clock.nanos());
      done.lease().complete(Outcome.SUCCEEDED);
      if (followed) {
        clients.answered(request, backends.get(index));
      }
      tellIfIdle(index);
    } else {
      done.lease().complete(Outcome.SUCCEEDED);
    }
    tries.ifPresent(Tries::answered);
  }

  /// An attempt is done first: the others of its request are cancelled.
  private Optional<Tries> won(Attempt done) {
    Running at = running.length > 0 ? running[done.request()] : null;
    if (at == null) {
      return Optional.empty();
    }
    running[done.request()] = null;
    for (Attempt attempt : at.attempts()) {
      if (attempt != done) {
        cancel(attempt, Outcome.CANCELLED);
      }
    }
    int last = backend[done.request()];
    if (last != done.backend()) {
      further.ifPresent(picks -> picks.won(done.request(), done.backend(), last));
      backend[done.request()] = done.backend();
    }
    return at.tries();
  }

  /// The picks beside those that `backend` tells: of attempts that did not decide.
  static final class FurtherPicks {
    private final List<int[]> picks = new ArrayList<>();

    private void add(int request, int backend) {
      picks.add(new int[] {request, backend});
    }

    /// An attempt before the last one has won: what is beside it is the last one.
    private void won(int request, int winner, int last) {
      for (int i = picks.size() - 1; ; i--) {
        if (picks.get(i)[0] == request && picks.get(i)[1] == winner) {
          picks.get(i)[1] = last;
          return;
        }
      }
    }

    /// Counts them by backend.
    ///
    /// @param first the first request whose picks count
    /// @return number of picks
    int count(double[] counts, int first) {
      int all = 0;
      for (int[] pick : picks) {
        if (pick[0] >= first) {
          counts[pick[1]]++;
          all++;
        }
      }
      return all;
    }
  }
}
