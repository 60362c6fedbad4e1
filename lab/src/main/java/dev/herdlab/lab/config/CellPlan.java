package dev.herdlab.lab.config;

import java.util.List;

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
/// @param rho offered load: arrivals come at rho x (sum of the speeds) a unit
/// @param requests number of requests, warm-up included
/// @param warmup how many of them, the first, are dropped
/// @param seed source of all randomness
/// @param algorithm spec of the algorithm
/// @param view spec of the view
public record CellPlan(
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
  public CellPlan {
    speeds = List.copyOf(speeds);
    weights = List.copyOf(weights);
  }

  /// Arrivals a unit.
  public double arrivalsPerUnit() {
    double sum = 0;
    for (double speed : speeds) {
      sum += speed;
    }
    return rho * sum;
  }
}
