package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// Another load metric, divided by the backend's weight.
///
/// Products compare load a · weight b with load b · weight a in whole numbers. The quotients
/// compare in the same way as long as loads stay below 2^37: two different fractions of such
/// numbers differ by more than a double's rounding, and equal ones round alike.
///
/// Cost: a division. Owner thread: its balancer's.
final class PerWeight implements LoadMetric {
  private final LoadMetric metric;
  private BackendSet backends;

  PerWeight(LoadMetric metric, BackendSet backends) {
    this.metric = metric;
    this.backends = backends;
  }

  @Override
  public double load(int index) {
    return metric.load(index) / backends.get(index).weight();
  }

  @Override
  public void picking() {
    metric.picking();
  }

  @Override
  public void picked(int index) {
    metric.picked(index);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    metric.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    metric.observe(signal);
  }

  @Override
  public LoadBalancer.Wants wants() {
    return metric.wants();
  }

  @Override
  public void update(BackendSet next) {
    metric.update(next);
    backends = next;
  }
}
