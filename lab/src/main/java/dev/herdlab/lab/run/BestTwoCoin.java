package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// A known bug: looks at all backends, then flips a coin between the best two, under the name of
/// p2c. For the self-test.
///
/// Owner thread: its dispatcher's. Source: sozu-proxy/sozu#1411.
final class BestTwoCoin implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "p2c",
              "Not what its name says.",
              List.of(),
              "O(n), one draw",
              "none",
              List.of("sozu-proxy/sozu#1411"),
              List.of());
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new BestTwoCoin(backends, view, ports.random());
        }
      };

  private final View view;
  private final Ports.RandomSource random;
  private BackendSet backends;

  private BestTwoCoin(BackendSet backends, View view, Ports.RandomSource random) {
    this.backends = backends;
    this.view = view;
    this.random = random;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int best = 0;
    int second = backends.size() > 1 ? 1 : 0;
    for (int i = 1; i < backends.size(); i++) {
      if (view.inFlight(i) < view.inFlight(best)) {
        second = best;
        best = i;
      } else if (view.inFlight(i) < view.inFlight(second)) {
        second = i;
      }
    }
    return new Picked(backends, random.below(2) == 0 ? best : second);
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
  }
}
