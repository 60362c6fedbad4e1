package dev.herdlab.stub;

/// How loaded a backend is, as it says in a load report.
///
/// Owner thread: any (immutable).
///
/// @param inFlight requests that wait or are in service, without the one that is being answered
/// @param utilisation share of the time in which there were any, 0 to 1
/// @param ratePerSecond requests that end in a second
/// @param errorsPerSecond how many of them fail
record BackendLoad(
    int inFlight, double utilisation, double ratePerSecond, double errorsPerSecond) {}
