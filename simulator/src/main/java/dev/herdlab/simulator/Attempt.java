package dev.herdlab.simulator;

import dev.herdlab.balancer.Picked;
import dev.herdlab.workload.Station;
import org.jspecify.annotations.Nullable;

/// One try of a request at one backend of the model: its lease, and its place in the station from
/// its arrival there to its end.
///
/// Owner thread: its model's.
final class Attempt {
  private static final int UNKNOWN = -1;

  private final Picked lease;
  private final int request;
  private Station.@Nullable Job<Attempt> job;
  private int tag = UNKNOWN;
  private boolean reports;

  Attempt(Picked lease, int request) {
    this.lease = lease;
    this.request = request;
  }

  Picked lease() {
    return lease;
  }

  /// Its request's number in the trace.
  int request() {
    return request;
  }

  /// Index of its backend.
  int backend() {
    return lease.index();
  }

  /// Its place in the station; there must be one.
  Station.Job<Attempt> job() {
    Station.Job<Attempt> known = job;
    if (known == null) {
      throw new IllegalStateException("request " + request + ": not at its backend");
    }
    return known;
  }

  void arrived(Station.Job<Attempt> at) {
    job = at;
  }

  /// Its backend follows it from its arrival on.
  ///
  /// @param itsTag what the backend's estimate knows it by
  /// @param reporting whether a load report comes back with its response
  void follow(int itsTag, boolean reporting) {
    tag = itsTag;
    reports = reporting;
  }

  /// Whether its backend follows it.
  boolean isFollowed() {
    return tag != UNKNOWN;
  }

  int tag() {
    return tag;
  }

  boolean reports() {
    return reports;
  }
}
