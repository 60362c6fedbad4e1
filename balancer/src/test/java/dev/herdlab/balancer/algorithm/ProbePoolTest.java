package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The parts of Prequal: pool, limit and budget.
final class ProbePoolTest {
  /// Every pool of three replies with 0 to 2 in flight and latency 0 to 2: the best and the worst
  /// as section 4 defines them.
  @Test
  void bestAndWorstAreAsDefined() {
    int limit = 2;
    for (int course = 0; course < 729; course++) {
      int[] inFlight = new int[3];
      int[] latency = new int[3];
      int rest = course;
      ProbePool pool = new ProbePool(3);
      for (int i = 0; i < 3; i++) {
        inFlight[i] = rest % 3;
        latency[i] = rest / 3 % 3;
        rest /= 9;
        pool.add(i, inFlight[i], latency[i], i, 9);
      }
      boolean anyCold = Arrays.stream(inFlight).anyMatch(count -> count < limit);
      boolean anyHot = Arrays.stream(inFlight).anyMatch(count -> count >= limit);
      int best = pool.best(limit);
      int worst = worst(pool, limit);
      for (int i = 0; i < 3; i++) {
        boolean hot = inFlight[i] >= limit;
        if (anyCold) {
          assertThat(inFlight[best]).isLessThan(limit);
          assertThat(hot || latency[best] <= latency[i]).isTrue();
        } else {
          assertThat(inFlight[best]).isLessThanOrEqualTo(inFlight[i]);
        }
        if (anyHot) {
          assertThat(inFlight[worst]).isGreaterThanOrEqualTo(Math.max(limit, inFlight[i]));
        } else {
          assertThat(latency[worst]).isGreaterThanOrEqualTo(latency[i]);
        }
      }
    }
  }

  /// The backend whose reply the removal takes: the one that is not used afterwards.
  private static int worst(ProbePool pool, int limit) {
    pool.removeWorst(limit);
    List<Integer> left = new ArrayList<>();
    ProbePool rest = pool;
    while (rest.size() > 0) {
      int before = rest.size();
      left.add(rest.use(0));
      if (rest.size() == before) {
        rest.removeOldest();
      }
    }
    return 3 - left.stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void limitIsAQuantileOfTheLastReplies() {
    RifLimit limit = new RifLimit(0.5, 4);
    assertThat(limit.value()).isZero();
    int[] replies = {5, 1, 9, 3, 7, 7};
    int[] expected = {5, 5, 5, 5, 7, 7}; // of 5; 1 5; 1 5 9; 1 3 5 9; 1 3 7 9; 3 7 7 9
    for (int i = 0; i < replies.length; i++) {
      limit.add(replies[i]);
      assertThat(limit.value()).isEqualTo(expected[i]);
    }
  }

  /// 5 000 replies, seed 3: against a plain sort of the last 37.
  @Test
  void limitStaysRightForLong() {
    SeededRandom random = SeededRandom.of(3, "replies", 0);
    RifLimit limit = new RifLimit(0.84, 37);
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int reply = random.below(1 + i % 50);
      all.add(reply);
      limit.add(reply);
      int[] last =
          all.subList(Math.max(0, all.size() - 37), all.size()).stream()
              .mapToInt(Integer::intValue)
              .sorted()
              .toArray();
      assertThat(limit.value()).isEqualTo(last[(int) (0.84 * last.length)]);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // Section 5.3: 0 is RIF only; just below 1 what ties with the maximum is hot; 1 latency only.
    "0, 0",
    "0.5, 3",
    "0.999, 9",
    "1, 2147483647",
  })
  void limitAtTheEnds(double quantile, int expected) {
    RifLimit limit = new RifLimit(quantile, 128);
    for (int reply : new int[] {2, 9, 3, 1, 9}) {
      limit.add(reply);
    }

    assertThat(limit.value()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // Equation 1. The paper's testbed: 2 / ((1 - 16/100) 3 - 1) = 2 / 1.52.
    "16, 100, 3, 1, 1, 1.3157894737",
    "4, 10, 3, 1, 1, 2.5",
    "10, 20, 4, 0, 2, 1.5",
    "2, 100, 5, 1, 1, 1", // 2 / 3.9 is raised to 1
  })
  void budgetIsEquationOne(
      int pool, int backends, double probes, double remove, double delta, double expected) {
    ReuseBudget budget = new ReuseBudget(probes, remove, delta);

    assertThat(budget.fits(pool, backends)).isTrue();
    assertThat(budget.of(pool, backends)).isCloseTo(expected, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"8, 10", "16, 10", "4, 6", "16, 20", "2, 3", "20, 30"})
  void poolsOfTheSmallFleetTrapDoNotFit(int pool, int backends) {
    assertThat(new ReuseBudget(3, 1, 1).fits(pool, backends)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 1", "4, 2", "6, 2", "10, 3", "16, 5", "48, 16", "1000, 16"})
  void poolForAFleetLeavesHalfOfTheGain(int backends, int expected) {
    assertThat(new ReuseBudget(3, 1, 1).poolFor(backends, 16)).isEqualTo(expected);
  }

  /// 100 000 budgets of 1.3157..., seed 4: the mean strays by more than 4.9 standard errors of
  /// sqrt(0.3157 0.6843 / n) once in 10^6 seeds.
  @Test
  void roundingKeepsTheMean() {
    Ports.RandomSource random = SeededRandom.of(4, "budgets", 0);
    double budget = 2 / 1.52;
    long sum = 0;
    for (int i = 0; i < 100_000; i++) {
      int uses = ReuseBudget.rounded(budget, random);
      assertThat(uses).isBetween(1, 2);
      sum += uses;
    }

    assertThat(sum / 1e5).isCloseTo(budget, within(4.9 * Math.sqrt(0.3157 * 0.6843 / 1e5)));
  }
}
