package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers that standards and other programs publish.
final class MersenneTwisterTest {
  /// ISO C++ [rand.predef]: the 10000th number of a default-constructed `mt19937` (seed 5489).
  @Test
  void tenThousandthNumberIsThatOfTheCppStandard() {
    MersenneTwister numbers = new MersenneTwister();
    numbers.seed(5489);
    for (int i = 1; i < 10_000; i++) {
      numbers.bits();
    }

    assertThat(Integer.toUnsignedLong(numbers.bits())).isEqualTo(4_123_659_995L);
  }

  /// CPython's `random.seed(s)`, then `random.random()`.
  @ParameterizedTest
  @CsvSource({
    "0, 0.8444218515250481, 0.7579544029403025",
    "1, 0.13436424411240122, 0.8474337369372327",
    "42, 0.6394267984578837, 0.025010755222666936"
  })
  void numbersArePythons(int seed, double first, double second) {
    MersenneTwister numbers = new MersenneTwister();
    numbers.seedAsPython(seed);

    assertThat(numbers.unit()).isEqualTo(first);
    assertThat(numbers.unit()).isEqualTo(second);
  }

  /// Envoy bounded_load_hlb_test.cc, commit 8b9304c: the comments give the orders of five hosts.
  @ParameterizedTest
  @CsvSource({"2, 21043", "6, 40231", "7, 01432"})
  void ordersAreEnvoys(long key, String expected) {
    KeyedOrder order = new KeyedOrder();
    order.begin(99, 7);
    order.next();
    order.begin(key, 5);
    StringBuilder got = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      got.append(order.next());
    }

    assertThat(got.toString()).isEqualTo(expected);
  }
}
