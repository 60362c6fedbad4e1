package dev.herdlab.balancer.algorithm;

/// The generator of `java.util.Random`, which can be seeded again without a new object: for rules
/// whose published form is a shuffle by it. No source of coins.
///
/// Cost: about 2 ns a number. Owner thread: its user's.
/// Source: the documentation of `java.util.Random` (`setSeed`, `next`, `nextInt(int)`).
final class LegacyRandom {
  private static final long MULTIPLIER = 0x5_DEEC_E66DL;
  private static final long MASK = (1L << 48) - 1;

  private long state;

  void seed(long seed) {
    state = (seed ^ MULTIPLIER) & MASK;
  }

  private int bits31() {
    state = (state * MULTIPLIER + 0xB) & MASK;
    return (int) (state >>> 17);
  }

  /// As `nextInt(bound)`.
  int below(int bound) {
    if ((bound & -bound) == bound) {
      return (int) ((bound * (long) bits31()) >> 31);
    }
    int drawn;
    int value;
    do {
      drawn = bits31();
      value = drawn % bound;
    } while (drawn - value + (bound - 1) < 0);
    return value;
  }

  /// As `Collections.shuffle`.
  void shuffle(int[] values) {
    for (int i = values.length; i > 1; i--) {
      int j = below(i);
      int moved = values[i - 1];
      values[i - 1] = values[j];
      values[j] = moved;
    }
  }
}
