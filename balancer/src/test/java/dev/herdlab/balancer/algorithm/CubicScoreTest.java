package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Suresh et al. 2015: R - s + (1 + os w + b)³ s, by hand. Three proxies; the averages take each
/// sample whole (alpha 1) where nothing else is said.
final class CubicScoreTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("c3", "c3(clients=4,alpha=0.5)");
  }

  private static Bench bench(String spec) {
    Bench bench =
        Bench.of(spec, "local", new Ports.Peers(1, 3), SeededRandom.of(5, "coins", 0), 1, 1);
    return bench;
  }

  /// One request on whatever is picked, that takes `ms` and brings a report: utilisation 0.5 at
  /// `rate` a second.
  private static void answers(Bench bench, String id, double ms, int inFlight, double rate) {
    String picked = bench.opens(1);
    assertThat(picked).isEqualTo(id);
    bench.proxy.nowNanos += Math.round(ms * Bench.MS);
    bench.reports(id, inFlight, 0.5, rate, 0);
    bench.ends(id);
  }

  /// Both answered once: each a stranger until then.
  private static Bench known(String spec, double aMs, int a, double bMs, int b) {
    Bench bench = bench(spec);
    String first = bench.opens(1);
    String second = first.equals("a") ? "b" : "a";
    boolean aFirst = first.equals("a");
    bench.proxy.nowNanos += Math.round((aFirst ? aMs : bMs) * Bench.MS);
    bench.reports(first, aFirst ? a : b, 0.5, 50, 0);
    bench.ends(first);
    answers(bench, second, aFirst ? bMs : aMs, aFirst ? b : a, 50);
    return bench;
  }

  @Test
  void strangerIsAskedFirst() {
    Bench bench = bench("c3(alpha=1)");
    String first = bench.opens(1);
    bench.reports(first, 0, 0.5, 50, 0);
    bench.ends(first);

    assertThat(bench.opens(1)).isNotEqualTo(first);
  }

  @Test
  void strangersAreEqual() {
    assertThat(Law.ofFirstPick("c3", 3, 0, 8))
        .containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, Law.EXACT);
  }

  @Test
  void cubeOfTheQueueOutweighsTheResponseTime() {
    // s = 10 ms. a: 10 - 10 + 2³ 10 = 80; b: 60 - 10 + 1³ 10 = 60.
    assertThat(known("c3(alpha=1)", 10, 1, 60, 0).opens(1)).isEqualTo("b");
    // b: 81 - 10 + 10 = 81.
    assertThat(known("c3(alpha=1)", 10, 1, 81, 0).opens(1)).isEqualTo("a");
  }

  @Test
  void ownRequestsCountOnceForEachProxy() {
    // One own in flight on a: (1 + 3)³ 10 = 640 with R = 10; b: R - 10 + 10 = R.
    Bench below = known("c3(alpha=1)", 10, 0, 639, 0);
    assertThat(below.opens(2)).isEqualTo("ab");
    Bench above = known("c3(alpha=1)", 10, 0, 641, 0);
    assertThat(above.opens(2)).isEqualTo("aa");
  }

  @Test
  void weightOfOwnRequestsMayBeTold() {
    // (1 + 1)³ 10 = 80.
    assertThat(known("c3(alpha=1,clients=1)", 10, 0, 79, 0).opens(2)).isEqualTo("ab");
    assertThat(known("c3(alpha=1,clients=1)", 10, 0, 81, 0).opens(2)).isEqualTo("aa");
  }

  @Test
  void averagesGiveTheNewestSampleItsWeight() {
    // a answers in 10, then in 30: R = 0.75 30 + 0.25 10 = 25. b: R = 24 or 26.
    for (double b : new double[] {24, 26}) {
      Bench bench = known("c3(alpha=0.75)", 10, 0, b, 0);
      answers(bench, "a", 30, 0, 50);
      assertThat(bench.opens(1)).isEqualTo(b < 25 ? "b" : "a");
    }
  }

  @Test
  void serviceTimeIsUtilisationOverRate() {
    // a reports 20 ms of service: 10 - 20 + 2³ 20 = 150.
    for (double b : new double[] {149, 151}) {
      Bench bench = known("c3(alpha=1)", 10, 0, b, 0);
      answers(bench, "a", 10, 1, 25);
      assertThat(bench.opens(1)).isEqualTo(b < 150 ? "b" : "a");
    }
  }

  @Test
  void failuresTellNoResponseTime() {
    Bench bench = known("c3(alpha=1)", 10, 0, 20, 0);
    for (Outcome outcome :
        new Outcome[] {new Outcome.Failed(FailureKind.ERROR_STATUS), Outcome.CANCELLED}) {
      assertThat(bench.opens(1)).isEqualTo("a");
      bench.proxy.nowNanos += 500 * Bench.MS;
      bench.ends("a", outcome);
    }

    assertThat(bench.opens(1)).isEqualTo("a");
  }

  @Test
  void reportWithoutARateTellsNothing() {
    Bench bench = known("c3(alpha=1)", 10, 0, 20, 0);
    bench.reports("a", 9, 0, 50, 0);
    bench.reports("a", 9, 0.5, 0, 0);

    assertThat(bench.opens(1)).isEqualTo("a");
  }

  @Test
  void survivorsKeepTheirAveragesAndANewcomerIsAsked() {
    Bench bench = known("c3(alpha=1)", 10, 1, 60, 0);
    bench.becomes(Backend.of("x"), Backend.of("b"), Backend.of("a"));
    assertThat(bench.opens(1)).isEqualTo("x");
    bench.becomes(Backend.of("b"), Backend.of("a"));

    assertThat(bench.opens(1)).isEqualTo("b");
  }

  @Test
  void wantsLoadReports() {
    assertThat(bench("c3").proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.LOAD_REPORTS);
  }
}
