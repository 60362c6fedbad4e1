package dev.herdlab.lab.twin;

/// What the instruments beside the requests read during one attempt. Owner thread: any (immutable).
///
/// @param longestStallNanos the longest that the hiccup monitor's thread, which only watches the
///     clock, lost it
/// @param othersCores CPU taken by other processes, in cores
/// @param ownCores CPU taken by the measuring processes, in cores
/// @param gcPauseNanos longest pause of the collector
/// @param inFlight the dispatchers' true total once everything was quiet; 0 unless a count leaked
/// @param scheduling `default` or `real-time`
public record Readings(
    long longestStallNanos,
    double othersCores,
    double ownCores,
    long gcPauseNanos,
    long inFlight,
    String scheduling) {
  /// The same with another pause: that of collectors in other processes.
  public Readings withGcPauseNanos(long nanos) {
    return new Readings(longestStallNanos, othersCores, ownCores, nanos, inFlight, scheduling);
  }
}
