package dev.herdlab.loadgen;

/// Hears how far a run is, a few times a second.
///
/// Called on the generator's loop: hand the numbers over, do nothing else.
@FunctionalInterface
public interface Progress {
  /// Nobody listens.
  Progress NONE = (sent, ended, total) -> {};

  /// The run's state now.
  ///
  /// @param sent requests whose turn has come
  /// @param ended how many of them have ended, well or not
  /// @param total length of the trace
  void at(int sent, int ended, int total);
}
