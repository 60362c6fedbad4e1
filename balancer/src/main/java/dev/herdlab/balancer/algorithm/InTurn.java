package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;

/// The selector that takes one after the other, from the first. If the one whose turn it is leaves,
/// the next that stays has it.
///
/// Cost: O(1), no draw. Owner thread: its balancer's.
final class InTurn implements Selector {
  private int cursor;

  @Override
  public int select(LoadMetric metric, int size) {
    int chosen = cursor;
    cursor = chosen + 1 == size ? 0 : chosen + 1;
    return chosen;
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    cursor = Math.max(0, before.survivorFrom(cursor, after));
  }
}
