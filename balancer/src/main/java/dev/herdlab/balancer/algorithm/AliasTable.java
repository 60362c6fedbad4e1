package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;

/// Draws from a fixed distribution in constant time, by Walker's aliases in Vose's way: a uniform
/// place, and a biased coin between it and its alias.
///
/// Cost: one draw, and a second one unless the place's coin is certain; making one O(size). Owner
/// thread: any (not changed after its making).
/// Source: Finagle util/Drv.scala, commit 4feb34c; Vose, IEEE TSE 17(9), 1991.
final class AliasTable {
  private final double[] probabilities;
  private final int[] aliases;

  /// @param weights 0 or more, not all 0
  AliasTable(double... weights) {
    int size = weights.length;
    probabilities = new double[size];
    aliases = new int[size];
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    double[] scaled = new double[size];
    // The small ones from below, the large ones from above.
    int[] stacks = new int[size];
    int small = 0;
    int large = size;
    for (int i = 0; i < size; i++) {
      scaled[i] = weights[i] / sum * size;
      stacks[scaled[i] < 1 ? small++ : --large] = i;
    }
    while (small > 0 && large < size) {
      int lesser = stacks[--small];
      int greater = stacks[large++];
      probabilities[lesser] = scaled[lesser];
      aliases[lesser] = greater;
      scaled[greater] = scaled[lesser] + scaled[greater] - 1;
      stacks[scaled[greater] < 1 ? small++ : --large] = greater;
    }
    while (large < size) {
      probabilities[stacks[large++]] = 1;
    }
    while (small > 0) {
      probabilities[stacks[--small]] = 1;
    }
  }

  int draw(Ports.RandomSource random) {
    int place = random.below(probabilities.length);
    double probability = probabilities[place];
    return probability == 1 || random.unit() < probability ? place : aliases[place];
  }
}
