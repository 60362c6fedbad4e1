package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Vargaftik, Keslassy, Orda 2020: the local list counts own picks up, and a message sets an entry.
final class LocalShortestQueueTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("lsq", "lsq(samples=0.5)", "lsq(samples=0,reports=true,idle=true)");
  }

  private static Bench quiet(String parameters) {
    return Bench.of("lsq(samples=0" + parameters + ")", 1, 1, 1);
  }

  @Test
  void ownPicksCountUpAndCompletionsDoNotCountDown() {
    Bench bench = quiet("");
    String first = bench.opens(1);
    bench.ends(first);
    String second = bench.opens(1);
    bench.ends(second);
    String third = bench.opens(1);

    assertThat(new HashSet<>(List.of(first, second, third))).hasSize(3);
  }

  @Test
  void tiesAreRandom() {
    assertThat(Law.ofFirstPick("lsq(samples=0)", 4, 0, 2))
        .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, Law.EXACT);
  }

  @Test
  void messageSetsAnEntryWhateverWasCounted() {
    Bench bench = quiet("");
    bench.opens(6); // 2, 2, 2
    bench.replies("a", 5, 0);
    bench.replies("b", 4, 0);
    bench.replies("c", 1, 0);

    // c 1, 2, 3, then b and c at 4 are equal.
    assertThat(bench.opens(3)).isEqualTo("ccc");
    assertThat(bench.opens(2)).isIn("bc", "cb");
  }

  @Test
  void idleNoticeIsALengthOfZero() {
    Bench bench = quiet(",idle=true");
    bench.opens(9); // 3, 3, 3
    bench.idles("b");

    assertThat(bench.opens(3)).isEqualTo("bbb");
  }

  @ParameterizedTest
  @CsvSource({"true, bbb", "false, other"})
  void loadReportCountsIfItWasAskedFor(String reports, String expected) {
    Bench bench = quiet(",reports=" + reports);
    bench.opens(9);
    bench.reports("b", 0, 0.5);

    assertThat(bench.opens(3).equals("bbb") ? "bbb" : "other").isEqualTo(expected);
  }

  @Test
  void samplesAreDistinctAndAsManyAsToldInTheMean() {
    Bench bench = Bench.of("lsq(samples=2.5)", 1, 1, 1, 1);
    int before = 0;
    for (int i = 1; i <= 100; i++) {
      bench.opens(1);
      List<Integer> probed = bench.proxy.probed;
      List<Integer> now = probed.subList(before, probed.size());
      before = probed.size();
      assertThat(now).hasSizeBetween(2, 3).doesNotHaveDuplicates();
      assertThat(probed).hasSize((int) (2.5 * i));
    }
  }

  /// 30 000 picks of one sample from 5, seed of the bench; false alarm once in 10^6 seeds.
  @Test
  void samplesAreUniform() {
    Bench bench = Bench.of("lsq(samples=1)", 1, 1, 1, 1, 1);
    bench.opens(30_000);
    long[] counts = new long[5];
    bench.proxy.probed.forEach(index -> counts[index]++);

    assertThat(Law.chiSquare(counts)).isLessThan(Law.chiSquareBound(5));
  }

  @Test
  void fewerBackendsThanSamplesAreAllProbed() {
    Bench bench = Bench.of("lsq(samples=5)", 1, 1);
    bench.opens(1);

    assertThat(bench.proxy.probed).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void survivorsKeepTheirLengthsAndNewcomersBeginAtZero() {
    Bench bench = quiet("");
    bench.replies("a", 2, 0);
    bench.replies("b", 7, 0);
    bench.replies("c", 4, 0);
    bench.becomes(Backend.of("x"), Backend.of("c"), Backend.of("a"));

    assertThat(bench.opens(2)).isEqualTo("xx");
    bench.replies("x", 9, 0);
    assertThat(bench.opens(2)).isEqualTo("aa");
  }

  @Test
  void wantsWhatItsParametersSay() {
    assertThat(quiet("").proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.NOTHING);
    assertThat(quiet(",reports=true,idle=true").proxy.dispatcher.wants())
        .isEqualTo(new LoadBalancer.Wants(true, 1, false));
  }
}
