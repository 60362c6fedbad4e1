package dev.herdlab.workload;

/// CPython's `random.Random(seed)` for an integer seed: the Mersenne Twister MT19937 and the draws
/// of Python's module `random` made from it, number for number.
///
/// It exists to reproduce published Python programs; everything else draws from [RandomStream].
/// `random` and `below` are exact. `expovariate` and `lognormvariate` use [Math]'s `log` and `exp`,
/// whose last bit may differ from the C library's. Cost: 3 to 20 ns a draw, 624 words of state made
/// at a time. Owner thread: its user's.
///
/// Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998; seeding by the
/// authors' `init_by_array` of 2002; draws by the documentation of CPython's `random`.
public final class CPythonRandom {
  private static final int WORDS = 624;
  private static final int SHIFT = 397;
  private static final int MATRIX = 0x9908B0DF;
  private static final int UPPER = 0x80000000;
  private static final int LOWER = 0x7FFFFFFF;

  /// Kinderman and Monahan's constant, 4 exp(-1/2) / sqrt(2).
  private static final double NV_MAGIC = 4 * Math.exp(-0.5) / Math.sqrt(2.0);

  // The tangent of -log at exp(-1/4) lies below it: -log(u) >= 5/4 - exp(1/4) u. A point that lies
  // below the tangent by more than any rounding is accepted without the logarithm.
  private static final double TANGENT_AT_ZERO = 1.25 - 1e-9;
  private static final double TANGENT_SLOPE = Math.exp(0.25);

  private final int[] state = new int[WORDS];
  private final int[] tempered = new int[WORDS];
  private int next = WORDS;

  /// The generator of `random.Random(seed)`; as in Python, `seed` and `-seed` give the same
  /// numbers.
  public CPythonRandom(long seed) {
    long magnitude = Math.abs(seed); // Long.MIN_VALUE stays itself: 2^63 when read as unsigned
    int high = (int) (magnitude >>> 32);
    seedByArray(high == 0 ? new int[] {(int) magnitude} : new int[] {(int) magnitude, high});
  }

  private void seedByArray(int[] key) {
    state[0] = 19650218;
    for (int i = 1; i < WORDS; i++) {
      state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
    }
    int i = 1;
    int j = 0;
    for (int k = 0; k < WORDS; k++) {
      state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1664525)) + key[j] + j;
      i++;
      j = (j + 1) % key.length;
      if (i == WORDS) {
        state[0] = state[WORDS - 1];
        i = 1;
      }
    }
    for (int k = 0; k < WORDS - 1; k++) {
      state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >>> 30)) * 1566083941)) - i;
      i++;
      if (i == WORDS) {
        state[0] = state[WORDS - 1];
        i = 1;
      }
    }
    state[0] = UPPER;
  }

  private void generate() {
    int[] mt = state;
    for (int k = 0; k < WORDS - SHIFT; k++) {
      mt[k] = mt[k + SHIFT] ^ twist(mt[k], mt[k + 1]);
    }
    for (int k = WORDS - SHIFT; k < WORDS - 1; k++) {
      mt[k] = mt[k + SHIFT - WORDS] ^ twist(mt[k], mt[k + 1]);
    }
    mt[WORDS - 1] = mt[SHIFT - 1] ^ twist(mt[WORDS - 1], mt[0]);
    int[] out = tempered;
    for (int k = 0; k < WORDS; k++) {
      int y = mt[k];
      y ^= y >>> 11;
      y ^= (y << 7) & 0x9D2C5680;
      y ^= (y << 15) & 0xEFC60000;
      out[k] = y ^ (y >>> 18);
    }
    next = 0;
  }

  private static int twist(int upper, int lower) {
    int y = (upper & UPPER) | (lower & LOWER);
    return (y >>> 1) ^ (-(y & 1) & MATRIX);
  }

  private int word() {
    if (next == WORDS) {
      generate();
    }
    return tempered[next++];
  }

  /// `random()`: uniform in [0, 1), a multiple of 2^-53.
  public double random() {
    int high = word() >>> 5;
    int low = word() >>> 6;
    return (((long) high << 26) + low) * 0x1.0p-53;
  }

  /// `expovariate(lambda)`: exponential of mean 1 / `lambda`.
  public double expovariate(double lambda) {
    return -Math.log(1.0 - random()) / lambda;
  }

  /// `lognormvariate(mu, sigma)`: exp of a normal of mean `mu` and deviation `sigma`.
  public double lognormvariate(double mu, double sigma) {
    return Math.exp(mu + standardNormal() * sigma);
  }

  /// Kinderman and Monahan's ratio of uniforms, as `normalvariate` has it.
  private double standardNormal() {
    while (true) {
      double u1 = random();
      double u2 = 1.0 - random();
      double z = NV_MAGIC * (u1 - 0.5) / u2;
      double zz = z * z / 4.0;
      if (zz <= TANGENT_AT_ZERO - TANGENT_SLOPE * u2 || zz <= -Math.log(u2)) {
        return z;
      }
    }
  }

  /// `randrange(bound)`: uniform in 0 .. bound-1 by rejection of `getrandbits` of the bound's bit
  /// length, so that a bound of 1 draws too.
  public int below(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound: " + bound + " (expected: > 0)");
    }
    int shift = Integer.numberOfLeadingZeros(bound);
    int value = word() >>> shift;
    while (value >= bound) {
      value = word() >>> shift;
    }
    return value;
  }
}
