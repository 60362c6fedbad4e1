package dev.herdlab.lab;

import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.result.CellResult;
import java.util.List;

/// The limits that an experiment sets itself. Owner thread: any.
final class Thresholds {
  private Thresholds() {}

  /// True if the p99 of a cell, measured if it was, is above the limit.
  static boolean breached(Experiment experiment, List<CellResult> cells) {
    return experiment
        .p99LimitUnits()
        .filter(limit -> cells.stream().anyMatch(cell -> p99(cell) > limit))
        .isPresent();
  }

  private static double p99(CellResult cell) {
    return cell.comparison()
        .map(comparison -> comparison.measured().p99())
        .or(() -> cell.model().map(model -> model.mean().p99()))
        .orElse(0.0);
  }
}
