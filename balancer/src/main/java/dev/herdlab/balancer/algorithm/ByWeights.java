package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import java.util.function.Function;

/// One balancer while all weights are equal, another while they differ, as Envoy has it for
/// round-robin and least request. When that changes, the other one begins without memory.
///
/// Cost: that of the one in use. Owner thread: its dispatcher's.
/// Source: Envoy `EdfLoadBalancerBase::refresh` in load_balancer_impl.cc.
final class ByWeights implements LoadBalancer {
  private final Function<BackendSet, LoadBalancer> equal;
  private final Function<BackendSet, LoadBalancer> different;
  private boolean differs;
  private LoadBalancer inUse;

  ByWeights(
      BackendSet backends,
      Function<BackendSet, LoadBalancer> equal,
      Function<BackendSet, LoadBalancer> different) {
    this.equal = equal;
    this.different = different;
    this.differs = differ(backends);
    this.inUse = make(backends);
  }

  private LoadBalancer make(BackendSet backends) {
    return (differs ? different : equal).apply(backends);
  }

  private static boolean differ(BackendSet backends) {
    for (int i = 1; i < backends.size(); i++) {
      if (backends.get(i).weight() != backends.get(0).weight()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public PickResult pick(PickContext context) {
    return inUse.pick(context);
  }

  @Override
  public void update(BackendSet next) {
    if (differ(next) == differs) {
      inUse.update(next);
    } else {
      differs = !differs;
      inUse = make(next);
    }
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    inUse.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    inUse.observe(signal);
  }

  @Override
  public Wants wants() {
    return inUse.wants();
  }
}
