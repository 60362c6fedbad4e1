package dev.herdlab.simulator;

import dev.herdlab.balancer.Picked;
import dev.herdlab.workload.Station;
import org.jspecify.annotations.Nullable;

/// One try of a request at one backend of the model: its lease, and its place in the station from
/// its arrival there, or from when its backend let it in, to its end.
///
/// Owner thread: its model's.
final class Attempt {
  private static final int UNKNOWN = -1;

  private final Picked lease;
  private final int request;
  private final int backend;
  private long arrivalNanos;
  private Station.@Nullable Job<Attempt> job;
  private int tag = UNKNOWN;
  private boolean reports;

  /// @param backend its number in the run's whole set
  Attempt(Picked lease, int request, int backend) {
    this.lease = lease;
    this.request = request;
    this.backend = backend;
  }

  Picked lease() {
    return lease;
  }

  /// Its request's number in the trace.
  int request() {
    return request;
  }

  /// Number of its backend.
  int backend() {
    return backend;
  }

  /// When it came to its backend, which may have held it before it joined the queue.
  long arrivalNanos() {
    return arrivalNanos;
  }

  /// It comes to its backend.
  void arrives(long nowNanos) {
    arrivalNanos = nowNanos;
  }

  /// Whether it has a place in the station.
  boolean isQueued() {
    return job != null;
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
