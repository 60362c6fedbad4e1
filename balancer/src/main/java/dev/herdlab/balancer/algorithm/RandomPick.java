package dev.herdlab.balancer.algorithm;

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

/// Picks uniformly at random, knowing nothing.
///
/// Cost: O(1), one draw. Owner thread: its dispatcher's.
/// Source: the baseline of Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing",
/// TPDS 12(10), 2001.
final class RandomPick implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "random",
              "Picks uniformly at random, knowing nothing.",
              List.of(),
              "O(1), one draw",
              "nothing",
              List.of(
                  "Mitzenmacher, *The Power of Two Choices in Randomized Load Balancing*, IEEE TPDS"
                      + " 12(10), 2001 (its baseline)"),
              List.of());
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new RandomPick(backends, ports.random());
        }
      };

  private final Ports.RandomSource random;
  private BackendSet backends;

  private RandomPick(BackendSet backends, Ports.RandomSource random) {
    this.backends = backends;
    this.random = random;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    return size == 0 ? NoBackend.EMPTY_SET : new Picked(backends, random.below(size));
  }

  @Override
  public void update(BackendSet backends) {
    this.backends = backends;
  }
}
