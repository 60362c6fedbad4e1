package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Ports;
import java.util.ArrayDeque;
import java.util.Deque;

/// Coins that come out as a test says.
final class ScriptedCoins implements Ports.RandomSource {
  private final Deque<Integer> whole = new ArrayDeque<>();
  private final Deque<Double> units = new ArrayDeque<>();

  ScriptedCoins whole(int... values) {
    for (int value : values) {
      whole.add(value);
    }
    return this;
  }

  ScriptedCoins units(double... values) {
    for (double value : values) {
      units.add(value);
    }
    return this;
  }

  @Override
  public int below(int bound) {
    return whole.remove();
  }

  @Override
  public double unit() {
    return units.remove();
  }
}
