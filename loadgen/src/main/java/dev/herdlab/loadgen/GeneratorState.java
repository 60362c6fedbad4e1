package dev.herdlab.loadgen;

/// What a generator is doing at one instant. Totals are over all its runs.
///
/// Owner thread: any (immutable).
///
/// @param proxies proxies that requests may go to
/// @param connections open or opening, over all proxies, those that leave included
/// @param runs under way or yet to begin
/// @param scheduled requests whose intended instant has passed; never falls
/// @param sent requests whose turn has come: behind schedule by `scheduled - sent`
/// @param ended requests that have ended, well or not
/// @param ratePerSecond what the runs that send now plan to send, on average over each
public record GeneratorState(
    int proxies,
    int connections,
    int runs,
    long scheduled,
    long sent,
    long ended,
    double ratePerSecond) {
  /// Requests whose turn has come and that have not ended.
  public long inFlight() {
    return sent - ended;
  }
}
