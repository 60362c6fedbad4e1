package dev.herdlab.simulator;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Trace;
import java.util.List;

/// The discrete-event model: `k` proxies in front of one pool of backends, each backend one FIFO
/// queue with one server unless [#withQueueing] says otherwise. It runs a [Trace] through the very
/// classes that run on sockets: `Dispatcher` and the balancers, `Station`.
///
/// Nothing takes time but the queues: a request is picked for and arrives at its backend at its
/// intended instant, and what backends say of themselves (load reports, idle notices, answers to
/// probes) is heard when it is said, unless [#withProbeDelay] says otherwise. Events of one instant
/// happen in the order completions (each with its load report before and its idle notice after it),
/// requests whose time is over, switches of balancers, changes of the system ([#withChanges]),
/// copies of the true counts, refreshes of views, timers, probes, hedges, arrivals; within these in
/// the order in which they were set up. Same input and seed, same bytes.
///
/// A request's key is its tenant's, and each tenant's client keeps its cookie.
///
/// It cannot tell what sockets, timers, threads and schedulers cost; that is what the comparison
/// with a measured run is for.
///
/// Cost with 16 backends: 75 to 170 ns a request, and 16 ns for each copy of a view; about 0.2 us
/// more a request for balancers that want to hear of their backends. Owner thread: any (immutable;
/// each run has its own state).
public final class Model {
  /// No limit to a request's time.
  public static final long NO_TIMEOUT = Long.MAX_VALUE;

  private final BackendSet backends;
  private final List<Double> speeds;
  private final ConfiguredAlgorithm algorithm;
  private final ViewSpec view;
  private final ModelWorld.Service service;
  private final List<Change.Timed> changes;

  /// A model of `backends`, in which each proxy has a balancer of `algorithm` on a view of its own.
  ///
  /// @param speeds one for each backend, above 0; a request takes 1/speed of its service time
  public Model(
      BackendSet backends, List<Double> speeds, ConfiguredAlgorithm algorithm, ViewSpec view) {
    this(
        backends,
        speeds,
        algorithm,
        view,
        new ModelWorld.Service(Queueing.FIFO, NO_TIMEOUT, 0, AttemptPolicy.NONE),
        List.of());
  }

  private Model(
      BackendSet backends,
      List<Double> speeds,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      ModelWorld.Service service,
      List<Change.Timed> changes) {
    if (speeds.size() != backends.size()) {
      throw new IllegalArgumentException(
          "speeds: "
              + speeds.size()
              + " (expected: "
              + backends.size()
              + ", one for each backend)");
    }
    this.backends = backends;
    this.speeds = List.copyOf(speeds);
    this.algorithm = algorithm;
    this.view = view;
    this.service = service;
    this.changes = List.copyOf(changes);
  }

  /// The same with probes that are under way for so long, each way; 0 without it.
  ///
  /// @param oneWayNanos from proxy to backend, and as long back, 0 or more
  public Model withProbeDelay(long oneWayNanos) {
    if (oneWayNanos < 0) {
      throw new IllegalArgumentException("delay: " + oneWayNanos + " ns (expected: >= 0)");
    }
    return with(
        new ModelWorld.Service(
            service.queueing(), service.timeoutNanos(), oneWayNanos, service.attempts()));
  }

  /// The same with backends that queue and serve otherwise.
  public Model withQueueing(Queueing queueing) {
    return with(
        new ModelWorld.Service(
            queueing, service.timeoutNanos(), service.probeDelayNanos(), service.attempts()));
  }

  /// The same with clients that give a request up if it is not done in time: it fails, leaves its
  /// queue or frees its server.
  ///
  /// @param nanos from the intended instant on, above 0
  public Model withTimeout(long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException("timeout: " + nanos + " ns (expected: > 0)");
    }
    return with(
        new ModelWorld.Service(
            service.queueing(), nanos, service.probeDelayNanos(), service.attempts()));
  }

  /// The same with proxies that try failed requests again, or hedge.
  public Model withAttempts(AttemptPolicy attempts) {
    return with(
        new ModelWorld.Service(
            service.queueing(), service.timeoutNanos(), service.probeDelayNanos(), attempts));
  }

  private Model with(ModelWorld.Service other) {
    return new Model(backends, speeds, algorithm, view, other, changes);
  }

  /// The same with changes of the system during a run. Those after its last request and its last
  /// completion do not happen.
  ///
  /// @param timed in the order in which they are made; instants before 0 count as 0
  /// @throws IllegalArgumentException if an instant is before the one in front of it
  public Model withChanges(List<Change.Timed> timed) {
    for (int i = 1; i < timed.size(); i++) {
      if (timed.get(i).nanos() < timed.get(i - 1).nanos()) {
        throw new IllegalArgumentException(
            "change %d: %d ns (expected: not before the last one)"
                .formatted(i, timed.get(i).nanos()));
      }
    }
    return new Model(backends, speeds, algorithm, view, service, timed);
  }

  /// Whether the pool kept up in a run, after the first `warmup` requests. Where queues have a
  /// limit, or clients give up, nothing can grow without end, and where the system changes, or
  /// proxies try again, there is no one load: [Stability#UNKNOWN]. O(N).
  public Stability stability(ModelRun run, int warmup, long unitNanos) {
    Queueing queueing = service.queueing();
    if (queueing.limit() != Queueing.UNBOUNDED
        || service.timeoutNanos() != NO_TIMEOUT
        || service.attempts().isActive()
        || !changes.isEmpty()) {
      return Stability.UNKNOWN;
    }
    List<Double> capacities = speeds.stream().map(speed -> speed * queueing.servers()).toList();
    return run.stability(capacities, warmup, unitNanos);
  }

  /// Runs `trace` with the coins of `seed` and the ideal refresh instants.
  public ModelRun run(Trace trace, long seed) {
    return run(trace, seed, Refreshes.ideal(view, seed, trace.proxies()), DispatchListener.NONE);
  }

  /// Runs `trace` with the coins of `seed` and given refresh instants.
  ///
  /// @param trace gives the number of proxies
  /// @param seed of the balancers' coins: stream (seed, "coins", proxy)
  /// @param refreshes when views are copied
  /// @param listener hears of every event, on the calling thread
  public ModelRun run(Trace trace, long seed, Refreshes refreshes, DispatchListener listener) {
    return run(trace, seed, refreshes, Carried.none(), listener);
  }

  /// Runs `trace` with what is carried over from other balancers.
  ///
  /// @param carried which requests are told where to go, and when each proxy gets its balancer,
  ///     with coins that are fresh then
  public ModelRun run(
      Trace trace, long seed, Refreshes refreshes, Carried carried, DispatchListener listener) {
    ModelWorld.Setting setting =
        new ModelWorld.Setting(
            backends, speeds, algorithm, view, service, seed, refreshes, carried, changes);
    return new ModelWorld(setting, trace, listener).run();
  }
}
