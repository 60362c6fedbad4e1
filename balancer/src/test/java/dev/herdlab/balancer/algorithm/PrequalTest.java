package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Ports;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Wydrowski et al. 2024, section 4, with probes that a test answers.
final class PrequalTest extends AlgorithmContract {
  /// Twenty equal backends.
  private static final int[] TWENTY = ones(20);

  @Override
  protected Stream<String> specs() {
    return Stream.of("prequal", "prequal(probes=0.5,remove=0.25,quantile=0,idle=7ms)");
  }

  private static int[] ones(int count) {
    int[] ones = new int[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  /// A bench whose pool neither removes nor reuses unless told.
  private static Bench bench(String parameters, ScriptedCoins coins) {
    return Bench.of("prequal(" + parameters + ")", coins, TWENTY);
  }

  /// Coins of the constructor, then `units`.
  private static ScriptedCoins coins(double... units) {
    return new ScriptedCoins().whole(12345).units(units);
  }

  private static ScriptedCoins random(int... picks) {
    return new ScriptedCoins().whole(12345).whole(picks);
  }

  @Test
  void coldReplyOfLeastLatencyIsUsed() {
    // Quantile 1: none is hot.
    Bench bench = bench("remove=0,quantile=1,pool=5,delta=0.001", coins());
    bench.replies("a", 9, 30);
    bench.replies("b", 2, 20);
    bench.replies("c", 1, 40);

    assertThat(bench.opens(1)).isEqualTo("b");
  }

  @Test
  void amongHotOnesTheFewestInFlightAreUsed() {
    Bench bench = bench("remove=0,quantile=0,pool=5,delta=0.001", coins());
    bench.replies("a", 9, 30);
    bench.replies("b", 2, 20);
    bench.replies("c", 1, 40);

    assertThat(bench.opens(1)).isEqualTo("c");
  }

  @Test
  void coldComesBeforeHotWhateverTheLatency() {
    // Of 1, 2, 3, 9 the quantile 0.5 is 3.
    Bench bench = bench("remove=0,quantile=0.5,pool=5,delta=0.001", coins());
    bench.replies("a", 9, 1);
    bench.replies("b", 3, 2);
    bench.replies("c", 1, 40);
    bench.replies("d", 2, 30);

    assertThat(bench.opens(1)).isEqualTo("d");
  }

  @Test
  void emptyPoolOrASingleReplyMeansAUniformlyRandomBackend() {
    Bench bench = bench("remove=0,pool=5,delta=0.001", random(4, 7));
    assertThat(bench.opens(1)).isEqualTo("e");
    bench.replies("a", 0, 1);

    assertThat(bench.opens(1)).isEqualTo("h");
  }

  @Test
  void replyIsUsedUpByItsBudget() {
    // Budget 1.001 / ((1 - 5/20) 3) is below 1: each reply once.
    Bench bench = bench("remove=0,quantile=1,pool=5,delta=0.001", random(19));
    bench.replies("a", 0, 10);
    bench.replies("b", 0, 20);
    bench.replies("c", 0, 30);

    assertThat(bench.opens(2)).isEqualTo("ab");
    assertThat(bench.opens(1)).isEqualTo("t");
  }

  @Test
  void fractionOfTheBudgetIsDrawnForEachReply() {
    // (1 + 2) / ((1 - 10/20) 4) = 1.5: heads, two uses; tails, one.
    Bench bench =
        bench("probes=4,remove=0,quantile=1,pool=10,delta=2", coins(0.49, 0.51, 0.49, 0.51));
    bench.replies("a", 0, 10);
    bench.replies("b", 0, 20);
    bench.replies("c", 0, 30);
    bench.replies("d", 0, 40);

    assertThat(bench.opens(5)).isEqualTo("aabcc");
  }

  @Test
  void useCountsAsOneInFlight() {
    // Budget 2; all hot: a at 1; a and b at 2, the youngest; b; b and c at 3, the youngest.
    Bench bench = bench("probes=4,remove=0,quantile=0,pool=10,delta=3", coins());
    bench.replies("b", 2, 0);
    bench.replies("c", 3, 0);
    bench.replies("a", 1, 0);

    assertThat(bench.opens(4)).isEqualTo("aabc");
  }

  @Test
  void fullPoolLosesItsOldest() {
    Bench bench = bench("remove=0,quantile=1,pool=3,delta=0.001", coins());
    bench.replies("a", 0, 1);
    bench.replies("b", 0, 2);
    bench.replies("c", 0, 3);
    bench.replies("d", 0, 4);

    assertThat(bench.opens(2)).isEqualTo("bc");
  }

  @Test
  void replyIsDroppedAfterItsAge() {
    Bench bench = bench("remove=0,quantile=1,pool=5,delta=0.001,age=100ms", random(19));
    bench.replies("a", 0, 1);
    bench.at(1).looksAtTheClock();
    bench.replies("b", 0, 2);
    bench.replies("c", 0, 3);
    bench.at(101);
    assertThat(bench.opens(1)).isEqualTo("b");
    bench.replies("d", 0, 4);
    bench.at(102);

    assertThat(bench.opens(1)).isEqualTo("t");
  }

  @Test
  void oldestAndWorstAreRemovedInTurn() {
    // None is hot: the worst has the greatest latency.
    Bench bench = bench("probes=4,remove=1,quantile=1,pool=8,delta=0.001", coins());
    bench.replies("b", 0, 60);
    bench.replies("c", 0, 20);
    bench.replies("a", 0, 10);
    bench.replies("d", 0, 30);
    bench.replies("e", 0, 90);
    bench.replies("f", 0, 40);
    bench.replies("g", 0, 50);

    // Beside those that are used: b as the oldest, e as the worst, f as the oldest.
    assertThat(bench.opens(3)).isEqualTo("acd");
    bench.replies("h", 0, 70);
    assertThat(bench.opens(1)).isEqualTo("g");
  }

  @ParameterizedTest
  @ValueSource(doubles = {3, 1, 0.4, 2.75})
  void probesAreAsManyAsToldInTheMean(double rate) {
    Bench bench = Bench.of("prequal(remove=0,probes=" + rate + ")", TWENTY);
    for (int i = 1; i <= 200; i++) {
      bench.opens(1);
      assertThat((double) bench.proxy.probed.size())
          .isBetween(rate * i - 1.000001, rate * i + 0.000001);
    }
  }

  @Test
  void probesOfAPickGoToDistinctBackends() {
    Bench bench = Bench.of("prequal(probes=4)", 1, 1, 1, 1, 1);
    for (int i = 0; i < 100; i++) {
      bench.opens(1);
      assertThat(bench.proxy.probed.subList(4 * i, 4 * i + 4)).doesNotHaveDuplicates();
    }
  }

  /// 20 000 picks of three of ten, seed of the bench. Distinct targets vary less than independent
  /// ones, so that the false alarm is below one in 10^6 seeds.
  @Test
  void probesAreUniform() {
    Bench bench = Bench.of("prequal", ones(10));
    bench.opens(20_000);
    long[] counts = new long[10];
    bench.proxy.probed.forEach(index -> counts[index]++);

    assertThat(Law.chiSquare(counts)).isLessThan(Law.chiSquareBound(10));
  }

  @Test
  void probesAreSentWhenNoneWereForTheIdleTime() {
    Bench bench = Bench.of("prequal(probes=2.5,idle=100ms)", TWENTY);
    assertThat(bench.proxy.delays).containsExactly(100 * Bench.MS);
    bench.at(60).opens(1);
    assertThat(bench.proxy.probed).hasSize(2);
    bench.at(100).proxy.timers.getLast().run();
    assertThat(bench.proxy.probed).hasSize(2);
    assertThat(bench.proxy.delays.getLast()).isEqualTo(60 * Bench.MS);
    bench.at(160).proxy.timers.getLast().run();

    assertThat(bench.proxy.probed).hasSize(5);
    assertThat(bench.proxy.probed.subList(2, 5)).doesNotHaveDuplicates();
    assertThat(bench.proxy.delays.getLast()).isEqualTo(100 * Bench.MS);
  }

  @Test
  void timersDoNotShiftThePicksCoins() {
    Bench still = Bench.of("prequal", TWENTY);
    Bench ticking = Bench.of("prequal", TWENTY);
    for (int i = 0; i < 30; i++) {
      ticking.at(i * 500L).proxy.timers.getLast().run();
      still.at(i * 500L);
      assertThat(ticking.opens(2)).isEqualTo(still.opens(2));
    }
    assertThat(ticking.proxy.probed).hasSizeGreaterThan(still.proxy.probed.size());
  }

  @Test
  void repliesFollowTheirBackendsToAnotherSet() {
    Bench bench = bench("remove=0,quantile=1,delta=0.001,pool=2", coins());
    bench.replies("b", 0, 10);
    bench.replies("a", 0, 20);
    bench.becomes(
        Backend.of("x"), Backend.of("a"), Backend.of("y"), Backend.of("b"), Backend.of("z"));

    assertThat(bench.opens(1)).isEqualTo("b");
  }

  @Test
  void replyOfABackendThatLeftIsGone() {
    Bench bench = bench("remove=0,quantile=1,delta=0.001,pool=2", random(3));
    bench.replies("b", 0, 10);
    bench.replies("a", 0, 20);
    bench.becomes(
        Backend.of("x"), Backend.of("a"), Backend.of("y"), Backend.of("z"), Backend.of("w"));
    bench.replies("b", 0, 5);

    assertThat(bench.opens(1)).isEqualTo("z");
  }

  @Test
  void needsNothingButProbes() {
    assertThat(Bench.of("prequal", TWENTY).proxy.dispatcher.wants())
        .isEqualTo(LoadBalancer.Wants.NOTHING);
  }

  private static void tryOn(String spec, int backends) {
    Algorithms.builtIn().parse(spec, Bench.MS).tryOn(BackendSet.ofSize(backends));
  }

  @Test
  void poolThatASmallFleetCannotFillIsRefused() {
    assertThatThrownBy(() -> tryOn("prequal(pool=16)", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pool: 16 (expected: such as 3 with 10 backends, probes=3.0 and remove=1.0:"
                + " (1 - pool/10) probes - remove must be above 0)");
    assertThatThrownBy(() -> tryOn("prequal(pool=8)", 10)).hasMessageStartingWith("pool: 8 ");
    assertThatThrownBy(() -> tryOn("prequal(pool=4)", 6)).hasMessageStartingWith("pool: 4 ");
    assertThatThrownBy(() -> tryOn("prequal(pool=16)", 20)).hasMessageStartingWith("pool: 16 ");
    tryOn("prequal(pool=6)", 10);
    tryOn("prequal(pool=16)", 100);
    tryOn("prequal", 10);
  }

  @Test
  void removingAllThatIsProbedIsRefused() {
    assertThatThrownBy(() -> Algorithms.builtIn().parse("prequal(probes=1,remove=1)", 1))
        .hasMessageContaining("remove=1 (expected: below probes=1.0)");
  }

  @Test
  void poolShrinksWithTheSet() {
    Bench bench = bench("remove=1,quantile=1,pool=6,delta=0.001", coins());
    for (String id : List.of("a", "b", "c", "d")) {
      bench.replies(id, 0, 10);
    }
    // Six backends: half of 6 (1 - 1/3) is 2, so c and d are left.
    bench.becomes(Bench.weighted(ones(6)).toArray(new Backend[0]));

    assertThat(bench.opens(1)).isEqualTo("d");
  }

  @Test
  void aloneOrAmongThreeItIsRandom() {
    Ports.RandomSource coins = new ScriptedCoins().whole(1, 2, 2, 0);
    Bench bench = Bench.of("prequal", coins, 1, 1, 1);
    bench.replies("a", 0, 1);
    bench.replies("b", 0, 1);

    assertThat(bench.opens(3)).isEqualTo("cca");
  }
}
