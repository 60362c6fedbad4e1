package dev.herdlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.Threshold;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.ThresholdCheck;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Thresholds on made-up cells: what is compared, and how it is shown.
class ThresholdReportTest {
  /// Measured p99 8 and a model of p99 10, shares of 16 backends with one at 0.1.
  private static CellResult cell(String algorithm, double measuredP99, double modelP99) {
    CellResult made = Samples.cell(algorithm, "local", 1, measuredP99, List.of());
    CellResult.Comparison comparison = made.comparison().orElseThrow();
    List<Double> shares = new ArrayList<>(Collections.nCopies(15, 0.06));
    shares.add(0.1);
    return new CellResult(
        made.plan(),
        made.utilisation(),
        made.traceSha256(),
        Optional.of(
            new CellResult.Comparison(
                comparison.measured(),
                comparison.replay(),
                comparison.replaySent(),
                comparison.excess(),
                comparison.twin(),
                comparison.audit(),
                comparison.budget(),
                comparison.instrument(),
                new CellResult.Accounting(5000, 4990, Map.of("connect-failed", 10L)),
                new CellResult.Herding(0.2, 0.2, shares),
                comparison.verdict())),
        Optional.of(
            new CellResult.LongModel(
                1000,
                5,
                new Quantiles(1, 2, modelP99, 1),
                new Quantiles(0, 0, 0, 0),
                shares,
                5,
                Stability.UNKNOWN,
                Map.of("no-backend", 5L))),
        made.tried());
  }

  private static RunDocument run(String... thresholds) {
    return new RunDocument(
        "t",
        "",
        Map.of(),
        Arrays.stream(thresholds).map(it -> Threshold.read(it).orElseThrow()).toList(),
        List.of(cell("p2c", 8, 10), cell("least-conn", 16, 11)));
  }

  private static List<String> outcomes(RunDocument run) {
    return run.checks().stream()
        .map(
            it ->
                "%d %s %s/%s %s"
                    .formatted(
                        it.cell(),
                        it.on().word(),
                        ThresholdText.number(it.value()),
                        ThresholdText.number(it.limit()),
                        it.state().word()))
        .toList();
  }

  @Test
  void measuredAndModelValuesAreJudgedAlike() {
    assertThat(outcomes(run("p99 < 10.5")))
        .containsExactly(
            "0 measured 8/10.500 met",
            "0 model 10/10.500 met",
            "1 measured 16/10.500 broken",
            "1 model 11/10.500 broken");
  }

  @Test
  void errorsAreCountedOrAShareOfAllRequests() {
    assertThat(outcomes(run("errors == 0")))
        .startsWith("0 measured 10/0 broken", "0 model 5/0 broken");
    assertThat(outcomes(run("errors < 0.15%")))
        .startsWith("0 measured 0.200/0.150 broken", "0 model 0.100/0.150 met");
  }

  @Test
  void sharesAreMultiplesOfTheFairOneOrPercent() {
    assertThat(outcomes(run("share(max) < 1.3x"))).startsWith("0 measured 1.600/1.300 broken");
    assertThat(outcomes(run("share(min) > 0.9x"))).startsWith("0 measured 0.960/0.900 met");
    assertThat(outcomes(run("share(max) <= 10%"))).startsWith("0 measured 10/10 met");
  }

  @Test
  void anotherAlgorithmsCellIsTheMeasure() {
    assertThat(outcomes(run("p99 < 1.2 x p2c")))
        .containsExactly("1 measured 16/9.600 broken", "1 model 11/12 met");
  }

  @Test
  void aRuleWhoseOtherCellWasNotRunIsNotJudged() {
    RunDocument whole = run("p99 < 1.2 x p2c");
    RunDocument part =
        new RunDocument("t", "", Map.of(), whole.thresholds(), List.of(whole.cells().get(1)));

    assertThat(part.checks())
        .extracting(ThresholdCheck::state)
        .containsOnly(ThresholdCheck.State.NOT_JUDGED);
    assertThat(RunText.of(part, Ink.PLAIN)).contains("not judged  p99 < 1.2 x p2c  cell 1");
  }

  @Test
  void aCellWithoutANumberBreaksARule() {
    CellResult none = Samples.withoutNumbers().cells().get(1);
    RunDocument run =
        new RunDocument(
            "t", "", Map.of(), List.of(Threshold.read("p99 < 12").orElseThrow()), List.of(none));

    assertThat(outcomes(run)).containsExactly("0 measured none/12 broken");
  }

  @Test
  void everyReportNamesThem() {
    RunDocument run = run("p99 < 10.5", "p99 < 1.2 x p2c", "p50 < 100");

    String text = RunText.of(run, Ink.PLAIN);
    assertThat(text)
        .contains("\nThresholds\n")
        .contains("  BROKEN  p99 < 10.5  cell 2 (least-conn, local, k=1), measured: 16\n")
        .contains(
            "  BROKEN  p99 < 1.2 x p2c  cell 2 (least-conn, local, k=1), measured: 16, limit 9.600")
        .contains("  met     p50 < 100  (4 values)\n");
    assertThat(text.lines()).allMatch(line -> line.length() <= 120);
    assertThat(HtmlReport.of(run, List.of()))
        .contains("<h2>Thresholds</h2>")
        .contains("p99 &lt; 1.2 x p2c")
        .contains("<span class=\"bad\">broken</span>");
    assertThat(run.toJson()).contains("\"thresholds\"").contains("\"state\" : \"broken\"");
    assertThat(RunText.of(Samples.run(), Ink.PLAIN)).doesNotContain("Thresholds");
    assertThat(RunDocument.fromJson(run.toJson())).isEqualTo(run);
  }
}
