package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// How loads are used to choose one of `size` backends (at least 1). Owner thread: its balancer's.
interface Selector {
  /// What [#select] returns when no backend may be picked now.
  int NONE = -1;

  /// The index of the chosen backend, or [#NONE]. Hot path: allocates nothing.
  int select(LoadMetric metric, int size);

  /// One of the balancer's picks ended; its count is lowered already.
  default void completed(Picked picked, Outcome outcome) {}

  /// The set was replaced; a selector that remembers indices moves them.
  default void update(BackendSet before, BackendSet after) {}
}
