package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Retries and hedges during a run on real sockets: 300 requests in some 94 units of 20 ms on 4
/// backends. Every attempt is explained: audited, counted, and in flight once.
@Timeout(120)
final class AttemptsRunTest {
  @TempDir private Path folder;

  private CellResult.Comparison run(RunOptions.Layout layout, String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of("unit=20ms", "burn-in=1s", "proxies=2"));
    all.addAll(List.of(sets));
    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, all.toArray(String[]::new)),
            Live.options(folder.resolve("out"), layout),
            new Heard());
    assertThat(RunDocument.fromJson(document.toJson()).toJson()).isEqualTo(document.toJson());
    CellResult.Comparison comparison = document.cells().getFirst().comparison().orElseThrow();
    List<String> reasons = new ArrayList<>(comparison.verdict().reasons());
    reasons.removeIf(Live::isOfTheMachine);
    assertThat(reasons).isEmpty();
    AttemptCounts counts = comparison.accounting().attempts();
    assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(counts.attempts(), 0));
    assertThat(counts.attempts()).isEqualTo(300 + counts.retries() + counts.hedges());
    return comparison;
  }

  @ParameterizedTest
  @CsvSource({
    "refuse, p2c, local, ONE_PROCESS",
    "close, least-conn, 'shared-stale(refresh=2,own=true)', ONE_PROCESS",
    "status=500, round-robin, local, PROCESSES"
  })
  void whatABackendFailsAnotherOneServes(
      String fault, String algorithm, String view, RunOptions.Layout layout) throws Exception {
    CellResult.Comparison comparison =
        run(
            layout,
            "algorithm=" + algorithm,
            "view=" + view,
            "retries=2",
            "retry-budget=20%",
            "events=at=30 backend=b2 fault=" + fault + ",at=50 backend=b2 fault=none");

    assertThat(comparison.accounting().failed()).isEmpty();
    assertThat(comparison.accounting().attempts().retries()).isPositive();
    assertThat(comparison.twin().failed().orElseThrow().mean()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"p50, p2c, ONE_PROCESS", "2, random, PROCESSES", "0.5, round-robin, ONE_PROCESS"})
  void hedgesWinAndLoseAndAreReplayed(String hedge, String algorithm, RunOptions.Layout layout)
      throws Exception {
    CellResult.Comparison comparison = run(layout, "algorithm=" + algorithm, "hedge=" + hedge);

    assertThat(comparison.accounting().completed()).isEqualTo(300);
    AttemptCounts counts = comparison.accounting().attempts();
    assertThat(counts.hedges()).isPositive();
    assertThat(counts.hedgesWon()).isBetween(1L, counts.hedges());
    if (comparison.verdict().valid()) {
      assertThat(comparison.excess().p50()).isBetween(-0.1, 0.5);
      assertThat(comparison.measured().p95() - comparison.replay().p95()).isBetween(-0.5, 0.5);
    }
  }

  /// A hedge's coins and its instant are as uncertain as the picks: the twin's spread covers them.
  @Test
  void theTwinAgreesOnHedgedLatencies() throws Exception {
    CellResult.Comparison comparison =
        run(
            RunOptions.Layout.ONE_PROCESS,
            "algorithm=p2c",
            "hedge=1.5",
            "retries=1",
            "events=at=30 backend=b2 fault=close,at=40 backend=b2 fault=none");

    if (comparison.verdict().valid()) {
      CellResult.Spread p50 = comparison.twin().p50();
      // Three deviations and the cost of reality, 10 ms; a model without hedges is off by more.
      assertThat(comparison.measured().p50())
          .isBetween(p50.mean() - 3 * p50.sd() - 0.1, p50.mean() + 3 * p50.sd() + 0.5);
    }
  }
}
