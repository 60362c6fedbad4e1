package dev.herdlab.lab;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Cells in the model alone: `run --model`. Same cell, same bytes. Owner thread: the caller's.
final class ModelCells {
  /// One run has no confidence interval.
  private static final Quantiles NO_INTERVAL =
      new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  private final Experiment experiment;

  private ModelCells(Experiment experiment) {
    this.experiment = experiment;
  }

  /// Runs all cells, or those before a request to stop, and keeps them in `out` if it is given.
  ///
  /// @throws ConfigException if the folder cannot be written to, before anything has run
  static RunDocument run(Experiment experiment, Optional<Path> out, RunListener listener) {
    out.ifPresent(folder -> prepare(folder, experiment));
    ModelCells model = new ModelCells(experiment);
    List<CellResult> cells = new ArrayList<>();
    for (CellPlan plan : experiment.cells()) {
      if (listener.stopRequested()) {
        listener.note(
            "stopped after %d of %d cells, which are kept"
                .formatted(cells.size(), experiment.cells().size()));
        break;
      }
      listener.progress(
          (double) cells.size() / experiment.cells().size(),
          plan.algorithm() + " k=" + plan.proxies());
      cells.add(model.run(plan));
    }
    RunDocument document =
        new RunDocument(experiment.name(), experiment.description(), Map.of(), cells);
    out.ifPresent(folder -> keep(folder, document, listener));
    return document;
  }

  private static void prepare(Path folder, Experiment experiment) {
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve("experiment.yaml"), experiment.toYaml());
    } catch (IOException e) {
      throw ConfigException.at("--out " + folder, String.valueOf(e), "a folder to write to");
    }
  }

  private static void keep(Path folder, RunDocument document, RunListener listener) {
    try {
      Files.writeString(folder.resolve("summary.json"), document.toJson());
    } catch (IOException e) {
      listener.notKept(folder + ": results not written: " + e);
    }
  }

  /// Runs one. Cost: about 0.5 us a request.
  private CellResult run(CellPlan plan) {
    Cell cell = Cell.of(plan, experiment.algorithms());
    Trace trace = experiment.trace(cell);
    Quantiles quantiles =
        cell.model().run(trace, plan.seed()).quantiles(plan.warmup(), plan.unitNanos());
    return new CellResult(
        plan,
        cell.utilisation(trace),
        trace.sha256(),
        Optional.empty(),
        Optional.of(new CellResult.LongModel(trace.size(), 1, quantiles, NO_INTERVAL)),
        List.of());
  }
}
