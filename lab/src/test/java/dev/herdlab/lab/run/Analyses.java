package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.twin.Analysis;
import dev.herdlab.lab.twin.Measurement;
import dev.herdlab.workload.Trace;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The analysis of an observation of a test.
final class Analyses {
  private Analyses() {}

  static CellResult.Comparison of(Cell cell, Trace trace, Observation seen)
      throws InterruptedException {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      return Analysis.analyse(
          new Measurement(
              cell.plan(),
              trace,
              seen.run(),
              seen.dispatches(),
              cell.algorithm(),
              cell.view(),
              cell.backends(),
              seen.readings(),
              seen.changes()),
          models);
    }
  }
}
