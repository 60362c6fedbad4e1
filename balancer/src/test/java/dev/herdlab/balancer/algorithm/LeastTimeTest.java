package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// By nginx's source, worked out by hand in its units (ms), and by Traefik's tests.
final class LeastTimeTest extends AlgorithmContract {
  private static final Outcome TIMEOUT = new Outcome.Failed(FailureKind.RESPONSE_TIMEOUT);

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "least-time", "least-time(inflight=true,max-fails=0)", "least-time(as=traefik,samples=7)");
  }

  private static Bench metric(String parameters) {
    return Bench.ofMetric("p2c(metric=least-time" + parameters + ")", 1, 1);
  }

  @Test
  void latencyMovesUpToTheNextStepEvenFromAStep() {
    Bench bench = metric("");
    assertThat(bench.load("a")).isEqualTo(20); // 0 + 20 - 0 % 20
    bench.serves("a", 19);
    assertThat(bench.load("a")).isEqualTo(20);
    bench.serves("b", 20);
    assertThat(bench.load("b")).isEqualTo(40);
  }

  @Test
  void firstLatencyCountsWholeLaterOnesByATwentieth() {
    Bench bench = metric("");
    bench.serves("a", 100);
    assertThat(bench.load("a")).isEqualTo(120);
    bench.serves("a", 700); // (long) (0.5 + 35 + 95) = 130

    assertThat(bench.load("a")).isEqualTo(140);
  }

  @Test
  void latencyIsMultipliedByTheRequestsInFlightAndThisOne() {
    Bench bench = metric("");
    bench.serves("a", 100);
    bench.opensOn("a");
    bench.opensOn("a");

    assertThat(bench.load("a")).isEqualTo(3 * 120);
  }

  @Test
  void aboveTheCapAllCountAsEquallySlow() {
    Bench bench = metric(",fail-timeout=100s");
    bench.serves("a", 5_001);
    bench.serves("b", 9_000);

    assertThat(bench.load("a")).isEqualTo(5_000);
    assertThat(bench.load("b")).isEqualTo(5_000);
  }

  @Test
  void latencyHalvesForEachFailTimeoutWithoutAPick() {
    Bench bench = metric(",fail-timeout=10s");
    bench.serves("a", 1_000); // picked, and so checked, at 0
    bench.at(10_000);
    assertThat(bench.load("a")).isEqualTo(1_020);
    bench.at(10_001);
    assertThat(bench.load("a")).isEqualTo(520);
    bench.at(20_000);
    assertThat(bench.load("a")).isEqualTo(260); // 250 up to the next step
    bench.opensOn("a"); // checked again

    assertThat(bench.load("a")).isEqualTo(2 * 1_020);
  }

  @Test
  void failuresAreNotSampledErrorsAre() {
    Bench bench = metric("");
    bench.serves("a", 100, TIMEOUT);
    assertThat(bench.load("a")).isEqualTo(20);
    bench.serves("a", 100, new Outcome.Failed(FailureKind.ERROR_STATUS));

    assertThat(bench.load("a")).isEqualTo(120);
  }

  @Test
  void requestsThatHaveNotEndedCountByTheirMeanAgeIfAsked() {
    Bench plain = metric("");
    Bench bench = metric(",inflight=true");
    for (Bench each : new Bench[] {plain, bench}) {
      each.opensOn("a"); // at 0
      each.at(100).opensOn("a");
      each.at(200);
    }

    assertThat(plain.load("a")).isEqualTo(3 * 20);
    assertThat(bench.load("a"))
        .isEqualTo(3 * 160); // first sample of the age: (200 + 100) / 2 = 150
    bench.at(400);
    // The next pick samples 350: (long) (0.5 + 17.5 + 142.5) = 160, and 160 moves up to 180.
    assertThat(bench.load("a")).isEqualTo(3 * 180);
  }

  @Test
  void ageIsSampledOnceAPickHoweverOftenItIsLookedAt() {
    Bench bench = metric(",inflight=true");
    bench.opensOn("a");
    double first = bench.at(100).load("a");
    bench.at(1_100).looksAtTheClock();

    assertThat(bench.metric.load(0)).isEqualTo(first).isEqualTo(2 * 120);
  }

  @Test
  void endedRequestNoLongerCountsInTheAge() {
    Bench bench = metric(",inflight=true");
    bench.opensOn("a"); // at 0
    bench.at(100).opensOn("a");
    bench.at(300).ends("a"); // the first, of age 300, whose latency of 300 is sampled
    bench.at(300);

    assertThat(bench.load("a")).isEqualTo(2 * 320); // age 200, latency 300
    bench.at(900);
    // Age 800: (long) (0.5 + 40 + 190) = 230; latency 300 is more.
    assertThat(bench.load("a")).isEqualTo(2 * 320);
  }

  @Test
  void requestOfAnEarlierStayIsForgotten() {
    Bench bench = metric(",inflight=true");
    bench.opensOn("b");
    bench.becomes(Backend.of("a"));
    bench.at(10).becomes(Backend.of("a"), Backend.of("b"));
    bench.opensOn("b");
    bench.at(40).ends("b"); // the old one

    assertThat(bench.load("b")).isEqualTo(2 * 40); // age 30 of the new one
  }

  @Test
  void picksTheOneThatWouldBeDoneFirstOverItsWeight() {
    Bench bench = Bench.of("least-time", 1, 3);

    // 20/3 and 40/3 are less than 20; 60/3 is a tie, which b's weight wins; 80/3 is more.
    assertThat(bench.opens(4)).isEqualTo("bbba");
  }

  @Test
  void equalOnesTakeTurnsByWeight() {
    // 20 (1 + q) / w: 20/5, 20/1, 20/1, then 40/5 ... 100/5 = 20/1: a tie of all three.
    Bench bench = Bench.of("least-time", 5, 1, 1);

    assertThat(bench.opens(4)).isEqualTo("aaaa");
    assertThat(bench.opens(3)).isEqualTo("abc"); // smooth: (5,1,1) a; then b and c alone
  }

  @Test
  void unansweredRequestShutsABackendOutForAWhile() {
    Bench bench = Bench.of("least-time(fail-timeout=1s)", 1, 1);
    assertThat(bench.opens(1)).isEqualTo("a");
    bench.ends("a", TIMEOUT);
    assertThat(bench.opens(3)).isEqualTo("bbb");
    bench.at(1_001);

    assertThat(bench.opens(1)).isEqualTo("a");
    assertThat(bench.opens(1)).isEqualTo("b"); // one request shows whether it is well
  }

  @Test
  void traefikPrefersTheLessLoadedUntilItReachesTheOther() {
    // As in Traefik's TestScoreCalculationWithInflight: 10 ms each, more in flight on the first.
    Bench bench = Bench.of("least-time(as=traefik)", 1, 1);
    assertThat(bench.opens(3)).isEqualTo("aab"); // no latency: deadlines 1 and 2, 2 and 2, 3 and 2
    bench.at(10).ends("a");
    bench.ends("a");
    bench.ends("b");
    // Scores are 10 (1 + q): a tie (deadlines 3 and 3), 20 to 10, a tie (4 and 3), 20 to 30.
    assertThat(bench.opens(4)).isEqualTo("abba");
    bench.ends("b");
    bench.ends("b");

    assertThat(bench.opens(2)).isEqualTo("bb"); // 30 to 10, 30 to 20
  }

  @Test
  void traefikSharesEqualScoresByWeight() {
    // Traefik's TestWRRTieBreakingWeightedDistribution, with its weights: 60 and 20 of 80, one more
    // or
    // less.
    Bench bench = Bench.of("least-time(as=traefik)", 3, 1);
    String picks = bench.proxy.picks(80); // all at once, so no latency is known: equal scores

    assertThat(picks.chars().filter(c -> c == 'a').count()).isBetween(59L, 61L);
  }

  @Test
  void traefikStartsStaggered() {
    // Deadlines 1/2, 3/2, 5/2 with weights 2, 1, 1: a at 1/2, a at 1, then a and b tie at 3/2.
    Bench bench = Bench.of("least-time(as=traefik)", 2, 1, 1);

    assertThat(bench.proxy.picks(8)).isEqualTo("aaabaabc");
  }
}
