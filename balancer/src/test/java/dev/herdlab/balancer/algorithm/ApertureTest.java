package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Arcs as Finagle's tests have them, that they cover the ring evenly, and the load band.
final class ApertureTest extends AlgorithmContract {
  private static final Offset<Double> ROUNDING = Offset.offset(1e-9);

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "aperture",
        "aperture(size=2)",
        "aperture(kind=random)",
        "aperture(kind=random,min-size=100)");
  }

  @Override
  protected boolean isEven(String spec) {
    return !spec.equals("aperture(kind=random)");
  }

  private static double[] weights(String text) {
    return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  private static int[] inArc(double[] parts) {
    return IntStream.range(0, parts.length).filter(i -> parts[i] > 0).toArray();
  }

  /// Finagle WeightedApertureTest.scala, commit 4feb34c, "creates reasonable subsets (no
  /// wraparound)": 15 nodes of these weights, 12 in an arc, proxies 1 and 0 of 5.
  @Test
  void arcsAreFinagles() {
    double[] weights =
        weights(
            "0.06818127601781632 0.02676535334991952 0.024259669941850928 0.060227644665411986"
                + " 0.021662557088166313 0.04581934074401264 0.008902600511190118 0.012225295738506748"
                + " 0.03381119880745816 0.09320068787692642 0.06778865989313106 1.8821268751749722E-4"
                + " 0.04998637327300792 0.09808325343250059 0.08018058428232361");
    double width = RingAperture.width(0.2, 15, 12);
    double[] second = RingAperture.parts(weights, 0.2, width);
    double[] first = RingAperture.parts(weights, 0, width);

    assertThat(width).isEqualTo(0.8, ROUNDING);
    assertThat(inArc(second)).isEqualTo(IntStream.rangeClosed(3, 14).toArray());
    assertThat(Arrays.stream(second).sum()).isEqualTo(0.8, ROUNDING);
    assertThat(inArc(first)).isEqualTo(IntStream.rangeClosed(0, 13).toArray());
    assertThat(Arrays.stream(first).sum()).isEqualTo(0.8, ROUNDING);
  }

  /// The same, "can wrap around": 10 nodes, all in the arc.
  @Test
  void anArcThatGoesRoundIsFinagles() {
    double[] weights =
        weights(
            "0.08754127852514175 0.07160485112997249 0.007191702249367171 0.07962609718390336"
                + " 0.05787169373422368 0.09081256181340881 0.014891457880475457 0.0975219897302887"
                + " 0.006559603048899776 0.0069517882499888");
    double[] parts = RingAperture.parts(weights, 0.25, RingAperture.width(0.25, 10, 10));

    assertThat(inArc(parts)).isEqualTo(IntStream.range(0, 10).toArray());
    assertThat(Arrays.stream(parts).sum()).isEqualTo(1, ROUNDING);
  }

  /// Over all proxies each backend's parts add up to the same number of times its share.
  @Test
  void arcsCoverTheRingEvenly() {
    for (int peers = 1; peers <= 17; peers++) {
      for (int backends = 1; backends <= 23; backends++) {
        int aperture = Math.min(5, backends);
        double width = RingAperture.width(1.0 / peers, backends, aperture);
        double[] sums = new double[backends];
        double[] equal = new double[backends];
        Arrays.fill(equal, 1);
        for (int proxy = 0; proxy < peers; proxy++) {
          double[] parts = RingAperture.parts(equal, proxy * (1.0 / peers) % 1.0, width);
          for (int i = 0; i < backends; i++) {
            sums[i] += parts[i];
          }
        }
        assertThat(width).isGreaterThanOrEqualTo(aperture / (double) backends - 1e-9);
        for (double sum : sums) {
          assertThat(sum).isEqualTo(peers * width / backends, Offset.offset(1e-6));
        }
      }
    }
  }

  private static LoadBalancer ofProxy(String spec, int backends, int proxy, int proxies) {
    SeededRandom coins = SeededRandom.of(3, "coins", proxy);
    Ports.Peers peers = new Ports.Peers(proxy, proxies);
    Ports ports = new Ports(() -> 0, coins, (delayNanos, task) -> {}, index -> {}, peers);
    return Algorithms.builtIn()
        .parse(spec, OneProxy.UNIT_NANOS)
        .create(BackendSet.ofSize(backends), index -> 0, ports);
  }

  private static Set<Integer> used(LoadBalancer balancer) {
    Set<Integer> used = new TreeSet<>();
    for (int i = 0; i < 3000; i++) {
      used.add(((Picked) balancer.pick(PickContext.PLAIN)).index());
    }
    return used;
  }

  /// 4 proxies, 16 backends, at least 5: two proxies' quarters, so 8 backends each.
  @Test
  void aProxyUsesTheArcOfItsNumber() {
    assertThat(used(ofProxy("aperture(size=5)", 16, 0, 4))).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(used(ofProxy("aperture(size=5)", 16, 3, 4)))
        .containsExactly(0, 1, 2, 3, 12, 13, 14, 15);
  }

  /// Without loads the first draw is taken, whose law is the parts': proxy 1 of 3 has, of 4
  /// backends, 2/3 of number 1, 2 whole, and 1/3 of 3. 60 000 picks; the bound is left once in 10^6
  /// seeds.
  @Test
  void aBackendCountsForThePartOfItInTheArc() {
    LoadBalancer balancer = ofProxy("aperture(size=2)", 4, 1, 3);
    long[] counts = new long[4];
    for (int i = 0; i < 60_000; i++) {
      counts[((Picked) balancer.pick(PickContext.PLAIN)).index()]++;
    }

    // The arc is [1/3, 1): 2/12 of backend 1, 3/12 of 2, 3/12 of 3.
    assertThat(counts[0]).isZero();
    assertThat(
            Law.chiSquare(
                Arrays.copyOfRange(counts, 1, 4), new double[] {2 / 8.0, 3 / 8.0, 3 / 8.0}))
        .isLessThan(Law.chiSquareBound(3));
  }

  /// 100 000 draws each; the bound is left once in 10^6 seeds.
  @ParameterizedTest
  @CsvSource({"1", "1 1 1 1", "1 2 3 4", "0.001 5 0.3 2 2 9", "7 1"})
  void aliasesDrawByWeight(String text) {
    double[] weights = weights(text);
    AliasTable table = new AliasTable(weights);
    SeededRandom coins = SeededRandom.of(17, "alias", 0);
    double sum = Arrays.stream(weights).sum();
    long[] counts = Law.tally(weights.length, 100_000, () -> table.draw(coins));

    double[] law = Arrays.stream(weights).map(weight -> weight / sum).toArray();
    if (weights.length > 1) {
      assertThat(Law.chiSquare(counts, law)).isLessThan(Law.chiSquareBound(weights.length));
    } else {
      assertThat(counts).containsExactly(100_000);
    }
  }

  /// The second draw is another place unless five draws in a row are the same.
  @Test
  void theLessLoadedOfTwoForItsWeightIsPicked() {
    int[] draws = {2, 2, 0};
    int[] at = {0};
    ApertureDraw.Distribution places =
        new ApertureDraw.Distribution() {
          @Override
          public int draw() {
            return draws[at[0]++ % draws.length];
          }

          @Override
          public double weight(int place) {
            return place + 1;
          }
        };
    double[] loads = {2, 0, 5};

    // 5/3 against 2/1.
    assertThat(ApertureDraw.pick(places, place -> loads[place])).isEqualTo(2);
    loads[2] = 7;
    assertThat(ApertureDraw.pick(places, place -> loads[place])).isZero();
  }

  /// Finagle's band: requests per backend in use, averaged; one more at `high`, one less at `low`.
  @Test
  void randomApertureFollowsTheLoad() {
    long[] now = {0};
    Ports ports =
        new Ports(
            () -> now[0],
            SeededRandom.of(1, "coins", 0),
            (delay, task) -> {},
            index -> {},
            Ports.Peers.ALONE);
    RandomAperture balancer =
        new RandomAperture(
            BackendSet.ofSize(8),
            index -> 0,
            new RandomAperture.Band(1, 0.875, 1.125, 1000),
            ports);

    // The first average is the first number: one request on one backend is within the band.
    Picked first = (Picked) balancer.pick(PickContext.PLAIN);
    assertThat(balancer.aperture()).isEqualTo(1);
    // A second one, long after: 2 on 1.
    now[0] += 100_000;
    Picked second = (Picked) balancer.pick(PickContext.PLAIN);
    assertThat(balancer.aperture()).isEqualTo(2);
    // At the same instant the average does not move: 2 on 2 is within the band.
    balancer.pick(PickContext.PLAIN);
    assertThat(balancer.aperture()).isEqualTo(2);
    now[0] += 100_000;
    balancer.pick(PickContext.PLAIN);
    assertThat(balancer.aperture()).isEqualTo(3);
    // 3 on 3 is within it, 2 on 3 below.
    now[0] += 100_000;
    balancer.completed(first, Outcome.SUCCEEDED);
    assertThat(balancer.aperture()).isEqualTo(3);
    now[0] += 100_000;
    balancer.completed(second, Outcome.SUCCEEDED);
    assertThat(balancer.aperture()).isEqualTo(2);
  }

  @Test
  void randomAperturesDifferFromProxyToProxy() {
    Set<Set<Integer>> all = new HashSet<>();
    for (int proxy = 0; proxy < 12; proxy++) {
      Set<Integer> used =
          used(ofProxy("aperture(kind=random,min-size=3,high=1000000)", 16, proxy, 12));
      assertThat(used).hasSize(3);
      all.add(used);
    }

    assertThat(all.size()).isGreaterThan(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aperture(low=2) | low=2 (expected: kind=random with it)",
        "aperture(kind=random,size=4) | size=4 (expected: kind=ring with it)",
        "aperture(kind=random,low=2,high=1) | low=2 (expected: below high, 1.0)",
        "aperture(size=1) | size=1 (expected: a whole number from 2 to 100000)"
      })
  void refusesWhatDoesNotFit(String spec, String message) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1)).hasMessageEndingWith(message);
  }
}
