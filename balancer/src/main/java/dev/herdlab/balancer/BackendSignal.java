package dev.herdlab.balancer;

/// What a backend says about itself, brought to a balancer on its own thread. Owner thread: any
/// (immutable).
public sealed interface BackendSignal {
  /// The backend that speaks.
  String backend();

  /// The answer to a probe.
  ///
  /// @param inFlight requests at the backend when it answered
  /// @param latencyNanos its own estimate of the latency at that load
  record ProbeReply(String backend, int inFlight, long latencyNanos) implements BackendSignal {}

  /// The backend's queue became empty.
  record IdleNotice(String backend) implements BackendSignal {}

  /// What the backend put into its last response.
  ///
  /// @param inFlight requests at the backend when it answered
  /// @param utilisation share of time busy, 0 to 1; 0 if it does not say
  /// @param ratePerSecond requests that it serves per second, of all proxies; 0 if it does not say
  /// @param errorsPerSecond how many of these fail
  record LoadReport(
      String backend,
      int inFlight,
      double utilisation,
      double ratePerSecond,
      double errorsPerSecond)
      implements BackendSignal {}
}
