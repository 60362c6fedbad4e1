package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.twin.Analysis;
import dev.herdlab.lab.twin.Bounds;
import dev.herdlab.lab.twin.Measurement;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.simulator.LongRun;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;

/// An experiment on sockets: cell by cell measured, compared with the model, judged, measured again
/// while it is not valid, and kept in a folder.
///
/// Analysis never runs while something is being measured. Owner thread: the caller's.
public final class LiveRun {
  private final Experiment experiment;
  private final RunListener listener;
  private final Testbed testbed;
  private final RunFolder folder;
  private final ExecutorService models;
  private final List<CellResult> finished = new ArrayList<>();

  private LiveRun(
      Experiment experiment,
      RunListener listener,
      Testbed testbed,
      RunFolder folder,
      ExecutorService models) {
    this.experiment = experiment;
    this.listener = listener;
    this.testbed = testbed;
    this.folder = folder;
    this.models = models;
  }

  /// Runs an experiment; cells finished before a request to stop are kept.
  ///
  /// An attempt that breaks off, e.g. since a process died, is one that is not valid. What can no
  /// longer be written is said to the listener, and lost to the folder alone.
  ///
  /// @throws ConfigException if what was asked for is not to be had here, before anything is
  ///     measured: real-time priority, file descriptors, memory, the folder of results, sockets
  public static RunDocument run(Experiment experiment, RunOptions options, RunListener listener) {
    try {
      for (CellPlan plan : experiment.cells()) {
        Sizing.of(plan);
        HeapNeed.check(plan, Runtime.getRuntime().maxMemory());
      }
      try (Testbed testbed = open(experiment, options);
          RunFolder folder = RunFolder.create(experiment, options.out(), listener::notKept);
          ExecutorService models =
              Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
        listener.onStop(testbed::interrupt);
        return new LiveRun(experiment, listener, testbed, folder, models).runAll();
      }
    } catch (SchedulingRefusedException | IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted");
    }
  }

  private static Testbed open(Experiment experiment, RunOptions options)
      throws SchedulingRefusedException, IOException {
    Scheduling scheduling =
        switch (options.priority()) {
          case DEFAULT -> Scheduling.DEFAULT;
          case REAL_TIME -> Scheduling.REAL_TIME;
        };
    return switch (options.layout()) {
      case ONE_PROCESS -> OneProcess.open(scheduling);
      case PROCESSES -> SeparateProcesses.open(scheduling, experiment.plugins());
    };
  }

  private RunDocument runAll() throws IOException, InterruptedException {
    List<CellPlan> plans = experiment.cells();
    listener.progress(0, "burn-in");
    testbed.burnIn(
        plans.stream().map(plan -> Cell.of(plan, experiment.algorithms())).toList(),
        experiment.burnInNanos());
    for (int i = 0; i < plans.size() && !listener.stopRequested(); i++) {
      Optional<CellResult> result = runCell(i, Cell.of(plans.get(i), experiment.algorithms()));
      result.ifPresent(finished::add);
      folder.keep(document());
    }
    if (finished.size() < plans.size()) {
      folder.keep(document());
      listener.note(
          "stopped after %d of %d cells, which are kept".formatted(finished.size(), plans.size()));
    }
    return document();
  }

  private RunDocument document() {
    return new RunDocument(
        experiment.name(),
        experiment.description(),
        folder.environment(),
        experiment.thresholds(),
        finished);
  }

  /// Measures a cell until an attempt is valid, or there have been enough; empty if the user
  /// stopped it.
  private Optional<CellResult> runCell(int index, Cell cell) throws InterruptedException {
    Trace trace = experiment.trace(cell);
    List<CellResult.Attempt> tried = new ArrayList<>();
    Optional<Observation> last = Optional.empty();
    Optional<CellResult.Comparison> comparison = Optional.empty();
    boolean valid = false;
    while (!valid && tried.size() < experiment.attempts()) {
      Optional<Observation> seen = measure(index, cell, trace, tried);
      if (listener.stopRequested()) {
        return Optional.empty();
      }
      if (seen.isPresent()) {
        last = seen;
        comparison = Optional.of(analyse(cell, trace, seen.get()));
        tried.add(new CellResult.Attempt(comparison.get().measured(), comparison.get().verdict()));
      }
      CellResult.Verdict verdict = tried.getLast().verdict();
      valid = verdict.valid();
      if (!valid) {
        listener.note(
            "cell %d, attempt %d of at most %d is not valid: %s"
                .formatted(
                    index + 1, tried.size(), experiment.attempts(), verdict.reasons().getFirst()));
      }
    }
    last.ifPresent(
        seen -> {
          folder.keep(index + 1, trace, seen.run(), seen.started());
          folder.keep(index + 1, cell.plan().changes(), seen.changes());
        });
    return Optional.of(
        new CellResult(
                cell.plan(),
                cell.utilisation(trace),
                trace.sha256(),
                comparison,
                longModel(index, cell),
                tried)
            .settled());
  }

  /// One attempt; empty, with a broken one added to `tried`, if it came to no end.
  private Optional<Observation> measure(
      int index, Cell cell, Trace trace, List<CellResult.Attempt> tried)
      throws InterruptedException {
    try {
      return Optional.of(testbed.measure(cell, trace, progress(index, cell, tried.size())));
    } catch (IOException e) {
      tried.add(CellResult.Attempt.broken(String.valueOf(e.getMessage())));
      return Optional.empty();
    }
  }

  private Progress progress(int index, Cell cell, int attempt) {
    String what =
        "cell %d of %d: %s, k=%d%s"
            .formatted(
                index + 1,
                experiment.cells().size(),
                cell.plan().algorithm(),
                cell.plan().proxies(),
                attempt == 0 ? "" : ", attempt " + (attempt + 1));
    return (sent, ended, total) ->
        listener.progress((index + (double) ended / total) / experiment.cells().size(), what);
  }

  private CellResult.Comparison analyse(Cell cell, Trace trace, Observation seen)
      throws InterruptedException {
    Measurement measurement =
        new Measurement(
            cell.plan(),
            trace,
            seen.run(),
            seen.dispatches(),
            cell.algorithm(),
            cell.view(),
            cell.backends(),
            seen.readings(),
            seen.changes());
    return Analysis.analyse(measurement, Bounds.STANDARD, experiment.twinSeeds(), models);
  }

  /// The model on requests of its own; empty if it was not asked for, or the user stops it.
  private Optional<CellResult.LongModel> longModel(int index, Cell cell) {
    if (experiment.modelRequests() == 0) {
      return Optional.empty();
    }
    // Events are at instants of a run of the cell's own length.
    int requests =
        cell.plan().events().isEmpty() ? experiment.modelRequests() : cell.plan().requests();
    List<Long> seeds =
        LongStream.range(0, experiment.modelSeeds())
            .map(i -> cell.plan().seed() + i)
            .boxed()
            .toList();
    int warmup = (int) ((long) requests * cell.plan().warmup() / cell.plan().requests());
    try {
      LongRun run =
          LongRun.of(
              cell.model(),
              cell.workload(requests, warmup),
              seeds,
              (done, total) -> modelProgress(index));
      return Optional.of(CellResult.LongModel.of(run));
    } catch (CancellationException stopped) {
      return Optional.empty();
    }
  }

  private void modelProgress(int index) {
    if (listener.stopRequested()) {
      throw new CancellationException("stopped");
    }
    listener.progress(
        (index + 1.0) / experiment.cells().size(), "the long model of cell " + (index + 1));
  }
}
