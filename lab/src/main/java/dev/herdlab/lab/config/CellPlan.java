package dev.herdlab.lab.config;

import dev.herdlab.simulator.Change;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// One point of an experiment, fully resolved: everything that defines what is run, nothing about
/// how it went.
///
/// Algorithm, view and the laws of service, arrivals and tenants are kept as the text of their
/// specs, which are valid: the loader has parsed each once. Owner thread: any (immutable).
///
/// @param unitNanos length of a unit on real sockets, above 0
/// @param backends number of backends, 1 or more
/// @param speeds one speed for each backend
/// @param weights one weight for each backend
/// @param service spec of the service law, e.g. `lognormal(mu=-0.36,sigma=0.85)`
/// @param arrivals spec of the arrival process, e.g. `poisson`
/// @param tenants spec of the law of tenants, e.g. `none`
/// @param proxies number of proxy instances, 1 or more
/// @param proxyChoice spec of the law by which requests reach them, e.g. `uniform`
/// @param rho offered load: arrivals come at rho x (sum of the speeds of all servers) a unit
/// @param requests number of requests, warm-up included
/// @param warmup how many of them, the first, are dropped
/// @param seed source of all randomness
/// @param algorithm spec of the algorithm
/// @param view spec of the view
/// @param serving how backends queue and serve, and how long clients wait
/// @param events what is done to the system meanwhile
public record CellPlan(
    long unitNanos,
    int backends,
    List<Double> speeds,
    List<Integer> weights,
    String service,
    String arrivals,
    String tenants,
    int proxies,
    String proxyChoice,
    double rho,
    int requests,
    int warmup,
    long seed,
    String algorithm,
    String view,
    Serving serving,
    Events events) {
  private static final String UNIFORM = "uniform";

  public CellPlan {
    speeds = List.copyOf(speeds);
    weights = List.copyOf(weights);
  }

  /// One whose backends and clients are [Serving#PLAIN], and to which nothing is done.
  public CellPlan(
      long unitNanos,
      int backends,
      List<Double> speeds,
      List<Integer> weights,
      String service,
      String arrivals,
      String tenants,
      int proxies,
      double rho,
      int requests,
      int warmup,
      long seed,
      String algorithm,
      String view) {
    this(
        unitNanos,
        backends,
        speeds,
        weights,
        service,
        arrivals,
        tenants,
        proxies,
        UNIFORM,
        rho,
        requests,
        warmup,
        seed,
        algorithm,
        view,
        Serving.PLAIN,
        Events.NONE);
  }

  /// The same for other requests.
  public CellPlan withRequests(int otherRequests, int otherWarmup, long otherSeed) {
    return new CellPlan(
        unitNanos,
        backends,
        speeds,
        weights,
        service,
        arrivals,
        tenants,
        proxies,
        proxyChoice,
        rho,
        otherRequests,
        otherWarmup,
        otherSeed,
        algorithm,
        view,
        serving,
        events);
  }

  /// The same for other balancers and another load.
  public CellPlan withBalancers(
      int otherProxies, String otherAlgorithm, String otherView, double otherRho) {
    return new CellPlan(
        unitNanos,
        backends,
        speeds,
        weights,
        service,
        arrivals,
        tenants,
        otherProxies,
        proxyChoice,
        otherRho,
        requests,
        warmup,
        seed,
        otherAlgorithm,
        otherView,
        serving,
        events);
  }

  /// When the events are due, in order.
  public List<Change.Timed> changes() {
    return events.changes(requests / arrivalsPerUnit(), unitNanos);
  }

  /// The failures that belong to what is studied, by label: they say nothing against a run.
  public Set<String> failures() {
    Set<String> labels = new TreeSet<>(serving.failures());
    labels.addAll(events.failures());
    return labels;
  }

  /// What each backend can do in a unit, all its servers together, in units of service.
  public List<Double> capacities() {
    int servers = serving.queueing().servers();
    return speeds.stream().map(speed -> speed * servers).toList();
  }

  /// What all backends can do together.
  public double capacity() {
    double sum = 0;
    for (double speed : speeds) {
      sum += speed;
    }
    return sum * serving.queueing().servers();
  }

  /// Arrivals a unit.
  public double arrivalsPerUnit() {
    return rho * capacity();
  }
}
