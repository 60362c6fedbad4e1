package dev.herdlab.simulator.study;

import dev.herdlab.simulator.Progress;
import java.util.List;

/// One question put to the model: a name, what may be set, and an answer in rows. Same settings,
/// same rows, byte for byte. Owner thread: any (immutable).
public interface Study {
  /// As written on the command line: a-z.
  String name();

  /// What it shows, in one sentence.
  String summary();

  /// What may be set, in the order in which to show it.
  List<Setting> settings();

  /// Answers. Uses all cores; the cost is the study's own.
  ///
  /// @param settings of [#settings]
  /// @param progress hears on this thread
  /// @throws IllegalArgumentException for values that do not fit together: one line, key, value,
  ///     expected
  StudyResult run(Settings settings, Progress progress);
}
