package dev.herdlab.lab.config;

import java.nio.file.Path;
import java.util.Optional;

/// How an experiment is run on sockets, as the command line says; what is run is the [Experiment].
///
/// Owner thread: any (immutable).
///
/// @param out folder of results; empty for `results/<time>-<name>`
/// @param layout one process, or one for each component
/// @param priority of the loops' threads
public record RunOptions(Optional<Path> out, Layout layout, Priority priority) {
  /// Where the components run.
  public enum Layout {
    ONE_PROCESS,
    PROCESSES
  }

  /// What the loops ask of the scheduler.
  public enum Priority {
    DEFAULT,
    /// Refused, with a line that says why, where the system does not allow it.
    REAL_TIME
  }
}
