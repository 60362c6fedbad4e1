package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// What a backend costs: one number for each backend, lower is preferred. Selectors compare it.
///
/// Owner thread: its balancer's.
public interface LoadMetric {
  /// The load of the backend at `index` of the current set. Hot path.
  double load(int index);

  /// A pick begins; [#load] may be asked for any backend, any number of times.
  default void picking() {}

  /// The pick fell on the backend at `index`.
  default void picked(int index) {}

  /// One of the balancer's picks ended; its count is lowered already.
  default void completed(Picked picked, Outcome outcome) {}

  /// A backend said something about itself.
  default void observe(BackendSignal signal) {}

  /// What the host must bring; the same for as long as the balancer lives.
  default LoadBalancer.Wants wants() {
    return LoadBalancer.Wants.NOTHING;
  }

  /// Replaces the set; state of survivors is kept.
  default void update(BackendSet backends) {}
}
