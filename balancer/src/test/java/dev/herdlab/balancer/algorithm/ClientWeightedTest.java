package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// gRPC A58, by the numbers of grpc-go's balancer_test.go: the second backend earns ten times the
/// weight of the first.
final class ClientWeightedTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("client-weighted", "client-weighted(start=zero,update=1ms)");
  }

  private static Bench reported(String parameters) {
    Bench bench = Bench.of("client-weighted(start=zero" + parameters + ")", 1, 1);
    reports(bench);
    return bench;
  }

  /// 10 / 1.0 = 10 and 10 / 0.1 = 100.
  private static void reports(Bench bench) {
    bench.reports("a", 0, 1.0, 10, 0);
    bench.reports("b", 0, 0.1, 10, 0);
  }

  /// How many of 110 picks fall on b: 100 by the weights, 55 in turn.
  private static long onB(Bench bench) {
    return bench.proxy.picks(110).chars().filter(c -> c == 'b').count();
  }

  @Test
  void weightIsRateOverUtilisation() {
    Bench bench = reported(",blackout=1ns,update=1ms");
    bench.at(1);

    assertThat(onB(bench)).isBetween(99L, 101L);
  }

  @ParameterizedTest
  @CsvSource({"0, 100", "0.9, 55"})
  void errorsAddToTheUtilisation(double penalty, long expected) {
    // TestBalancer_TwoAddresses_ErrorPenalty: b's 10 / 0.1 becomes 10 / (0.1 + 10 / 10 · 0.9).
    Bench bench =
        Bench.of(
            "client-weighted(start=zero,blackout=1ns,update=1ms,error-penalty=" + penalty + ")",
            1,
            1);
    bench.reports("a", 0, 1.0, 10, 0);
    bench.reports("b", 0, 0.1, 10, 10);
    bench.at(1);

    assertThat(onB(bench)).isBetween(expected - 1, expected + 1);
  }

  @ParameterizedTest
  @CsvSource({"'', 10000", "',blackout=1s', 1000"})
  void weightCountsAfterTheBlackout(String parameters, long blackoutMs) {
    Bench bench = reported(parameters + ",update=1ms");
    bench.at(1);
    assertThat(onB(bench)).isEqualTo(55);
    bench.proxy.nowNanos = blackoutMs * Bench.MS - 1;
    assertThat(onB(bench)).isEqualTo(55);
    bench.at(blackoutMs + 1); // the update after

    assertThat(onB(bench)).isBetween(99L, 101L);
  }

  @Test
  void weightExpiresAndIsBlackedOutAgain() {
    Bench bench = reported(",blackout=2s,update=1ms");
    bench.at(179_000);
    assertThat(onB(bench)).isBetween(99L, 101L);
    bench.at(180_001);
    assertThat(onB(bench)).isEqualTo(55);
    reports(bench);
    bench.at(181_000);
    assertThat(onB(bench)).isEqualTo(55);
    bench.at(182_002);

    assertThat(onB(bench)).isBetween(99L, 101L);
  }

  @Test
  void reportsWithoutRateOrUtilisationAreIgnored() {
    Bench bench = reported(",blackout=1ns,update=1ms");
    bench.reports("b", 0, 0, 10, 0);
    bench.reports("b", 0, 0.5, 0, 0);
    bench.at(1);

    assertThat(onB(bench)).isBetween(99L, 101L);
  }

  @Test
  void weightsAreTakenOverOnceAnInterval() {
    Bench bench = reported(",blackout=1ns,update=5s");
    bench.at(4_999);
    assertThat(onB(bench)).isEqualTo(55);
    bench.at(5_000);

    assertThat(onB(bench)).isBetween(99L, 101L);
  }

  @Test
  void newcomerHasTheMeanWeightAndSurvivorsKeepTheirs() {
    Bench bench = reported(",blackout=1ns,update=1ms");
    bench.at(1).becomes(Backend.of("x"), Backend.of("b"), Backend.of("a"));
    String picks = bench.proxy.picks(33); // weights 55, 100, 10

    assertThat(picks.chars().filter(c -> c == 'x').count()).isBetween(10L, 12L);
    assertThat(picks.chars().filter(c -> c == 'b').count()).isBetween(19L, 21L);
  }
}
