package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.View;
import java.util.Arrays;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shares by hand, and by what they are for.
final class WaterFillingTest extends AlgorithmContract {
  private static final Offset<Double> NEARLY = within(1e-12);

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "basic-li", "basic-li(variant=aggressive,rate=100)", "tidal-water-filling(dispatchers=4)");
  }

  /// What `rule` makes of a copy: the share of each backend, found from where draws change.
  private static double[] shares(WaterFilling.Rule rule, double expected, int... loads) {
    WaterLevel level = new WaterLevel(loads.length);
    level.read(index -> loads[index]);
    Shares shares = new Shares(loads.length);
    rule.fill(level, expected, shares);
    double[] law = new double[loads.length];
    double from = 0;
    while (from < 1) {
      int index = shares.draw(new ScriptedCoins().units(from));
      double to = end(shares, index, from);
      law[index] += to - from;
      from = to;
    }
    return law;
  }

  /// Where the draws that fall on `index` end, to one part in 10^15.
  private static double end(Shares shares, int index, double from) {
    double inside = from;
    double outside = 1;
    while (outside - inside > 1e-15) {
      double middle = (inside + outside) / 2;
      if (shares.draw(new ScriptedCoins().units(middle)) == index) {
        inside = middle;
      } else {
        outside = middle;
      }
    }
    return outside;
  }

  @Test
  void basicFillsTheLowestToOneLevel() {
    // 4 on 0, 1, 3: level 2.5 over the first two, which take 2.5 and 1.5.
    assertThat(shares(BasicLi.BASIC, 4, 0, 1, 3))
        .containsExactly(new double[] {5 / 8.0, 3 / 8.0, 0}, NEARLY);
    // 8 covers all: level 4.
    assertThat(shares(BasicLi.BASIC, 8, 0, 1, 3))
        .containsExactly(new double[] {4 / 8.0, 3 / 8.0, 1 / 8.0}, NEARLY);
    // 5 is just what the first two take up to the third.
    assertThat(shares(BasicLi.BASIC, 5, 3, 0, 1))
        .containsExactly(new double[] {0, 3 / 5.0, 2 / 5.0}, NEARLY);
  }

  @Test
  void basicWithLittleIsLeastConnAndWithMuchIsRandom() {
    assertThat(shares(BasicLi.BASIC, 1e-6, 2, 1, 1))
        .containsExactly(new double[] {0, 0.5, 0.5}, NEARLY);
    assertThat(shares(BasicLi.BASIC, 1e12, 9, 0, 4))
        .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, within(1e-10));
  }

  /// Every copy of four backends with 0 to 5 in flight: the expected lengths at the next copy are
  /// equal where anything was sent, and at least that where nothing was.
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 1, 2.5, 7, 40})
  void basicLeavesAllThatItFillsLevel(double expected) {
    int[] loads = new int[4];
    Law.forEveryLoad(
        loads,
        5,
        () -> {
          double[] shares = shares(BasicLi.BASIC, expected, loads);
          double level = 0;
          for (int i = 0; i < 4; i++) {
            level = shares[i] > 1e-9 ? loads[i] + expected * shares[i] : level;
          }
          for (int i = 0; i < 4; i++) {
            double then = loads[i] + expected * shares[i];
            assertThat(then).isGreaterThan(level - 1e-9);
            if (shares[i] > 1e-9) {
              assertThat(then).isCloseTo(level, within(1e-9));
            }
          }
        });
  }

  @ParameterizedTest
  @CsvSource({
    // Loads 0, 1, 3: the first alone until 1 has come, two until 5, then all.
    "0, 1",
    "0.5, 1",
    "1, 1",
    "1.01, 2",
    "5, 2",
    "5.01, 3",
    "100, 3",
  })
  void aggressiveCoversTheLowestFirst(double arrived, int covered) {
    WaterLevel level = new WaterLevel(3);
    int[] loads = {3, 0, 1};
    level.read(index -> loads[index]);
    int[] order = {1, 2, 0};
    for (int coin = 0; coin < covered; coin++) {
      assertThat(BasicLi.AGGRESSIVE.pick(level, arrived, new ScriptedCoins().whole(coin)))
          .isEqualTo(order[coin]);
    }
    int[] bound = {0};
    var _ =
        BasicLi.AGGRESSIVE.pick(
            level,
            arrived,
            new Ports.RandomSource() {
              @Override
              public int below(int limit) {
                bound[0] = limit;
                return 0;
              }

              @Override
              public double unit() {
                throw new UnsupportedOperationException();
              }
            });
    assertThat(bound[0]).isEqualTo(covered);
  }

  @Test
  void tidalTakesAPartOffEachQueue() {
    // Level 2.5 over two: (2.5 - 0 - 0.5) / 3 and (2.5 - 1 - 0.5) / 3.
    assertThat(shares(new TidalWaterFilling(), 4, 0, 1, 3))
        .containsExactly(new double[] {2 / 3.0, 1 / 3.0, 0}, NEARLY);
    // Level 2 over two of 1: halves; the third at 2 is not below it.
    assertThat(shares(new TidalWaterFilling(), 2, 1, 2, 1))
        .containsExactly(new double[] {0.5, 0, 0.5}, NEARLY);
    // Level 4/3 over all: that at 1 would get 1/3 by filling, and gets nothing.
    assertThat(shares(new TidalWaterFilling(), 3, 0, 0, 1))
        .containsExactly(new double[] {0.5, 0.5, 0}, NEARLY);
    // A single request goes to one of the lowest.
    assertThat(shares(new TidalWaterFilling(), 0.7, 1, 2, 1))
        .containsExactly(new double[] {0.5, 0, 0.5}, NEARLY);
  }

  /// What the paper minimises: the expected sum over all queues of (q + X - L)², X binomial(A, p).
  private static double unrest(int arrivals, double level, int[] loads, double[] shares) {
    double sum = 0;
    for (int i = 0; i < loads.length; i++) {
      double off = loads[i] + arrivals * shares[i] - level;
      sum += off * off + arrivals * shares[i] * (1 - shares[i]);
    }
    return sum;
  }

  /// Every copy of three backends with 0 to 4 in flight, 2 to 6 arrivals: no other shares in steps
  /// of 1/40 come out closer to level.
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 6})
  void tidalSharesAreTheBest(int arrivals) {
    int[] loads = new int[3];
    Law.forEveryLoad(
        loads,
        4,
        () -> {
          double[] shares = shares(new TidalWaterFilling(), arrivals, loads);
          assertThat(Arrays.stream(shares).sum()).isCloseTo(1, NEARLY);
          WaterLevel water = new WaterLevel(3);
          water.read(index -> loads[index]);
          double level = water.over(water.covers(arrivals), arrivals);
          double best = unrest(arrivals, level, loads, shares);
          for (int a = 0; a <= 40; a++) {
            for (int b = 0; a + b <= 40; b++) {
              double[] other = {a / 40.0, b / 40.0, (40 - a - b) / 40.0};
              assertThat(unrest(arrivals, level, loads, other)).isGreaterThan(best - 1e-9);
            }
          }
        });
  }

  private static Bench stale(String spec, int proxies) {
    return Bench.of(
        spec,
        "shared-stale(refresh=10ms)",
        new Ports.Peers(0, proxies),
        SeededRandom.of(77, "coins", 0),
        1,
        1,
        1);
  }

  private static long[] tally(Bench bench, int picks) {
    return Law.tally(3, picks, () -> bench.opens(1).charAt(0) - 'a');
  }

  /// 30 000 picks on one copy, seed 77: 400 requests a second are 4 in 10 ms. The third gets
  /// nothing for sure, the others' law has a false alarm once in 10^6 seeds.
  @ParameterizedTest
  @CsvSource({"basic-li, 0.625, 0.375", "tidal-water-filling, 0.6666666667, 0.3333333333"})
  void toldRateFillsEachCopy(String name, double first, double second) {
    Bench bench = stale(name + "(rate=400)", 5);
    bench.copies(0, 1, 3);
    long[] counts = tally(bench, 30_000);

    assertThat(counts[2]).isZero();
    assertThat(Law.chiSquare(new long[] {counts[0], counts[1]}, new double[] {first, second}))
        .isLessThan(Law.chiSquareBound(2));
  }

  /// As above, but nobody tells: two own picks a copy, of two proxies.
  @Test
  void rateIsMeasuredByOwnPicksTimesProxies() {
    Bench bench = stale("basic-li", 2);
    for (int copy = 0; copy < 30; copy++) {
      bench.at(10L * copy).copies(5, 5, 5);
      bench.opens(2);
    }
    bench.copies(0, 1, 3);
    long[] counts = tally(bench, 30_000);

    assertThat(counts[2]).isZero();
    assertThat(Law.chiSquare(new long[] {counts[0], counts[1]}, new double[] {0.625, 0.375}))
        .isLessThan(Law.chiSquareBound(2));
  }

  @Test
  void copiesWithoutAPickCountToo() {
    Copied view = new Copied();
    ArrivalsPerCopy arrivals = new ArrivalsPerCopy(view, 0, 3);
    view.copies = 1;
    assertThat(arrivals.picking()).isTrue();
    assertThat(arrivals.picking()).isFalse();
    assertThat(arrivals.expected()).isEqualTo(Double.POSITIVE_INFINITY);
    view.copies = 3;
    assertThat(arrivals.picking()).isTrue();

    // 2 picks, then none: 0.9 2 / (1 + 0.9) of one proxy.
    assertThat(arrivals.expected()).isCloseTo(3 * 1.8 / 1.9, NEARLY);
  }

  private static final class Copied implements View {
    private long copies;

    @Override
    public int inFlight(int index) {
      return 0;
    }

    @Override
    public long refreshNanos() {
      return 10;
    }

    @Override
    public long copies() {
      return copies;
    }
  }

  /// Until a whole interval was seen, loads are not trusted: 9 000 picks, seed 77, false alarm once
  /// in 10^6 seeds.
  @Test
  void picksAreUniformUntilTheRateIsKnown() {
    Bench bench = stale("tidal-water-filling", 2);
    bench.copies(0, 9, 9);

    assertThat(Law.chiSquare(tally(bench, 9_000))).isLessThan(Law.chiSquareBound(3));
  }

  @Test
  void aggressiveGoesUpWithTheAgeOfTheCopy() {
    Bench bench = stale("basic-li(variant=aggressive,rate=400)", 5);
    bench.copies(0, 1, 3);
    assertThat(bench.opens(20)).isEqualTo("a".repeat(20));
    bench.proxy.nowNanos = 2_500_000; // one of 4 has come
    assertThat(bench.opens(20)).isEqualTo("a".repeat(20));
    bench.at(9);
    assertThat(bench.opens(50)).contains("a").contains("b").doesNotContain("c");
    bench.at(100);
    assertThat(bench.opens(50)).contains("c");
  }

  @Test
  void freshViewMeansLeastConn() {
    for (String spec : new String[] {"basic-li", "tidal-water-filling"}) {
      assertThat(Law.ofFirstPick(spec, 2, 1, 1, 4))
          .containsExactly(new double[] {0, 0.5, 0.5, 0}, Law.EXACT);
    }
  }

  @Test
  void changeOfTheSetMakesNewSharesOfTheSameCopy() {
    Bench bench = stale("basic-li(rate=1)", 1);
    bench.copies(4, 0, 3);
    assertThat(bench.opens(5)).isEqualTo("bbbbb");
    bench.becomes(Backend.of("c"), Backend.of("a"));

    assertThat(bench.opens(5)).isEqualTo("ccccc");
  }
}
