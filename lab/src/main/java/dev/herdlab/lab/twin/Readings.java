package dev.herdlab.lab.twin;

import java.util.Optional;

/// What the instruments beside the requests read during one attempt. Owner thread: any (immutable).
///
/// @param longestStallNanos the longest that the hiccup monitor's thread, which only watches the
///     clock, lost it
/// @param othersCores CPU taken by other processes, in cores
/// @param ownCores CPU taken by the measuring processes, in cores
/// @param gcPauseNanos the collector's pauses, summed; of the process with most of them
/// @param inFlight the dispatchers' true total once everything was quiet; 0 unless a count leaked.
///     Without meaning where the load went on
/// @param connectionsOpened connections that the generator had to open while the clock ran
/// @param scheduling `default` or `real-time`
/// @param loopFailure the first error that a task threw on a loop, since the loop began; empty if
///     none did
public record Readings(
    long longestStallNanos,
    double othersCores,
    double ownCores,
    long gcPauseNanos,
    long inFlight,
    int connectionsOpened,
    String scheduling,
    Optional<String> loopFailure) {
  /// The same with other pauses: those of collectors in other processes.
  public Readings withGcPauseNanos(long nanos) {
    return new Readings(
        longestStallNanos,
        othersCores,
        ownCores,
        nanos,
        inFlight,
        connectionsOpened,
        scheduling,
        loopFailure);
  }
}
