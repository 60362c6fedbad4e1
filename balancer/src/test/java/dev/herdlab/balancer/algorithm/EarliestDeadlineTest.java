package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.SeededRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Against Envoy's edf_scheduler_test.cc, grpc-go's heap and Go's `container/heap` (sequences from
/// programs of a few lines that follow those sources).
final class EarliestDeadlineTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "edf",
        "edf(start=due)",
        "edf(start=random)",
        "edf(start=due,ties=index)",
        "edf(bias=1)",
        "edf(bias=0.5,start=random)",
        "edf(as=envoy)",
        "edf(as=traefik)");
  }

  private static int[] weights(String text) {
    return Stream.of(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "fifo, 1 1, abab", // grpc/grpc-go#3793: not a a b b
    "fifo, 2 1, abaaba",
    "index, 2 1, aabaab",
    "fifo, 4 2 1, abaacbaabaacba",
    "index, 4 2 1, aabaabcaabaabc",
    "fifo, 3 1 2 1, acabdcaacaabdc",
    "index, 3 1 2 1, acaabcdacaabcd",
    "heap, 1 1 1, acbcbabac",
    "heap, 1 1 1 1, adbcbcadadb",
    "heap, 3 1, aabaaaabaab",
    "heap, 7 3 3 2 1, aabcadabcaaacbedaacbadacbaaabcedaab",
  })
  void equalDeadlinesComeOutAsTheSourceHasThem(String ties, String weights, String picks) {
    Bench bench = Bench.of("edf(start=due,ties=" + ties + ")", weights(weights));

    assertThat(bench.proxy.picks(picks.length())).isEqualTo(picks);
  }

  @Test
  void equalWeightsAreRoundRobin() {
    // Envoy's EdfSchedulerTest.Unweighted.
    Bench bench = Bench.of("edf(start=due)", IntStream.range(0, 128).map(i -> 1).toArray());

    for (int i = 0; i < 128 * 128; i++) {
      assertThat(bench.proxy.pick().index()).isEqualTo(i % 128);
    }
  }

  @Test
  void eachIsPickedAsOftenAsItsWeightSaysInACycle() {
    // Envoy's EdfSchedulerTest.Weighted: weights 1 to 128.
    Bench bench = Bench.of("edf(start=due)", IntStream.rangeClosed(1, 128).toArray());
    long[] counts = Law.tally(128, 128 * 129 / 2, () -> bench.proxy.pick().index());

    assertThat(counts).isEqualTo(IntStream.rangeClosed(1, 128).asLongStream().toArray());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 140, 501, 123_456})
  void prepickedIsAsAfterThatManyPicks(int picks) {
    // Envoy's SchedulerWithSomePicksEqualToEmptyWithAddedEntries: distinct weights, so no two
    // deadlines
    // are decided by order.
    int[] weights = IntStream.range(0, 64).map(i -> 1_001 + 613 * i).toArray();
    Bench picked = Bench.of("edf(start=due)", weights);
    Law.tally(64, picks, () -> picked.proxy.pick().index());
    Bench prepicked = Bench.of("edf", new ScriptedCoins().whole(picks), weights);

    for (int i = 0; i < 1_000; i++) {
      assertThat(prepicked.proxy.pick().index()).isEqualTo(picked.proxy.pick().index());
    }
  }

  /// Envoy's SchedulerWithRandomPicksFirstPickDistribution: 40 000 first picks, seed below; the
  /// bound is exceeded by one seed in 10^6.
  @ParameterizedTest
  @CsvSource({"25 75", "1 99", "50 50", "1 20 79"})
  void firstPickOfAPrepickedQueueIsByWeight(String text) {
    int[] weights = weights(text);
    SeededRandom coins = SeededRandom.of(20_260_103, "coins", 0);
    long[] counts =
        Law.tally(
            weights.length, 40_000, () -> Bench.of("edf", coins, weights).proxy.pick().index());

    assertThat(Law.chiSquare(counts, IntStream.of(weights).mapToDouble(w -> w / 100.0).toArray()))
        .isLessThan(Law.chiSquareBound(weights.length));
  }

  @Test
  void firstDeadlineIsUniformInThePeriodIfAsked() {
    // 0.9 / 1 and 0.4 / 2 and 0.1 / 1: c at 0.1, b at 0.2 and 0.7, a at 0.9.
    Bench bench = Bench.of("edf(start=random)", new ScriptedCoins().units(0.9, 0.4, 0.1), 1, 2, 1);

    assertThat(bench.proxy.picks(8)).isEqualTo("cbbacbba");
  }

  @Test
  void lightBackendsComeLateWithoutARemedy() {
    // envoyproxy/envoy#14681: of weights 1 and 99 the light one is never first.
    assertThat(Bench.of("edf(start=due)", 1, 99).proxy.picks(99)).doesNotContain("a");
  }

  @Test
  void biasDividesTheWeightByThePowerOfTheRequestsInFlight() {
    // (1 + 1)^2 = 4 and (2 + 1)^2 = 9: a is due at 1, 2, 6, 15; b at 1, 2, 6.
    Bench bench = Bench.of("edf(start=due,bias=2)", 1, 1);
    assertThat(bench.opens(1)).isEqualTo("a");
    assertThat(bench.opens(1)).isEqualTo("b");
    assertThat(bench.opens(2)).isEqualTo("ab");
    bench.ends("a");
    bench.ends("a");
    // a at 6 with none in flight is due again at 7; b at 6 with two, at 15.
    assertThat(bench.opens(3)).isEqualTo("aba");
  }

  @Test
  void loadedBackendNeverDrains() {
    // Only the picked backend's weight is recomputed: with a at 100 in flight it is still picked
    // again.
    Bench bench = Bench.of("edf(start=due,bias=1)", 1, 1);
    for (int i = 0; i < 100; i++) {
      String id = bench.opens(1);
      if (id.equals("b")) {
        bench.ends("b");
      }
    }
    long onA = bench.open.size();

    assertThat(onA).isBetween(10L, 20L); // 1 + 2 + ... + m <= 100 - m
  }

  @Test
  void newcomerIsDueOnePeriodFromNow() {
    Bench bench = Bench.of("edf(start=due)", 1, 1);
    assertThat(bench.proxy.picks(3)).isEqualTo("aba"); // now 2; b is due at 2, a at 3
    bench.becomes(Backend.of("x"), Backend.of("b"), Backend.of("a"));

    assertThat(bench.proxy.picks(4)).isEqualTo("baxb"); // b at 2, then a, x and b, in turn, at 3
  }
}
