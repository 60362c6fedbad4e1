package dev.herdlab.proxy;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.function.Consumer;

/// An algorithm that also shows the view of each balancer that it makes, so that the host can tell
/// what balancers see. Owner thread: any (immutable).
record WatchedAlgorithm(Algorithm watched, Consumer<View> views) implements Algorithm {
  /// The same algorithm, watched.
  static ConfiguredAlgorithm of(ConfiguredAlgorithm algorithm, Consumer<View> views) {
    return new ConfiguredAlgorithm(
        algorithm.spec(),
        new WatchedAlgorithm(algorithm.algorithm(), views),
        algorithm.parameters());
  }

  @Override
  public Description description() {
    return watched.description();
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    LoadBalancer made = watched.create(parameters, backends, view, ports);
    views.accept(view);
    return made;
  }
}
