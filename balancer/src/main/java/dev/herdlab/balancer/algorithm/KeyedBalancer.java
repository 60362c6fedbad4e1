package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.XxHash64;
import java.util.function.Function;

/// A balancer that sends each key where a [Placement] says, whatever the loads; a request without a
/// key gets a random one, and so falls by the placement's shares.
///
/// Cost: the placement's, and one draw for a request without a key; a new placement when the set
/// changes. Owner thread: its dispatcher's.
/// Source: Envoy thread_aware_lb_impl.cc, commit 0336fd6 (the random key; nginx and HAProxy take
/// turns instead).
final class KeyedBalancer implements LoadBalancer {
  /// The line for it in the descriptions of algorithms that go by keys.
  static final String WITHOUT_KEY =
      "A request without a key gets a random one, as in Envoy; nginx and HAProxy take turns for these.";

  private static final int RANDOM_KEYS = 1 << 30;

  private final Function<BackendSet, ? extends Placement> placing;
  private final Ports.RandomSource random;
  private BackendSet backends;
  private Placement placement;

  /// @param placing makes a set's placement; sees the empty set too
  KeyedBalancer(
      BackendSet backends,
      Function<BackendSet, ? extends Placement> placing,
      Ports.RandomSource random) {
    this.placing = placing;
    this.random = random;
    this.backends = backends;
    this.placement = placing.apply(backends);
  }

  /// The request's key; a random one of 2^30, spread over all keys, if it has none.
  static long key(PickContext context, Ports.RandomSource random) {
    return context.key() == RequestKey.NONE
        ? XxHash64.of((long) random.below(RANDOM_KEYS), 0)
        : context.key();
  }

  @Override
  public PickResult pick(PickContext context) {
    return backends.size() == 0
        ? NoBackend.EMPTY_SET
        : new Picked(backends, placement.indexOf(key(context, random)));
  }

  @Override
  public void update(BackendSet next) {
    placement = placing.apply(next);
    backends = next;
  }
}
