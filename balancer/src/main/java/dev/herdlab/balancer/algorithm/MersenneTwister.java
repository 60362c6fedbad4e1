package dev.herdlab.balancer.algorithm;

/// The generator MT19937, seeded as C++'s `std::mt19937` and as Python's `random` are: for rules
/// whose published form is a shuffle by it. Seeded again for each shuffle; no source of coins.
///
/// Cost: a seeding about 2 us (by a key 5 us), a number a few ns; 2.5 kB. Owner thread: its user's.
/// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998, and their mt19937ar
/// (`init_genrand`, `init_by_array`, `genrand_res53`).
final class MersenneTwister {
  private static final int SIZE = 624;
  private static final int SHIFT = 397;
  private static final int TWIST = 0x9908_B0DF;
  private static final int ARRAY_SEED = 19_650_218;

  private final int[] state = new int[SIZE];
  private int next;

  /// As `std::mt19937(seed)`: its low 32 bits count.
  void seed(long seed) {
    state[0] = (int) seed;
    for (int i = 1; i < SIZE; i++) {
      state[i] = mixed(i) * 1_812_433_253 + i;
    }
    next = SIZE;
  }

  /// As Python's `random.seed(seed)` for a whole number of at most 32 bits.
  void seedAsPython(int seed) {
    seed(ARRAY_SEED);
    int i = 1;
    for (int left = SIZE; left > 0; left--) {
      state[i] = (state[i] ^ (mixed(i) * 1_664_525)) + seed;
      i = after(i);
    }
    for (int left = SIZE - 1; left > 0; left--) {
      state[i] = (state[i] ^ (mixed(i) * 1_566_083_941)) - i;
      i = after(i);
    }
    state[0] = Integer.MIN_VALUE;
  }

  private int mixed(int index) {
    return state[index - 1] ^ (state[index - 1] >>> 30);
  }

  /// The next index; the first is only a copy of the last.
  private int after(int index) {
    if (index + 1 < SIZE) {
      return index + 1;
    }
    state[0] = state[SIZE - 1];
    return 1;
  }

  /// The next 32 bits.
  int bits() {
    if (next == SIZE) {
      twist();
      next = 0;
    }
    int value = state[next];
    next++;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9D2C_5680;
    value ^= (value << 15) & 0xEFC6_0000;
    return value ^ (value >>> 18);
  }

  private void twist() {
    for (int i = 0; i < SIZE; i++) {
      int joint = (state[i] & Integer.MIN_VALUE) | (state[(i + 1) % SIZE] & Integer.MAX_VALUE);
      state[i] = state[(i + SHIFT) % SIZE] ^ (joint >>> 1) ^ ((joint & 1) * TWIST);
    }
  }

  /// As Python's `random()`: uniform in [0, 1), 53 bits.
  double unit() {
    int high = bits() >>> 5;
    int low = bits() >>> 6;
    return (high * 0x1.0p26 + low) * 0x1.0p-53;
  }
}
