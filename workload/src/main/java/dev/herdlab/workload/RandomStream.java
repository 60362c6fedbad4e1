package dev.herdlab.workload;

/// A stream of random numbers keyed by (seed, purpose): SplitMix64, the same numbers on every JDK.
///
/// Streams of different keys are unrelated, so a new draw for one purpose moves no other purpose's
/// numbers. It is the same generator as the balancer's `SeededRandom`, on the other side of a fence
/// for the compiler: neither module may know the other. Cost: about 2 ns for a uniform, 30 ns for a
/// normal. Owner thread: its user's.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public final class RandomStream {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  private RandomStream(long state) {
    this.state = state;
  }

  /// The stream of `purpose` under `seed`.
  public static RandomStream of(long seed, String purpose) {
    return of(seed, purpose, 0);
  }

  /// Sub-stream `index` of `purpose` under `seed`; index 0 is the stream without an index.
  public static RandomStream of(long seed, String purpose, long index) {
    long key = mix(seed + GOLDEN_GAMMA);
    for (int i = 0; i < purpose.length(); i++) {
      key = mix(key ^ purpose.charAt(i)) + GOLDEN_GAMMA;
    }
    return new RandomStream(mix(key ^ mix(index + GOLDEN_GAMMA)));
  }

  /// 64 uniform bits.
  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  public double unit() {
    return (nextLong() >>> 11) * 0x1.0p-53;
  }

  /// Uniform in (0, 1], a multiple of 2^-53: its logarithm is finite.
  public double openUnit() {
    return ((nextLong() >>> 11) + 1) * 0x1.0p-53;
  }

  /// Uniform in 0 .. bound-1, without bias.
  public int below(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound: " + bound + " (expected: > 0)");
    }
    // Lemire's multiplication, with rejection of the few values that would favour small results.
    long product = (nextLong() >>> 32) * bound;
    if (Integer.toUnsignedLong((int) product) < bound) {
      long threshold = Integer.toUnsignedLong(-bound) % bound;
      while (Integer.toUnsignedLong((int) product) < threshold) {
        product = (nextLong() >>> 32) * bound;
      }
    }
    return (int) (product >>> 32);
  }

  /// Exponential of mean 1, from one uniform; at most 53 ln 2 = 36.7.
  public double exponential() {
    return -StrictMath.log(openUnit());
  }

  /// Normal of mean 0 and deviation 1 by Box and Muller's method, from exactly two uniforms: the
  /// second value that the method offers is dropped, so that a stream has no state but its place.
  public double normal() {
    double radius = StrictMath.sqrt(2 * exponential());
    return radius * StrictMath.cos(2 * StrictMath.PI * unit());
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
