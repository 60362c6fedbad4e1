package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.run.GeneratorRun;
import java.time.Instant;
import java.util.List;

/// A phase that has been given to the generators. Owner thread: any (immutable).
///
/// @param step what it is
/// @param cell its plan for those who take part, with the phase's own number of requests
/// @param crew who takes part
/// @param epochNanos when it begins, on the lab's clock
/// @param lengthNanos until the next one begins
/// @param runs one for each generator
/// @param planned requests in all runs together
/// @param begins about when, by the wall
record Playing(
    Program.Step step,
    Cell cell,
    Crew crew,
    long epochNanos,
    long lengthNanos,
    List<GeneratorRun> runs,
    int planned,
    Instant begins) {
  Playing {
    runs = List.copyOf(runs);
  }

  /// When it ends, on the lab's clock.
  long endNanos() {
    return epochNanos + lengthNanos;
  }

  /// Its name, for people and for metrics.
  String name() {
    return String.valueOf(step.number());
  }
}
