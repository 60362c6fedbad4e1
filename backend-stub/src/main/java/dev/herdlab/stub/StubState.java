package dev.herdlab.stub;

import dev.herdlab.workload.BackendFault;
import java.util.List;

/// What a pool is and has done, all at one instant of its loop.
///
/// Owner thread: any (immutable).
///
/// @param service spec of the law in force
/// @param unitNanos length of its unit
/// @param backends in the order of the settings
public record StubState(String service, long unitNanos, List<Backend> backends) {
  public StubState {
    backends = List.copyOf(backends);
  }

  /// One backend. Each request that was read in full, and is not about the engine, is in just one
  /// of the four counts; `refused` has malformed ones too.
  ///
  /// @param port where it listens; 0 if it never did
  /// @param speed the one in force
  /// @param fault the one in force
  /// @param inFlight requests that wait or are in service
  /// @param served requests that were served and answered
  /// @param refused requests that were turned away: see [ServiceListener#refused]
  /// @param cancelled requests that were given up before their answer
  /// @param busyNanos time that the server has served, the present service so far included; never
  ///     falls
  public record Backend(
      String id,
      int port,
      double speed,
      BackendFault fault,
      int inFlight,
      long served,
      long refused,
      long cancelled,
      long busyNanos) {}

  /// Requests that wait or are in service at all backends.
  public int inFlight() {
    return backends.stream().mapToInt(Backend::inFlight).sum();
  }
}
