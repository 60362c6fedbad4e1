package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;

/// A balancer made of a load metric and a selector. Cost per pick: the selector's. Owner thread:
/// its dispatcher's.
final class SelectingBalancer implements LoadBalancer {
  private final LoadMetric metric;
  private final Selector selector;
  private BackendSet backends;

  SelectingBalancer(BackendSet backends, LoadMetric metric, Selector selector) {
    this.backends = backends;
    this.metric = metric;
    this.selector = selector;
  }

  @Override
  public PickResult pick(PickContext context) {
    BackendSet set = backends;
    if (set.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    metric.picking();
    int index = selector.select(metric, set.size());
    if (index == Selector.NONE) {
      return NginxPeers.NONE_LEFT;
    }
    metric.picked(index);
    return new Picked(set, index);
  }

  @Override
  public void update(BackendSet next) {
    selector.update(backends, next);
    metric.update(next);
    backends = next;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    metric.completed(picked, outcome);
    selector.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    metric.observe(signal);
  }

  @Override
  public Wants wants() {
    return metric.wants();
  }
}
