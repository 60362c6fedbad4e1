package dev.herdlab.simulator;

/// Hears how far a long computation has come, on the thread that asked for it. Owner thread: that
/// one.
@FunctionalInterface
public interface Progress {
  /// Hears nothing.
  Progress NONE = (done, total) -> {};

  /// `done` of `total` equal parts are finished.
  void finished(int done, int total);
}
