package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.workload.LoadEstimate;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What the backends of one run of the model say of themselves: load reports, idle notices and
/// answers to probes. Who hears what is each dispatcher's affair (`LoadBalancer.Wants`).
///
/// - A load report comes with every response whose request was picked by a balancer that wants
///   them, at the completion and before it. The request itself is no longer in flight then.
/// - An idle notice is given at the completion that empties a backend, after that completion: to
///   one of the proxies that want notices at random, or of d *different* random ones to that with
///   the shortest idle queue, the first drawn of equal ones. The backend knows the lengths as they
///   are. A backend that never had a request gives none.
/// - A probe is read at the backend behind what the proxy did at the instant of sending, and
///   answered at once.
///
/// All of it sleeps until the first balancer that wants something is installed, or the first probe
/// is sent; requests that were at the backends by then bring no report, and their latencies are not
/// known. Cost: nothing before that; then about 0.2 us a request and a report, as much a probe.
/// Owner thread: its model's.
final class Signals {
  private final BackendSet backends;
  private final Trace trace;
  private final Dispatcher[] dispatchers;
  private final ModelBackends servers;
  private final List<LoadEstimate> estimates = new ArrayList<>();
  private final List<SeededRandom> coins = new ArrayList<>();
  private int[] listeners = {};

  Signals(
      BackendSet backends,
      Trace trace,
      Dispatcher[] dispatchers,
      ModelBackends servers,
      long seed) {
    this.backends = backends;
    this.trace = trace;
    this.dispatchers = dispatchers;
    this.servers = servers;
    for (int i = 0; i < backends.size(); i++) {
      coins.add(SeededRandom.of(seed, "idle", i));
    }
  }

  /// Whether requests are followed.
  boolean isAwake() {
    return !estimates.isEmpty();
  }

  /// Follows requests from now on.
  void wake(long nowNanos) {
    if (isAwake()) {
      return;
    }
    for (int backend = 0; backend < servers.count(); backend++) {
      LoadEstimate estimate = new LoadEstimate(LoadEstimate.WINDOW_NANOS);
      for (int i = 0; i < servers.inFlight(backend); i++) {
        var _ = estimate.arrived(nowNanos);
      }
      estimates.add(estimate);
    }
  }

  /// A proxy got a balancer that wants something.
  void installed() {
    int[] wanting = new int[dispatchers.length];
    int count = 0;
    for (int p = 0; p < dispatchers.length; p++) {
      if (dispatchers[p].wants().idleChoices() > 0) {
        wanting[count++] = p;
      }
    }
    listeners = Arrays.copyOf(wanting, count);
  }

  /// A request joins the queue of its backend.
  void arrives(Attempt attempt, long nowNanos) {
    attempt.follow(
        estimates.get(attempt.backend()).arrived(nowNanos), proxy(attempt).wants().loadReports());
  }

  private Dispatcher proxy(Attempt attempt) {
    return dispatchers[trace.proxy(attempt.request())];
  }

  /// A request is done, and its proxy is about to hear of it.
  void leaves(Attempt attempt, long latencyNanos, long nowNanos) {
    LoadEstimate estimate = estimates.get(attempt.backend());
    if (attempt.isFollowed()) {
      estimate.finished(attempt.tag(), latencyNanos, nowNanos);
      report(attempt, nowNanos);
    } else {
      estimate.cancelled(nowNanos);
    }
  }

  /// A backend answers at once that it does not serve a request.
  void turnsAway(Attempt attempt, long nowNanos) {
    arrives(attempt, nowNanos);
    estimates.get(attempt.backend()).failed(nowNanos);
    report(attempt, nowNanos);
  }

  /// A request was given up: nothing comes back.
  void cancelled(Attempt attempt, long nowNanos) {
    estimates.get(attempt.backend()).cancelled(nowNanos);
  }

  private void report(Attempt attempt, long nowNanos) {
    if (attempt.reports()) {
      LoadEstimate estimate = estimates.get(attempt.backend());
      proxy(attempt)
          .observe(
              new BackendSignal.LoadReport(
                  backends.get(attempt.backend()).id(),
                  estimate.inFlight(),
                  estimate.utilisation(nowNanos),
                  estimate.ratePerSecond(nowNanos),
                  estimate.errorsPerSecond(nowNanos)));
    }
  }

  /// A backend has become idle.
  void idle(int backend) {
    if (listeners.length > 0) {
      dispatchers[told(backend)].observe(new BackendSignal.IdleNotice(backends.get(backend).id()));
    }
  }

  /// The proxy that hears of it. The first places of `listeners` are shuffled by it.
  private int told(int backend) {
    SeededRandom random = coins.get(backend);
    int choices = Math.min(dispatchers[listeners[0]].wants().idleChoices(), listeners.length);
    int best = -1;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < choices; i++) {
      int at = i + random.below(listeners.length - i);
      int proxy = listeners[at];
      listeners[at] = listeners[i];
      listeners[i] = proxy;
      int length = choices == 1 ? 0 : dispatchers[proxy].idleQueueLength();
      if (length < least) {
        best = proxy;
        least = length;
      }
    }
    return best;
  }

  /// What a backend answers to a probe now; nothing if it does not work.
  Optional<BackendSignal> answer(int backend, long nowNanos) {
    if (!servers.works(backend)) {
      return Optional.empty();
    }
    LoadEstimate estimate = estimates.get(backend);
    int inFlight = estimate.inFlight();
    return Optional.of(
        new BackendSignal.ProbeReply(
            backends.get(backend).id(), inFlight, estimate.latencyNanos(inFlight, nowNanos)));
  }
}
