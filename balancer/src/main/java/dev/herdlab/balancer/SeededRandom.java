package dev.herdlab.balancer;

/// Coins from a stream keyed by (seed, purpose, index): SplitMix64, the same numbers on every JDK.
///
/// The same generator as `RandomStream` of the module workload, which this one must not depend on.
///
/// Cost: about 2 ns a draw. Owner thread: its user's.
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
public final class SeededRandom implements Ports.RandomSource {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;

  private SeededRandom(long state) {
    this.state = state;
  }

  /// The stream of `purpose` number `index` under `seed`; different keys give unrelated streams.
  public static SeededRandom of(long seed, String purpose, long index) {
    long key = mix(seed + GOLDEN_GAMMA);
    for (int i = 0; i < purpose.length(); i++) {
      key = mix(key ^ purpose.charAt(i)) + GOLDEN_GAMMA;
    }
    return new SeededRandom(mix(key ^ mix(index + GOLDEN_GAMMA)));
  }

  @Override
  public int below(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound: " + bound + " (expected: > 0)");
    }
    // Lemire's multiplication, with rejection of the few values that would favour small results.
    long product = (next() >>> 32) * bound;
    if (Integer.toUnsignedLong((int) product) < bound) {
      long threshold = Integer.toUnsignedLong(-bound) % bound;
      while (Integer.toUnsignedLong((int) product) < threshold) {
        product = (next() >>> 32) * bound;
      }
    }
    return (int) (product >>> 32);
  }

  @Override
  public double unit() {
    return (next() >>> 11) * 0x1.0p-53;
  }

  private long next() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
