package dev.herdlab.balancer;

/// An algorithm with its parameters: what a spec such as `p2c(d=3)` stands for.
///
/// Owner thread: any (immutable).
///
/// @param spec the text it was read from
/// @param algorithm what it names
/// @param parameters complete and checked
public record ConfiguredAlgorithm(String spec, Algorithm algorithm, Parameters parameters) {
  /// The limit of an algorithm that has none.
  public static final int NO_LIMIT = Integer.MAX_VALUE;

  /// Makes a balancer of it.
  ///
  /// @throws IllegalArgumentException if its parameters do not fit each other, or the backends
  public LoadBalancer create(BackendSet backends, View view, Ports ports) {
    return algorithm.create(parameters, backends, view, ports);
  }

  /// What its balancers go by.
  public Algorithm.Regard regard() {
    return algorithm.regard(parameters);
  }

  /// Requests in flight that a proxy has on one backend at most; [#NO_LIMIT] if it sets none.
  public int limit() {
    return algorithm.limit(parameters);
  }

  /// Makes a balancer and throws it away, to learn before anything starts whether it can be made.
  ///
  /// @throws IllegalArgumentException as [#create] does
  public void tryOn(BackendSet backends) {
    Ports nowhere =
        new Ports(() -> 0, SeededRandom.of(0, "trial", 0), (delayNanos, task) -> {}, index -> {});
    create(backends, index -> 0, nowhere);
  }
}
