package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RandomStreamTest {
  private static final int N = 10_000;

  private static double[] draw(long seed, ToDoubleFunction<RandomStream> law) {
    RandomStream random = RandomStream.of(seed, "test");
    return DoubleStream.generate(() -> law.applyAsDouble(random)).limit(N).toArray();
  }

  @Test
  void givesTheSameNumbersEverywhere() {
    // From a SplitMix64 of its own in Python, with the same keying.
    assertNext(
        RandomStream.of(0, "arrival", 0),
        8267444624055690147L,
        -6084900330120428174L,
        -751615500591005172L);
    assertNext(
        RandomStream.of(42, "service", 0),
        3775373321102606180L,
        2211354674248521710L,
        -7695935379545900782L);
    assertNext(
        RandomStream.of(-1, "proxy", 3),
        6323475239203769629L,
        1860558659372942878L,
        6432378269820676122L);
  }

  private static void assertNext(RandomStream random, long... expected) {
    for (long value : expected) {
      assertThat(random.nextLong()).isEqualTo(value);
    }
  }

  @Test
  void indexZeroIsTheStreamWithoutAnIndex() {
    assertThat(RandomStream.of(3, "a", 0).nextLong()).isEqualTo(RandomStream.of(3, "a").nextLong());
  }

  @Test
  void unitIsUniform() {
    KolmogorovSmirnov.assertFollows(draw(1, RandomStream::unit), x -> x);
  }

  @Test
  void exponentialFollowsItsLaw() {
    KolmogorovSmirnov.assertFollows(draw(2, RandomStream::exponential), x -> 1 - Math.exp(-x));
  }

  @Test
  void normalFollowsItsLaw() {
    KolmogorovSmirnov.assertFollows(draw(3, RandomStream::normal), KolmogorovSmirnov::normalCdf);
  }

  @Test
  void neighbouringKeysAreUncorrelated() {
    // The correlation of n independent pairs has a deviation of 1 / sqrt(n); five of them: 6e-7.
    double bound = 5 / Math.sqrt(N);
    assertThat(correlation(RandomStream.of(1, "service"), RandomStream.of(2, "service")))
        .isCloseTo(0, within(bound));
    assertThat(correlation(RandomStream.of(1, "service"), RandomStream.of(1, "servicf")))
        .isCloseTo(0, within(bound));
    assertThat(correlation(RandomStream.of(1, "phase", 1), RandomStream.of(1, "phase", 2)))
        .isCloseTo(0, within(bound));
  }

  private static double correlation(RandomStream a, RandomStream b) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
      sum += (a.unit() - 0.5) * (b.unit() - 0.5) * 12; // a uniform's variance is 1/12
    }
    return sum / N;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 16, 64})
  void belowGivesEachValueItsShare(int bound) {
    RandomStream random = RandomStream.of(5, "below");
    int[] counts = new int[bound];
    for (int i = 0; i < N; i++) {
      counts[random.below(bound)]++;
    }
    double share = (double) N / bound;
    // Binomial: five deviations, 6e-7 for each value.
    for (int count : counts) {
      assertThat((double) count).isCloseTo(share, within(5 * Math.sqrt(share) + 1e-9));
    }
  }

  @Test
  void belowIsNotBiasedForALargeBound() {
    // Without rejection, 2^32 words for 3 * 2^29 values are 8 for each 3: by remainder 3/8, 3/8 and
    // 2/8.
    RandomStream random = RandomStream.of(6, "below");
    int[] remainders = new int[3];
    for (int i = 0; i < N; i++) {
      remainders[random.below(3 << 29) % 3]++;
    }
    // Binomial, five deviations: 6e-7.
    for (int count : remainders) {
      assertThat((double) count / N).isCloseTo(1 / 3.0, within(5 * Math.sqrt(2.0 / 9 / N)));
    }
  }

  @Test
  void refusesABoundOfZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RandomStream.of(1, "x").below(0))
        .withMessage("bound: 0 (expected: > 0)");
  }

  @Test
  void openUnitIsAboveZeroAndExponentialFinite() {
    RandomStream random = RandomStream.of(8, "open");
    for (int i = 0; i < N; i++) {
      assertThat(random.openUnit()).isGreaterThan(0).isLessThanOrEqualTo(1);
      assertThat(random.exponential()).isBetween(0.0, 36.8);
    }
  }
}
