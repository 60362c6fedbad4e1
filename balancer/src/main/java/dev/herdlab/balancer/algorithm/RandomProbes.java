package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;

/// Sends probes to distinct, uniformly random backends.
///
/// Cost: one draw a probe. Owner thread: its balancer's.
final class RandomProbes {
  private final Ports.RandomSource random;
  private final Ports.Prober prober;

  /// All indices, shuffled from the front by each use: any order is as good a start as any other.
  private int[] order;

  RandomProbes(int size, Ports.RandomSource random, Ports.Prober prober) {
    this.random = random;
    this.prober = prober;
    this.order = identity(size);
  }

  private static int[] identity(int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    return order;
  }

  /// Probes `count` backends, or all if there are fewer.
  void send(int count) {
    int sent = Math.min(count, order.length);
    for (int i = 0; i < sent; i++) {
      int at = i + random.below(order.length - i);
      int target = order[at];
      order[at] = order[i];
      order[i] = target;
      prober.probe(target);
    }
  }

  /// The set has this size now.
  void resize(int size) {
    order = identity(size);
  }
}
