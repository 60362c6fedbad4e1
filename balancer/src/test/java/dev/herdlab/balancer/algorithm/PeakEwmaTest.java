package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The metric by its formulas, and two of the conformance tests of Finagle's own
/// (P2CPeakEwmaTest.scala), scaled down.
final class PeakEwmaTest extends AlgorithmContract {
  private static final double MS = Bench.MS;

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "peak-ewma",
        "peak-ewma(as=finagle)",
        "peak-ewma(as=linkerd)",
        "peak-ewma(d=3,decay=5ms)",
        "p2c(metric=peak-ewma)",
        "least-conn(metric=peak-ewma,newcomer=rtt)");
  }

  private static Bench bench(String parameters) {
    return Bench.ofMetric("p2c(metric=peak-ewma" + parameters + ")", 1, 1);
  }

  @Test
  void latencyAboveTheAverageIsTakenWhole() {
    Bench bench = bench(",decay=10s");
    bench.serves("a", 10);
    bench.serves("a", 50);

    assertThat(bench.load("a")).isEqualTo(50 * MS);
  }

  @Test
  void latencyBelowTheAverageCountsByTheTimePassed() {
    Bench bench = bench(",decay=100ms");
    bench.serves("a", 50);
    bench.serves("a", 20); // 20 ms after the last: exp(-0.2) of the old one is left

    double kept = Math.exp(-0.2);
    assertThat(bench.load("a")).isCloseTo((50 * kept + 20 * (1 - kept)) * MS, within(1e-3));
  }

  @Test
  void averageDecaysWithoutRequests() {
    Bench bench = bench(",decay=100ms");
    bench.serves("a", 50);
    bench.at(50 + 300);

    assertThat(bench.load("a")).isCloseTo(50 * Math.exp(-3) * MS, within(1e-3));
  }

  @Test
  void decayDoesNotDependOnHowOftenItIsLookedAt() {
    // Finagle's EmaTest: updates are time invariant.
    Bench often = bench(",decay=100ms");
    Bench once = bench(",decay=100ms");
    often.serves("a", 50);
    once.serves("a", 50);
    for (int ms = 51; ms < 100; ms++) {
      often.at(ms).load("a");
    }

    assertThat(often.at(100).load("a")).isCloseTo(once.at(100).load("a"), within(1e-3));
  }

  @Test
  void averageIsMultipliedByTheRequestsInFlightAndThisOne() {
    Bench bench = bench(",decay=10s");
    bench.serves("a", 8);
    bench.opensOn("a");
    bench.opensOn("a");

    assertThat(bench.load("a")).isEqualTo(3 * 8 * MS);
  }

  @Test
  void newcomerIsFreeUntilItHasARequestThenDearerThanAny() {
    Bench bench = bench("");
    bench.serves("a", 3_600_000); // an hour
    for (int i = 0; i < 9; i++) {
      bench.opensOn("a");
    }
    assertThat(bench.load("b")).isZero();
    bench.opensOn("b");

    assertThat(bench.load("b"))
        .isEqualTo((Long.MAX_VALUE >> 16) + 1.0)
        .isGreaterThan(bench.load("a"));
  }

  @Test
  void newcomerMayBeginWithAnEstimate() {
    Bench bench = bench(",newcomer=rtt,rtt=30ms,decay=10s");
    assertThat(bench.load("b")).isEqualTo(30 * MS);
    bench.opensOn("b");

    assertThat(bench.load("b")).isEqualTo(2 * 30 * MS);
    bench.at(10_000);
    assertThat(bench.load("b")).isCloseTo(2 * 30 * Math.exp(-1) * MS, within(1e-3));
  }

  @Test
  void errorCountsByTheTimeItTookLikeFinagles() {
    Bench bench = bench("");
    bench.serves("a", 2, new Outcome.Failed(FailureKind.ERROR_STATUS));

    assertThat(bench.load("a")).isEqualTo(2 * MS);
  }

  @Test
  void errorMayCountAsAPenaltyLikeLinkerds() {
    Bench bench = bench(",failures=penalised,penalty=5s");
    bench.serves("a", 2, new Outcome.Failed(FailureKind.ERROR_STATUS));
    assertThat(bench.load("a")).isEqualTo(5_000 * MS);
    bench.serves("b", 2, new Outcome.Failed(FailureKind.POOL_EXHAUSTED)); // not the backend's fault

    assertThat(bench.load("b")).isEqualTo(2 * MS);
  }

  @Test
  void penaltyBelowTheAverageLeavesTheAverage() {
    Bench bench = bench(",failures=penalised,penalty=5ms,decay=100s");
    bench.serves("a", 4_000);
    bench.serves("a", 1, new Outcome.Failed(FailureKind.CONNECT_FAILED));

    assertThat(bench.load("a")).isCloseTo(4_000 * Math.exp(-1e-5) * MS, within(1e-3));
  }

  @Test
  void survivorKeepsItsAverageAndALateEndOfOneThatLeftIsIgnored() {
    Bench bench = bench(",decay=10s");
    bench.serves("a", 8);
    bench.opensOn("b");
    bench.becomes(Backend.of("x"), Backend.of("a"));
    bench.ends("b");

    assertThat(bench.load("a")).isEqualTo(8 * MS);
    assertThat(bench.load("x")).isZero();
  }

  @Test
  void backendThatDoesNotAnswerIsProbedAtMostOnce() {
    // P2CPeakEwmaTest: "Probe a node without latency history at most once".
    assertThat(picksOfTheLast(10, 5_000, 1, 10_000)).isEqualTo(1);
  }

  @Test
  void equallyFastBackendsShareEvenly() {
    // P2CPeakEwmaTest: "Balances evenly across identical nodes", one of 10 for each; the bound is
    // five
    // standard deviations of a binomial share, which peak EWMA undercuts.
    assertThat(picksOfTheLast(9, 5_000, 5, 5) / 5_000.0).isCloseTo(0.1, within(0.021));
  }

  /// One request a tick for so many ticks: how many the last backend gets, if the others answer
  /// after `othersTicks` and it after `itsTicks`. As in Finagle's test, decay is 150 ticks.
  private static int picksOfTheLast(int others, int requests, int othersTicks, int itsTicks) {
    OneProxy proxy = new OneProxy(BackendSet.ofSize(others + 1));
    proxy.install(
        Algorithms.builtIn(),
        "peak-ewma(decay=150ns)",
        "local",
        SeededRandom.of(12345, "coins", 0));
    List<List<Picked>> due = new ArrayList<>();
    for (int tick = 0; tick <= requests + Math.max(othersTicks, itsTicks); tick++) {
      due.add(new ArrayList<>());
    }
    int picks = 0;
    for (int tick = 0; tick < requests; tick++) {
      proxy.nowNanos = tick;
      due.get(tick).forEach(picked -> picked.complete(Outcome.SUCCEEDED));
      Picked picked = proxy.pick();
      boolean last = picked.index() == others;
      picks += last ? 1 : 0;
      due.get(tick + (last ? itsTicks : othersTicks)).add(picked);
    }
    return picks;
  }
}
