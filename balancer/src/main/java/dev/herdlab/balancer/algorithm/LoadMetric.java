package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// What a backend costs: one number for each backend, lower is preferred. Selectors compare it.
///
/// Owner thread: its balancer's.
public interface LoadMetric {
  /// The load of the backend at `index` of the current set. Hot path.
  double load(int index);

  /// One of the balancer's picks ended.
  default void completed(Picked picked, Outcome outcome) {}

  /// Replaces the set; state of survivors is kept.
  default void update(BackendSet backends) {}
}
