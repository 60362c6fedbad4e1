package dev.herdlab.stub;

/// When the service of a waiting request starts at a stub backend.
public enum Deadlines {
  /// At the ideal finish of the one before it, however late that one was delivered: lateness is
  /// added once, never passed on. What every measurement uses.
  IDEAL,
  /// At the actual delivery of the one before it, as a backend that sleeps for each request would
  /// do: lateness accumulates along the queue. A known bug, here so that the self-test can show
  /// that it is caught.
  CHAINED
}
