package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The products' curves, and what they do to weights and loads.
final class SlowStartTest extends AlgorithmContract {
  private static final long SECOND = 1000;

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "slow-start(of=smooth-weighted-round-robin)",
        "slow-start(of=edf,curve=armeria)",
        "slow-start(of=least-conn,curve=haproxy)",
        "slow-start(of=p2c)",
        "slow-start(of=outlier-ejection(of=static-stride))");
  }

  /// Ages, windows and factors of the tests of Envoy's round-robin
  /// (`test/extensions/load_balancing_policies/round_robin`), which state two digits.
  @ParameterizedTest
  @CsvSource({
    "0.001, 60, 1, 0.1, 0.1",
    "12, 60, 1, 0.1, 0.2",
    "20, 60, 1, 0.1, 0.333",
    "6, 10, 1, 0.1, 0.6",
    "5, 60, 2, 0.1, 0.289",
    "6, 60, 2, 0.1, 0.316",
    "26, 60, 2, 0.1, 0.658",
    "9, 10, 1.5, 0.1, 0.932",
    "12, 60, 1, 0.35, 0.35",
    "30, 60, 1, 0.35, 0.5"
  })
  void envoysCurve(double age, double window, double aggression, double least, double share) {
    assertThat(StartCurve.ENVOY.at(age / window, aggression, least)).isEqualTo(share, within(5e-4));
  }

  /// `w = (16 age + slowstart) / slowstart` in whole numbers, of 16, as in `server_recalc_eweight`.
  @ParameterizedTest
  @ValueSource(ints = {16, 20, 60, 300})
  void haproxysCurve(int window) {
    for (int age = 0; age < window; age++) {
      int steps = (16 * age + window) / window;
      assertThat(StartCurve.HAPROXY.at((double) age / window, 1, 0.1)).isEqualTo(steps / 16.0);
    }
  }

  /// The test `minWeight` of Armeria's `WeightTransition`: ten steps, at least a half.
  @Test
  void armeriasCurve() {
    for (int step = 1; step <= 10; step++) {
      double share = StartCurve.ARMERIA.at((step - 1) / 10.0, 1, 0.5);
      assertThat(share).isEqualTo(step <= 5 ? 0.5 : step / 10.0, within(1e-12));
    }
    assertThat(StartCurve.ARMERIA.at(0.25, 2, 0.1)).isEqualTo(Math.sqrt(0.3), within(1e-12));
  }

  private static Bench joinedByB(String spec) {
    Bench bench = Bench.of(spec, 1);
    bench.at(61 * SECOND).becomes(Backend.of("a"), Backend.of("b"));
    return bench;
  }

  private static long picksOfB(Bench bench, int picks) {
    return bench.proxy.picks(picks).chars().filter(id -> id == 'b').count();
  }

  /// Envoy's `SlowStartNoWait`: 4:1 after 12 of 60 s, about 2:1 after 20 (0.33), 1:1 at the end.
  ///
  /// A deadline of the time before may be as far away as its own weight says: three picks.
  @ParameterizedTest
  @ValueSource(strings = {"smooth-weighted-round-robin", "edf(start=due)"})
  void weightedAlgorithmsSendANewBackendItsShare(String of) {
    Bench bench = joinedByB("slow-start(of=" + of + ",window=60s)");

    bench.at(73 * SECOND);
    assertThat(picksOfB(bench, 600)).isBetween(99L, 101L);
    bench.at(81 * SECOND);
    assertThat(picksOfB(bench, 532)).isBetween(130L, 134L);
    bench.at(122 * SECOND);
    assertThat(picksOfB(bench, 600)).isBetween(297L, 303L);
  }

  /// With a fifth of its weight it seems to have (0 + 1) / 0.2 - 1 = 4 in flight, then 9.
  @Test
  void algorithmsByLoadsSeeANewBackendBusier() {
    Bench bench = joinedByB("slow-start(of=least-conn(ties=first),window=60s)");

    assertThat(bench.at(73 * SECOND).opens(12)).isEqualTo("aaaaabaaaaab");
    bench.open.forEach(lease -> lease.complete(Outcome.SUCCEEDED));
    assertThat(bench.at(122 * SECOND).opens(4)).isEqualTo("abab");
  }

  /// istio/istio#42236: a fleet that was restarted as a whole starts at full speed.
  @ParameterizedTest
  @ValueSource(
      strings = {"smooth-weighted-round-robin", "static-stride", "least-conn", "p2c", "peak-ewma"})
  void doesNothingWhileAllBackendsAreEquallyNew(String of) {
    Bench plain = Bench.of(of, 2, 1, 1);
    Bench slow = Bench.of("slow-start(of=" + of + ",window=60s)", 2, 1, 1);

    for (int second = 0; second < 70; second++) {
      String expected = plain.at(second * SECOND).opens(3);
      assertThat(slow.at(second * SECOND).opens(3)).isEqualTo(expected);
      plain.open.removeFirst().complete(Outcome.SUCCEEDED);
      slow.open.removeFirst().complete(Outcome.SUCCEEDED);
    }
  }

  @Test
  void aBackendThatLeftAndReturnedIsNew() {
    Bench bench = joinedByB("slow-start(of=smooth-weighted-round-robin,window=60s)");
    bench.at(200 * SECOND).becomes(Backend.of("a"));
    bench.becomes(Backend.of("a"), Backend.of("b"));

    bench.at(212 * SECOND);
    assertThat(picksOfB(bench, 600)).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "of=random|of=random",
        "of=round-robin|of=round-robin",
        "of=ring-hash|of=ring-hash",
        "of=weighted-round-robin|of=weighted-round-robin",
        "of=p2c(metric=reported-in-flight)|of=p2c(metric=reported-in-flight)",
        "of=sticky|of=sticky"
      })
  void refusesWhatHasNothingToTurnDown(String parameter, String token) {
    String spec = "slow-start(" + parameter + ")";
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1_000_000))
        .hasMessage(
            "algorithm '%s', column 12: %s (expected: an algorithm that goes by weights or by requests in flight)",
            spec, token);
  }

  @Test
  void refusesAggressionWithHaproxysCurve() {
    assertThatThrownBy(
            () -> Algorithms.builtIn().parse("slow-start(of=edf,curve=haproxy,aggression=2)", 1))
        .hasMessageContaining("aggression=2 (expected: no aggression with curve=haproxy)");
  }
}
