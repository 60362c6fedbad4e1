package dev.herdlab.lab;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Cells in the model alone: `run --model`. Same cell, same bytes. Owner thread: the caller's.
final class ModelCells {
  private final Experiment experiment;
  private final RunListener listener;
  private boolean saidNotKept;

  private ModelCells(Experiment experiment, RunListener listener) {
    this.experiment = experiment;
    this.listener = listener;
  }

  /// Runs all cells, or those before a request to stop, and keeps them in `out` if it is given,
  /// after each cell: what an earlier run left there goes first.
  ///
  /// @throws ConfigException if the folder cannot be written to, before anything has run
  static RunDocument run(Experiment experiment, Optional<Path> out, RunListener listener) {
    out.ifPresent(folder -> prepare(folder, experiment));
    ModelCells model = new ModelCells(experiment, listener);
    List<CellResult> cells = new ArrayList<>();
    List<Cell> planned =
        experiment.cells().stream().map(plan -> Cell.of(plan, experiment.algorithms())).toList();
    for (Cell cell : planned) {
      if (listener.stopRequested()) {
        listener.note(
            "stopped after %d of %d cells, which are kept"
                .formatted(cells.size(), experiment.cells().size()));
        break;
      }
      listener.progress(
          (double) cells.size() / experiment.cells().size(),
          cell.plan().algorithm() + " k=" + cell.plan().proxies());
      cells.add(model.run(cell));
      out.ifPresent(folder -> model.keep(folder, model.document(cells)));
    }
    return model.document(cells);
  }

  private RunDocument document(List<CellResult> cells) {
    return new RunDocument(
        experiment.name(), experiment.description(), Map.of(), experiment.thresholds(), cells);
  }

  private static void prepare(Path folder, Experiment experiment) {
    try {
      Files.createDirectories(folder);
      clear(folder, experiment);
      Files.writeString(folder.resolve("experiment.yaml"), experiment.toYaml());
    } catch (IOException e) {
      throw ConfigException.at("--out " + folder, why(e), "a folder to write to");
    }
  }

  /// Removes what an earlier run left, measured or not; but never the requests to be replayed.
  private static void clear(Path folder, Experiment experiment) throws IOException {
    Path requests = folder.resolve("requests.csv.gz");
    if (experiment.trace().isPresent()
        && Files.exists(requests)
        && Files.isSameFile(requests, experiment.trace().get().file())) {
      throw ConfigException.at(
          "--out " + folder, "its requests.csv.gz is the trace", "another folder");
    }
    Files.deleteIfExists(requests);
    Files.deleteIfExists(folder.resolve("summary.json"));
    Files.deleteIfExists(folder.resolve("report.html"));
    Files.deleteIfExists(folder.resolve("events.csv"));
    try (var histograms = Files.newDirectoryStream(folder, "latency-*.hlog")) {
      for (Path histogram : histograms) {
        Files.delete(histogram);
      }
    }
  }

  /// Keeps what is known so far; a reader never sees half of it. What cannot be written is said
  /// once.
  private void keep(Path folder, RunDocument document) {
    Path half = folder.resolve("summary.json.new");
    try {
      Files.writeString(half, document.toJson());
      Files.move(half, folder.resolve("summary.json"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      if (!saidNotKept) {
        saidNotKept = true;
        listener.notKept(folder + ": results not written: " + why(e));
      }
    }
  }

  /// Why a file could not be written.
  private static String why(IOException e) {
    return switch (e) {
      case FileAlreadyExistsException _ -> "a file of this name is there";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemException file when file.getReason() != null -> file.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }

  /// Runs one. Cost: about 0.5 us a request.
  private CellResult run(Cell cell) {
    CellPlan plan = cell.plan();
    Trace trace = experiment.trace(cell);
    ModelRun run = cell.model().run(trace, plan.seed());
    CellResult.LongModel model =
        new CellResult.LongModel(
            trace.size(),
            1,
            run.quantiles(plan.warmup(), plan.unitNanos()),
            Quantiles.NONE,
            run.shares(plan.warmup()),
            run.refused(),
            cell.model().stability(run, plan.warmup(), plan.unitNanos()),
            run.failed(),
            run.attempts());
    return new CellResult(
            plan,
            cell.utilisation(trace),
            trace.sha256(),
            Optional.empty(),
            Optional.of(model),
            List.of())
        .settled();
  }
}
