package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.report.Samples;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.SelftestResult;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.transport.Scheduling;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every bug that the self-test seeds is caught, at a smaller size than the command's.
@Timeout(60)
final class SelftestTest {
  private static final CellPlan SMALL =
      new CellPlan(
          5_000_000,
          4,
          Collections.nCopies(4, 1.0),
          Collections.nCopies(4, 1),
          "lognormal(mu=-0.36,sigma=0.85)",
          "poisson",
          "none",
          2,
          0.8,
          500,
          50,
          0,
          "p2c",
          "local");

  @ParameterizedTest
  @ValueSource(
      strings = {"leaked count", "p2c in name only", "chained sleeps", "stalled generator"})
  void bugIsCaught(String name) throws Exception {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      Selftest selftest = new Selftest(SMALL, models, new Heard(), Scheduling.DEFAULT);
      Selftest.Fault fault =
          selftest.faults().stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow();

      SelftestResult.Check check = selftest.check(fault);

      assertThat(check.passed()).as(check.evidence()).isTrue();
      assertThat(check.evidence()).contains(fault.reason());
    }
  }

  private static CellResult.Comparison of(RunDocument run, int cell) {
    return run.cells().get(cell).comparison().orElseThrow();
  }

  /// Valid, though the twin disagrees.
  private static CellResult.Comparison disagreeing(CellResult.Comparison all) {
    return new CellResult.Comparison(
        all.measured(),
        all.replay(),
        all.replaySent(),
        all.excess(),
        all.twin(),
        all.audit(),
        all.budget(),
        all.instrument(),
        all.accounting(),
        all.herding(),
        new CellResult.Verdict(List.of()));
  }

  private static SelftestResult.Check judged(Deque<CellResult.Comparison> attempts)
      throws Exception {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      return new Selftest(SMALL, models, new Heard(), Scheduling.DEFAULT)
          .untilValid("A/A", attempts::removeFirst)
          .check("");
    }
  }

  @Test
  void soundRunIsMeasuredAgainOnlyWhileItIsNotValid() throws Exception {
    CellResult.Comparison sound = of(Samples.run(), 0);
    CellResult.Comparison notValid = of(Samples.run(), 4);
    Deque<CellResult.Comparison> attempts =
        new ArrayDeque<>(List.of(notValid, notValid, sound, sound));

    SelftestResult.Check check = judged(attempts);

    assertThat(attempts).hasSize(1);
    assertThat(check.passed()).isTrue();
    assertThat(check.evidence())
        .startsWith("0 of 5000 picks differ; p50 2.33, p95 9.32, p99 18.63 units; the twin agrees")
        .contains("attempt 3, not valid before: " + notValid.verdict().reasons().getFirst());
  }

  @Test
  void firstValidRunIsJudgedWhateverItsQuantiles() throws Exception {
    CellResult.Comparison sound = of(Samples.run(), 0);
    Deque<CellResult.Comparison> attempts =
        new ArrayDeque<>(List.of(disagreeing(of(Samples.run(), 4)), sound));

    SelftestResult.Check check = judged(attempts);

    assertThat(attempts).hasSize(1);
    assertThat(check.passed()).isFalse();
    assertThat(check.evidence()).contains("the twin says otherwise");
  }

  @Test
  void soundRunThatIsNeverValidFails() throws Exception {
    CellResult.Comparison notValid = of(Samples.run(), 4);
    Deque<CellResult.Comparison> attempts = new ArrayDeque<>(Collections.nCopies(9, notValid));

    assertThat(judged(attempts).passed()).isFalse();
    assertThat(attempts).hasSize(4);
  }

  @Test
  void aFaultThatIsNotThereIsNotFound() throws Exception {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      Selftest selftest = new Selftest(SMALL, models, new Heard(), Scheduling.DEFAULT);
      for (Selftest.Fault fault : selftest.faults().subList(0, 3)) {
        Selftest.Fault none =
            new Selftest.Fault(
                fault.name(),
                "nothing",
                fault.reason(),
                Deadlines.IDEAL,
                OneProcess.Sabotage.NONE,
                Cell.of(SMALL, Algorithms.builtIn()));

        assertThat(selftest.check(none).passed()).isFalse();
      }
    }
  }
}
