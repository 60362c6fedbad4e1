package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.LoadEstimate;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
  private final List<FifoServer<Picked>> servers;
  private final List<LoadEstimate> estimates = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final List<SeededRandom> coins = new ArrayList<>();
  private boolean[] reports = {};
  private int[] tags = {};
  private int[] listeners = {};

  Signals(
      BackendSet backends,
      Trace trace,
      Dispatcher[] dispatchers,
      List<FifoServer<Picked>> servers,
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
    return !lines.isEmpty();
  }

  /// Follows requests from now on.
  void wake(long nowNanos) {
    if (isAwake()) {
      return;
    }
    reports = new boolean[trace.size()];
    tags = new int[trace.size()];
    for (FifoServer<Picked> server : servers) {
      LoadEstimate estimate = new LoadEstimate(LoadEstimate.WINDOW_NANOS);
      for (int i = 0; i < server.size(); i++) {
        var _ = estimate.arrived(nowNanos);
      }
      estimates.add(estimate);
      lines.add(new Line(server.size()));
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

  /// A request joins the queue of a backend.
  void arrives(int request, int backend, long nowNanos) {
    tags[request] = estimates.get(backend).arrived(nowNanos);
    reports[request] = dispatchers[trace.proxy(request)].wants().loadReports();
    lines.get(backend).add(request);
  }

  /// A request is done, and its proxy is about to hear of it.
  ///
  /// @return the request, or -1 if it is not one that was followed
  int leaves(int backend, long latencyNanos, long nowNanos) {
    LoadEstimate estimate = estimates.get(backend);
    int request = lines.get(backend).remove();
    if (request < 0) {
      estimate.cancelled(nowNanos);
      return request;
    }
    estimate.finished(tags[request], latencyNanos, nowNanos);
    if (reports[request]) {
      dispatchers[trace.proxy(request)].observe(
          new BackendSignal.LoadReport(
              backends.get(backend).id(),
              estimate.inFlight(),
              estimate.utilisation(nowNanos),
              estimate.ratePerSecond(nowNanos),
              estimate.errorsPerSecond(nowNanos)));
    }
    return request;
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

  /// What a backend answers to a probe now.
  BackendSignal answer(int backend, long nowNanos) {
    LoadEstimate estimate = estimates.get(backend);
    int inFlight = estimate.inFlight();
    return new BackendSignal.ProbeReply(
        backends.get(backend).id(), inFlight, estimate.latencyNanos(inFlight, nowNanos));
  }

  /// The requests at one backend in the order of arrival. Owner thread: its model's.
  private static final class Line {
    // A ring of a power of two.
    private int[] requests = new int[16];
    private int first;
    private int size;
    // Those in front of all others that are not followed.
    private int unknown;

    Line(int unknown) {
      this.unknown = unknown;
    }

    void add(int request) {
      if (size == requests.length) {
        int[] larger = new int[2 * size];
        for (int i = 0; i < size; i++) {
          larger[i] = requests[(first + i) & (size - 1)];
        }
        requests = larger;
        first = 0;
      }
      requests[(first + size++) & (requests.length - 1)] = request;
    }

    int remove() {
      if (unknown > 0) {
        unknown--;
        return -1;
      }
      int request = requests[first];
      first = (first + 1) & (requests.length - 1);
      size--;
      return request;
    }
  }
}
