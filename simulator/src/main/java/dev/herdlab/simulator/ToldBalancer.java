package dev.herdlab.simulator;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;

/// A balancer that picks what it was told to: the one that a proxy has until it is its own. Owner
/// thread: its model's.
final class ToldBalancer implements LoadBalancer {
  private static final NoBackend REFUSAL = new NoBackend("told so");

  private final BackendSet backends;
  private int next = ModelRun.NO_BACKEND;

  ToldBalancer(BackendSet backends) {
    this.backends = backends;
  }

  /// Tells the backend of the next pick, [ModelRun#NO_BACKEND] for none.
  void next(int backend) {
    next = backend;
  }

  @Override
  public PickResult pick(PickContext context) {
    return next == ModelRun.NO_BACKEND ? REFUSAL : new Picked(backends, next);
  }

  @Override
  public void update(BackendSet next) {
    throw new UnsupportedOperationException("update: the model's set does not change");
  }

  /// This one in place of `algorithm`'s.
  ConfiguredAlgorithm inPlaceOf(ConfiguredAlgorithm algorithm) {
    Algorithm told =
        new Algorithm() {
          @Override
          public Description description() {
            return algorithm.algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            return ToldBalancer.this;
          }
        };
    return new ConfiguredAlgorithm("told", told, algorithm.parameters());
  }
}
