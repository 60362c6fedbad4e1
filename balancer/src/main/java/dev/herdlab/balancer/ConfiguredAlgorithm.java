package dev.herdlab.balancer;

/// An algorithm with its parameters: what a spec such as `p2c(d=3)` stands for.
///
/// Owner thread: any (immutable).
///
/// @param spec the text it was read from
/// @param algorithm what it names
/// @param parameters complete and checked
public record ConfiguredAlgorithm(String spec, Algorithm algorithm, Parameters parameters) {
  /// Makes a balancer of it.
  public LoadBalancer create(BackendSet backends, View view, Ports ports) {
    return algorithm.create(parameters, backends, view, ports);
  }
}
