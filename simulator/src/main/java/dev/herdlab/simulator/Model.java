package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.Trace;
import java.util.List;

/// The discrete-event model: `k` proxies in front of one pool of backends, each backend one FIFO
/// queue with one server. It runs a [Trace] through the very classes that run on sockets:
/// `Dispatcher` and the balancers, `FifoServer`.
///
/// Nothing takes time but the queues: a request is picked for and arrives at its backend at its
/// intended instant. Events of one instant happen in the order completions, switches of balancers,
/// copies of the true counts, refreshes of views, timers, arrivals; within these in the order in
/// which they were set up. Same input and seed, same
/// bytes.
///
/// It cannot tell what sockets, timers, threads and schedulers cost; that is what the comparison
/// with a measured run is for. Probes are refused.
///
/// Cost with 16 backends: 75 to 170 ns a request, and 16 ns for each copy of a view. Owner thread:
/// any (immutable; each run has its own state).
public final class Model {
  private final BackendSet backends;
  private final List<Double> speeds;
  private final ConfiguredAlgorithm algorithm;
  private final ViewSpec view;

  /// A model of `backends`, in which each proxy has a balancer of `algorithm` on a view of its own.
  ///
  /// @param speeds one for each backend, above 0; a request takes 1/speed of its service time
  public Model(
      BackendSet backends, List<Double> speeds, ConfiguredAlgorithm algorithm, ViewSpec view) {
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
  /// @throws UnsupportedOperationException if the algorithm probes
  public ModelRun run(Trace trace, long seed, Refreshes refreshes, DispatchListener listener) {
    return run(trace, seed, refreshes, Carried.none(), listener);
  }

  /// Runs `trace` with what is carried over from other balancers.
  ///
  /// @param carried which requests are told where to go, and when each proxy gets its balancer,
  ///     with coins that are fresh then
  /// @throws UnsupportedOperationException if the algorithm probes
  public ModelRun run(
      Trace trace, long seed, Refreshes refreshes, Carried carried, DispatchListener listener) {
    ModelWorld.Setting setting =
        new ModelWorld.Setting(backends, speeds, algorithm, view, seed, refreshes, carried);
    return new ModelWorld(setting, trace, listener).run();
  }
}
