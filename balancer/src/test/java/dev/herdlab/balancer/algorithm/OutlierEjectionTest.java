package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// gRPC's own cases, how long ejections are, and what the algorithm inside sees.
final class OutlierEjectionTest extends AlgorithmContract {
  private static final long SECOND = 1000;
  private static final String BY_RATE =
      "outlier-ejection(of=round-robin,by=success-rate,stdev-factor=0.5,rate-hosts=3,rate-volume=3)";
  private static final String BY_FAILURES =
      "outlier-ejection(of=round-robin,by=failures,failures=50%,failures-hosts=3,failures-volume=3)";

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "outlier-ejection(of=p2c)",
        "outlier-ejection(of=round-robin,by=failures)",
        "panic(of=outlier-ejection(of=least-conn(metric=peak-ewma)))",
        "outlier-ejection(of=slow-start(of=edf))");
  }

  /// So many picks, those of `failing` failed.
  private static String round(Bench bench, int picks, String failing) {
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < picks; i++) {
      String id = bench.opens(1);
      ids.append(id);
      Outcome outcome =
          failing.contains(id) ? new Outcome.Failed(FailureKind.ERROR_STATUS) : Outcome.SUCCEEDED;
      bench.open.removeLast().complete(outcome);
    }
    return ids.toString();
  }

  /// `TestEjectUnejectSuccessRate` and its twin for the failure percentage, of grpc-go's
  /// `balancer_test.go`: three backends with five successes each: nobody; five failures of the
  /// third: it; past the ejection's end: nobody.
  @Test
  void ejectsAndTakesBackAsGrpcDoes() {
    for (String spec : List.of(BY_RATE, BY_FAILURES)) {
      Bench bench = Bench.of(spec, 1, 1, 1);

      round(bench, 15, "");
      bench.at(10 * SECOND);
      assertThat(round(bench, 15, "c")).isEqualTo("abcabcabcabcabc");
      bench.at(20 * SECOND);
      assertThat(round(bench, 6, "")).isEqualTo("ababab");
      bench.at(50 * SECOND - 1);
      assertThat(round(bench, 4, "")).doesNotContain("c");
      bench.at(50 * SECOND);
      assertThat(round(bench, 6, "")).contains("c");
    }
  }

  /// Four of 99 % and one of 95 %: mean 98.2 %, standard deviation 1.6 %, and 95 % two of it below.
  @Test
  void aRateIsAnOutliersBelowTheMeanByTheFactorTimesTheDeviation() {
    List<OutlierRules.Count> counts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      counts.add(new OutlierRules.Count(i, 99, 1));
    }
    counts.add(new OutlierRules.Count(4, 95, 5));

    assertThat(OutlierRules.bySuccessRate(counts, new OutlierRules.Rule(1.9, 100, 5, 100)))
        .containsExactly(counts.get(4));
    assertThat(OutlierRules.bySuccessRate(counts, new OutlierRules.Rule(2.1, 100, 5, 100)))
        .isEmpty();
    assertThat(OutlierRules.bySuccessRate(counts, new OutlierRules.Rule(1.9, 100, 6, 100)))
        .isEmpty();
    assertThat(OutlierRules.bySuccessRate(counts, new OutlierRules.Rule(1.9, 100, 1, 101)))
        .isEmpty();
  }

  @Test
  void aShareOfFailuresMustExceedTheThreshold() {
    List<OutlierRules.Count> counts =
        List.of(new OutlierRules.Count(0, 15, 85), new OutlierRules.Count(1, 14, 86));

    assertThat(OutlierRules.byFailures(counts, new OutlierRules.Rule(0.85, 100, 2, 50)))
        .containsExactly(counts.get(1));
  }

  @Test
  void eachEjectionInARowIsLongerByOneBase() {
    Bench bench = Bench.of(BY_FAILURES, 1, 1, 1);
    round(bench, 15, "c");
    bench.at(40 * SECOND);
    assertThat(round(bench, 15, "c")).contains("c");

    // The second one, from 50 s on, is of 60 s.
    bench.at(110 * SECOND - 1);
    assertThat(round(bench, 6, "")).isEqualTo("ababab");
    bench.at(110 * SECOND);
    assertThat(round(bench, 6, "")).contains("c");
  }

  @Test
  void intervalsInPeaceShortenTheNextEjection() {
    Bench bench = Bench.of(BY_FAILURES, 1, 1, 1);
    round(bench, 15, "c");
    bench.at(60 * SECOND);
    assertThat(round(bench, 15, "c")).contains("c");

    bench.at(100 * SECOND - 1);
    assertThat(round(bench, 6, "")).isEqualTo("ababab");
    bench.at(100 * SECOND);
    assertThat(round(bench, 6, "")).contains("c");
  }

  /// A tenth of three is less than one: one is ejected all the same, and then no more.
  @Test
  void ejectsOneWhateverTheLimitAndNoMoreBeyondIt() {
    Bench bench = Bench.of(BY_FAILURES, 1, 1, 1);
    round(bench, 15, "bc");
    bench.at(10 * SECOND);

    assertThat(round(bench, 6, "")).isEqualTo("acacac");
  }

  @Test
  void anEjectedBackendIsAnOldOneOnlyToTheOutside() {
    Bench bench =
        Bench.of(
            BY_FAILURES.replace("of=round-robin", "of=slow-start(of=edf(start=due),window=100s)"),
            1,
            1,
            1);
    bench.at(200 * SECOND);
    round(bench, 300, "");
    bench.at(210 * SECOND);
    round(bench, 30, "c");
    bench.at(250 * SECOND);

    // Back since now: a tenth of the others' weight.
    String picks = round(bench, 210, "");
    assertThat(picks.chars().filter(id -> id == 'c').count()).isBetween(9L, 11L);
  }

  @Test
  void refusesWhenAllAreEjected() {
    Bench bench = Bench.of(BY_FAILURES.replace("by=", "most=100%,by="), 1, 1, 1);
    round(bench, 15, "abc");
    bench.at(10 * SECOND);

    assertThat(bench.proxy.dispatcher.pick(PickContext.PLAIN))
        .isEqualTo(new NoBackend("all backends are ejected"));
  }

  /// Below the threshold all are used again, while the ejections go on and end in their time.
  @Test
  void panicUsesAllWhenTooFewAreLeft() {
    String ejection = BY_FAILURES.replace("by=", "most=100%,by=");
    Bench bench = Bench.of("panic(of=" + ejection + ",threshold=50%)", 1, 1, 1, 1);
    round(bench, 20, "bc");
    bench.at(10 * SECOND);
    assertThat(round(bench, 20, "d")).as("half are left").doesNotContain("b", "c");

    Bench worse = Bench.of("panic(of=" + ejection + ",threshold=50%)", 1, 1, 1, 1);
    round(worse, 20, "bcd");
    worse.at(10 * SECOND);
    assertThat(round(worse, 8, "")).as("a quarter is left").contains("b", "c", "d");
    worse.at(40 * SECOND);
    assertThat(round(worse, 8, "")).contains("b", "c", "d");
  }

  @Test
  void panicMustStandAroundWhatEjects() {
    assertThatThrownBy(() -> Algorithms.builtIn().parse("panic(of=p2c)", 1))
        .hasMessage(
            "algorithm 'panic(of=p2c)', column 7: of=p2c (expected: outlier-ejection(of=...), the one that ejects)");
  }

  @Test
  void ejectionsSurviveAChangeOfTheSet() {
    Bench bench = Bench.of(BY_FAILURES, 1, 1, 1);
    round(bench, 15, "c");
    bench.at(10 * SECOND);
    bench.becomes(Backend.of("c"), Backend.of("a"), Backend.of("x"), Backend.of("b"));

    assertThat(round(bench, 9, "")).doesNotContain("c").contains("x");
  }

  @Test
  void enforcesAsOftenAsItIsTold() {
    int ejections = 0;
    for (int seed = 0; seed < 400; seed++) {
      Bench bench =
          Bench.of(
              BY_FAILURES.replace("by=", "failures-enforced=30,by="),
              SeededRandom.of(seed, "coins", 0),
              1,
              1,
              1);
      round(bench, 15, "c");
      bench.at(10 * SECOND);
      ejections += round(bench, 6, "").contains("c") ? 0 : 1;
    }
    // Binomial(400, 0.3): mean 120, standard deviation 9.2; five of them on each side (6e-7).
    assertThat(ejections).isBetween(74, 166);
  }
}
