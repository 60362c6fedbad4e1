package dev.herdlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunTextTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/run.txt");

  @Test
  void anUnstableCellIsCalledSoAndHasNoQuantiles() {
    RunDocument run = Samples.unstable();
    String text = RunText.of(run, Ink.PLAIN);

    assertThat(text)
        .contains("model    unstable: grows by 0.47 requests a unit (load 2.40)")
        .contains("unstable: some backend is sent more work than it can do")
        .contains("in 1 of 2 cells (the valid ones that settle)")
        .doesNotContain("NaN");
    assertThat(text.lines().filter(line -> line.contains("replay  ")).count()).isEqualTo(1);
    assertThat(run.cells().get(1).comparison().orElseThrow().measured().p99()).isNaN();
    assertThat(HtmlReport.of(run, List.of()))
        .contains("unstable: grows by 0.47 requests a unit")
        .doesNotContain("NaN");
    assertThat(run.toJson()).contains("\"state\" : \"unstable\"");
    assertThat(RunDocument.fromJson(run.toJson())).isEqualTo(run);
  }

  @Test
  void showsARunAsInTheGoldenFile() throws IOException {
    String text = RunText.of(Samples.run(), Ink.PLAIN);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, text);
    }

    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void fitsOneHundredAndTwentyColumns() {
    assertThat(RunText.of(Samples.run(), Ink.PLAIN).lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
  }

  @Test
  void hasColoursOnlyForATerminal() {
    assertThat(RunText.of(Samples.run(), Ink.PLAIN)).doesNotContain("\u001b");
    assertThat(RunText.of(Samples.run(), Ink.COLOUR)).contains("\u001b[1;31mNOT VALID");
  }

  @Test
  void readsTheHerdOffTheNumbers() {
    List<String> reading = Reading.of(Samples.run().cells());

    assertThat(reading)
        .contains(
            "least-conn on counts up to 4 units old (shared-stale(refresh=4)), k=16: p99 37.25 units,"
                + " round-robin 17.02: the herd: 2.2 times as long.",
            "least-conn that sees its own requests, k=1: p99 6.45 units, round-robin 18.63:"
                + " 65 % shorter.",
            "round-robin (local) from 1 to 16 proxies: p99 from 18.63 to 17.02 units, hardly"
                + " changed.");
  }

  @Test
  void speaksOfNoHerdWhereThereIsNone() {
    List<String> reading =
        Reading.of(
            List.of(
                Samples.cell("round-robin", "local", 16, 17, List.of()),
                Samples.cell("least-conn", "shared-stale(refresh=4)", 16, 17.5, List.of())));

    assertThat(reading).noneMatch(sentence -> sentence.contains("herd"));
    assertThat(reading).anyMatch(sentence -> sentence.endsWith("no clear difference."));
  }

  @Test
  void worseOnALocalViewIsNoHerd() {
    List<String> reading =
        Reading.of(
            List.of(
                Samples.cell("round-robin", "local", 16, 10, List.of()),
                Samples.cell("random", "local", 16, 20, List.of())));

    assertThat(reading.getFirst()).endsWith("round-robin 10.00: 2.0 times as long.");
  }

  /// The same cell, but its algorithm flips no coins, and the generator opened connections late.
  private static CellResult coinless(CellResult cell, boolean agrees) {
    CellResult.Comparison all = cell.comparison().orElseThrow();
    CellResult.Spread spread = new CellResult.Spread(1, 0, agrees);
    CellResult.Instrument read = all.instrument();
    CellResult.Comparison comparison =
        new CellResult.Comparison(
            all.measured(),
            all.replay(),
            all.replaySent(),
            all.excess(),
            new CellResult.Twin(1, spread, spread, spread, spread),
            all.audit(),
            all.budget(),
            new CellResult.Instrument(
                read.sendLagP99(),
                read.latenessP99(),
                read.longestStall(),
                read.othersCores(),
                read.ownCores(),
                read.gcPause(),
                read.achievedRate(),
                read.scheduling(),
                12),
            all.accounting(),
            all.herding(),
            all.verdict());
    return new CellResult(
        cell.plan(),
        cell.utilisation(),
        cell.traceSha256(),
        Optional.of(comparison),
        cell.model(),
        cell.tried());
  }

  @Test
  void algorithmsWithoutCoinsAreCountedApart() {
    CellResult turns = Samples.cell("round-robin", "local", 1, 10, List.of());
    List<CellResult> cells =
        List.of(
            coinless(turns, true),
            coinless(turns, false),
            Samples.cell("p2c", "local", 1, 6, List.of()));

    assertThat(Reading.of(cells))
        .contains(
            "Of 1 valid cell whose algorithm flips coins the twin agrees at p50, p95 and p99 in 1.",
            "Of 2 valid cells whose algorithm flips none, judged by picks alone, the twin makes the"
                + " same picks in 1.");
    RunDocument run = new RunDocument("m", "", Map.of(), cells);
    assertThat(RunText.of(run, Ink.PLAIN))
        .contains("is judged by its picks alone: != marks that the twin's are others.")
        .contains("connections opened late: 12");
    assertThat(RunText.of(Samples.run(), Ink.PLAIN))
        .doesNotContain("picks alone")
        .doesNotContain("opened late");
    assertThat(RunDocument.fromJson(run.toJson()).cells()).isEqualTo(cells);
  }

  @Test
  void averagesSeeds() {
    List<String> reading =
        Reading.of(
            List.of(
                Samples.cell("round-robin", "local", 16, 10, List.of()),
                Samples.cell("round-robin", "local", 16, 14, List.of()),
                Samples.cell("p2c", "local", 16, 6, List.of())));

    assertThat(reading.getFirst()).contains("p99 6.00 units, round-robin 12.00: 50 % shorter");
  }

  @Test
  void documentSurvivesItsWayThroughJson() {
    RunDocument run = Samples.run();

    RunDocument again = RunDocument.fromJson(run.toJson());

    assertThat(again.cells()).isEqualTo(run.cells());
    assertThat(again.toJson()).isEqualTo(run.toJson());
  }

  @Test
  void modelAloneTakesOneLineACell() {
    RunDocument model =
        new RunDocument(
            "m",
            "",
            Map.of(),
            Samples.run().cells().stream()
                .map(
                    cell ->
                        new CellResult(
                            cell.plan(),
                            cell.utilisation(),
                            cell.traceSha256(),
                            Optional.empty(),
                            cell.model(),
                            List.of()))
                .toList());

    assertThat(RunText.of(model, Ink.PLAIN))
        .contains("  4 least-conn, shared-stale(refresh=4), k=16")
        .doesNotContain("measured:");
  }

  @Test
  void whatHasNoNumberIsADashAndSaysWhy() {
    String text = RunText.of(Samples.withoutNumbers(), Ink.PLAIN);

    assertThat(text)
        .doesNotContain("NaN")
        .contains("cell 2 is not valid:\n  - All failed.")
        .contains("cell 3 is not valid:\n  - The attempt broke off: proxy process: ended with")
        .contains("2 of 3 cells are not valid")
        .contains("measured       -");
  }

  @Test
  void whatHasNoNumberIsNullInJson() {
    RunDocument run = Samples.withoutNumbers();
    String json = run.toJson();

    assertThat(json).doesNotContain("NaN").contains("\"p50\" : null");
    RunDocument again = RunDocument.fromJson(json);
    assertThat(again.cells()).isEqualTo(run.cells());
  }

  @Test
  void oneSeedHasNoInterval() {
    CellResult.LongModel one =
        new CellResult.LongModel(
            500,
            1,
            new Quantiles(1, 2, 3, 1),
            new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN));
    CellResult cell = Samples.run().cells().getFirst();
    RunDocument run =
        new RunDocument(
            "m",
            "",
            Map.of(),
            List.of(
                new CellResult(
                    cell.plan(),
                    0.8,
                    cell.traceSha256(),
                    Optional.empty(),
                    Optional.of(one),
                    List.of())));

    assertThat(run.toJson()).doesNotContain("half_width");
    assertThat(RunDocument.fromJson(run.toJson()).cells()).isEqualTo(run.cells());
    assertThat(RunText.of(run, Ink.PLAIN)).doesNotContain("±");
  }
}
