package dev.herdlab.lab.config;

import java.nio.file.Path;
import java.util.Optional;

/// How an experiment is run on sockets; what is run is the [Experiment].
///
/// Owner thread: any (immutable).
///
/// @param out folder of results; empty for `results/<time>-<name>`
/// @param layout one process, or one for each component
/// @param priority of the loops' threads
public record RunOptions(Optional<Path> out, Layout layout, Priority priority) {
  /// As the experiment says, so that a run's folder repeats it.
  public static RunOptions of(Experiment experiment, Optional<Path> out) {
    return new RunOptions(out, experiment.layout(), experiment.priority());
  }

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
