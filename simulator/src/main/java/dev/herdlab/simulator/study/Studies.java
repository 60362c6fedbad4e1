package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import java.util.List;
import java.util.Map;

/// The registry: every study, by name. Owner thread: any (immutable).
public final class Studies {
  /// Length of a unit in the studies: a nanosecond is a thousand-millionth of it.
  static final long UNIT_NANOS = 1_000_000_000;

  private static final List<Study> ALL =
      List.of(
          new BinsStudy(),
          new HerdStudy(),
          new ShuffleStudy(),
          new SingleStudy(),
          new SmoothStudy(),
          new StaleStudy(),
          new WeightsStudy());

  private final Algorithms algorithms;

  /// Studies whose settings may name any of `algorithms`.
  public Studies(Algorithms algorithms) {
    this.algorithms = algorithms;
  }

  /// All, in the order of their names.
  public List<Study> all() {
    return ALL;
  }

  /// The study called `name`.
  ///
  /// @throws IllegalArgumentException if there is none: one line with the names that there are
  public Study named(String name) {
    return ALL.stream()
        .filter(study -> study.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Settings.wrong(
                    "study", name, String.join(", ", ALL.stream().map(Study::name).toList())));
  }

  /// Runs the study called `name`.
  ///
  /// @param given text by setting; what is not given has its default
  /// @throws IllegalArgumentException for an unknown study or setting, or a wrong value: one line
  public StudyResult run(String name, Map<String, String> given, Progress progress) {
    Study study = named(name);
    return study.run(bind(study, given), progress);
  }

  /// Reads the settings of `study`, without running it.
  ///
  /// @throws IllegalArgumentException for an unknown setting or a wrong value: one line
  public Settings bind(Study study, Map<String, String> given) {
    return Settings.bind(study.settings(), given, algorithms, UNIT_NANOS);
  }
}
