package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;

/// How loads are used to choose one of `size` backends (at least 1). Owner thread: its balancer's.
interface Selector {
  /// The index of the chosen backend. Hot path: allocates nothing.
  int select(LoadMetric metric, int size);

  /// The set was replaced; a selector that remembers indices moves them.
  default void update(BackendSet before, BackendSet after) {}
}
