package dev.herdlab.lab.conduct;

import dev.herdlab.lab.result.CellResult;
import java.util.Map;

/// A phase that has been analysed. Owner thread: any (immutable).
///
/// @param step what it was
/// @param result as of a cell that was run
/// @param accounting every request of the phase by how it ended, whatever became of the analysis
record Finished(Program.Step step, CellResult result, CellResult.Accounting accounting) {
  /// Whether it may be trusted.
  boolean valid() {
    return result.verdict().map(CellResult.Verdict::valid).orElse(false);
  }

  /// The failures, by cause.
  Map<String, Long> failed() {
    return accounting.failed();
  }
}
