package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.util.List;

/// A place where a cell can be measured on real sockets: everything in one process, or a process
/// for each component.
///
/// Owner thread: its opener's; [#interrupt] from any.
interface Testbed extends AutoCloseable {
  /// Lets the JIT compile the paths of an experiment's runs, before any clock starts. Nothing of it
  /// is recorded.
  ///
  /// @param cells all that will be measured: each algorithm and view is tried
  /// @param lengthNanos how long in all, 0 or more
  /// @throws IOException if the components cannot be started or reach each other
  void burnIn(List<Cell> cells, long lengthNanos) throws IOException, InterruptedException;

  /// Runs `trace` once, with fresh balancers and empty queues.
  ///
  /// @throws IOException if the components cannot be started or reach each other
  Observation measure(Cell cell, Trace trace, Progress progress)
      throws IOException, InterruptedException;

  /// Ends the measurement that is under way, if any, and every later one as soon as it begins: what
  /// was sent stays in its log. Does not wait.
  void interrupt();

  @Override
  void close();
}
