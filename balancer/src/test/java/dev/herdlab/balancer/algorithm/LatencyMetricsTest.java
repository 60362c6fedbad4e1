package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The metrics `latency-ewma` (ingress-nginx), `mean-latency` (Traefik) and `reported`.
final class LatencyMetricsTest extends AlgorithmContract {
  private static final double MS = Bench.MS;

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "p2c(metric=latency-ewma,draws=distinct)",
        "p2c(metric=mean-latency,samples=3)",
        "p2c(metric=least-time,inflight=true)",
        "p2c(metric=reported-in-flight)",
        "least-conn(metric=reported-utilisation)",
        "least-conn(metric=latency-ewma)");
  }

  @Test
  void ewmaTakesTheFirstLatencyWholeAndIgnoresRequestsInFlight() {
    Bench bench = Bench.ofMetric("p2c(metric=latency-ewma,decay=100s)", 1, 1);
    assertThat(bench.load("a")).isZero();
    bench.serves("a", 40);
    bench.opensOn("a");

    assertThat(bench.load("a")).isEqualTo(40 * MS);
  }

  @Test
  void ewmaMixesByTheTimePassedUpAndDown() {
    Bench bench = Bench.ofMetric("p2c(metric=latency-ewma,decay=100ms)", 1, 1);
    bench.serves("a", 40);
    bench.serves("a", 60);
    double kept = Math.exp(-0.6);

    assertThat(bench.load("a")).isCloseTo((40 * kept + 60 * (1 - kept)) * MS, within(1e-3));
  }

  @Test
  void ewmaCountsFastErrors() {
    Bench bench = Bench.ofMetric("p2c(metric=latency-ewma,decay=100s)", 1, 1);
    bench.serves("a", 1, new Outcome.Failed(FailureKind.CONNECT_FAILED));

    assertThat(bench.load("a")).isEqualTo(MS);
  }

  @Test
  void ewmaOfANewcomerIsTheMeanOfTheOthers() {
    Bench bench = Bench.ofMetric("p2c(metric=latency-ewma,decay=1000s)", 1, 1, 1);
    bench.serves("a", 40);
    bench.serves("b", 20);
    bench.becomes(Backend.of("x"), Backend.of("a"), Backend.of("b"), Backend.of("c"));

    assertThat(bench.load("x")).isEqualTo(30 * MS); // c, without a latency, has no say
    assertThat(bench.load("c")).isZero();
  }

  @Test
  void meanIsOfTheLastSoMany() {
    // Traefik's TestRingBufferWraparound and TestRingBufferLarge.
    Bench wrapped = Bench.ofMetric("p2c(metric=mean-latency)", 1, 1);
    Stream.generate(() -> 10).limit(100).forEach(ms -> wrapped.serves("a", ms));
    assertThat(wrapped.load("a")).isEqualTo(10.0);
    wrapped.serves("a", 20);
    assertThat(wrapped.load("a")).isCloseTo(10.1, within(1e-12));
    Stream.generate(() -> 30).limit(10).forEach(ms -> wrapped.serves("a", ms));
    assertThat(wrapped.load("a")).isCloseTo(12.1, within(1e-12));

    Bench large = Bench.ofMetric("p2c(metric=mean-latency)", 1, 1);
    Stream.iterate(1, ms -> ms + 1).limit(150).forEach(ms -> large.serves("a", ms));
    assertThat(large.load("a")).isCloseTo(100.5, within(1e-12));
  }

  @Test
  void meanCountsWholeTicksTimesTheRequestsInFlight() {
    Bench bench = Bench.ofMetric("p2c(metric=mean-latency,resolution=1ms)", 1, 1);
    bench.serves("a", 2.9);
    bench.opensOn("a");
    assertThat(bench.load("a")).isEqualTo(2 * 2.0);
    bench.serves("b", 0.9);

    assertThat(bench.load("b")).isZero();
  }

  @Test
  void meanIgnoresWhatBroughtNoAnswer() {
    Bench bench = Bench.ofMetric("p2c(metric=mean-latency)", 1, 1);
    bench.serves("a", 10, new Outcome.Failed(FailureKind.RESPONSE_TIMEOUT));
    assertThat(bench.load("a")).isZero();
    bench.serves("a", 10, new Outcome.Failed(FailureKind.ERROR_STATUS));

    assertThat(bench.load("a")).isEqualTo(10.0);
  }

  @Test
  void reportedIsWhatTheBackendSaidLast() {
    Bench inFlight = Bench.ofMetric("p2c(metric=reported-in-flight)", 1, 1);
    Bench utilisation = Bench.ofMetric("p2c(metric=reported-utilisation)", 1, 1);
    inFlight.reports("a", 7, 0.25);
    inFlight.reports("a", 6, 0.5);
    utilisation.reports("a", 6, 0.5);
    inFlight.reports("gone", 9, 1);
    inFlight.becomes(Backend.of("b"), Backend.of("a"));

    assertThat(inFlight.load("a")).isEqualTo(6);
    assertThat(inFlight.load("b")).isZero();
    assertThat(utilisation.load("a")).isEqualTo(0.5);
  }
}
