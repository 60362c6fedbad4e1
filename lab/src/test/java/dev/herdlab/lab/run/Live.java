package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Short experiments on sockets, and what holds for each, however noisy the machine is.
final class Live {
  private static final String SHORT =
      """
      unit: 5ms
      backends: 4
      requests: 300
      warmup: 30
      burn-in: 0s
      attempts: 1
      model-requests: 2000
      model-seeds: 2
      """;

  private Live() {}

  /// About half a second a cell, with what `sets` says beside.
  static Experiment experiment(Path folder, String... sets) throws IOException {
    Path file = Files.writeString(folder.resolve("short.yaml"), SHORT);
    return Experiment.load(Optional.of(file), Arrays.asList(sets), Map.of());
  }

  /// The first cell of such an experiment.
  static Cell cell(Path folder, String... sets) throws IOException {
    Experiment experiment = experiment(folder, sets);
    return Cell.of(experiment.cells().getFirst(), experiment.algorithms());
  }

  static RunOptions options(Path out, RunOptions.Layout layout) {
    return new RunOptions(Optional.of(out), layout, RunOptions.Priority.DEFAULT);
  }

  /// Every request is accounted for and completed, every pick is explained, and the parts of the
  /// mean latency add up to it.
  static void assertSound(RunDocument document) {
    for (CellResult cell : document.cells()) {
      CellPlan plan = cell.plan();
      CellResult.Comparison comparison = cell.comparison().orElseThrow();
      assertThat(comparison.accounting())
          .isEqualTo(new CellResult.Accounting(plan.requests(), plan.requests(), Map.of()));
      assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(plan.requests(), 0));
      assertThat(comparison.budget()).hasSize(8);
      assertThat(comparison.budget().values().stream().mapToDouble(CellResult.Part::mean).sum())
          .isCloseTo(comparison.measured().mean(), within(1e-9));
      assertThat(comparison.replay().p50()).isPositive();
      assertThat(comparison.twin().p50().mean()).isPositive();
      assertThat(cell.model().orElseThrow().seeds()).isEqualTo(2);
      assertThat(cell.tried()).hasSize(1);
      // Nothing that is wrong with the record.
      List<String> reasons = new ArrayList<>(comparison.verdict().reasons());
      reasons.removeIf(Live::isOfTheMachine);
      assertThat(reasons).isEmpty();
    }
  }

  /// Whether a reason is what a noisy machine may be blamed for.
  static boolean isOfTheMachine(String reason) {
    return reason.matches(
        "(The send lag|The backends' lateness|The longest stall|The collector|Other processes|The"
            + " achieved rate).*");
  }
}
