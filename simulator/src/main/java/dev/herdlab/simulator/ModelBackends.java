package dev.herdlab.simulator;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Station;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The backends of one run of the model: a station each, whose next finish is pending in the event
/// queue. A finish that an arrival or a cancellation has moved leaves its old event behind, which
/// is passed over.
///
/// Cost: the station's, and an event for each finish that becomes the next one. Owner thread: its
/// model's.
final class ModelBackends {
  private static final long NOTHING = Long.MAX_VALUE;

  private final Queueing queueing;
  private final EventQueue events;
  private final List<Station<Attempt>> stations;
  // The instant of the event that counts, of each backend.
  private final long[] pendingNanos;
  private int inFlight;

  ModelBackends(Queueing queueing, List<Double> speeds, EventQueue events) {
    this.queueing = queueing;
    this.events = events;
    this.stations = new ArrayList<>(speeds.size());
    for (double speed : speeds) {
      stations.add(queueing.station(speed));
    }
    this.pendingNanos = new long[speeds.size()];
    Arrays.fill(pendingNanos, NOTHING);
  }

  int count() {
    return stations.size();
  }

  /// Requests at all backends.
  int inFlight() {
    return inFlight;
  }

  /// Requests at one backend.
  int inFlight(int backend) {
    return stations.get(backend).size();
  }

  /// Whether a backend takes no more.
  boolean isFull(int backend) {
    return stations.get(backend).size() >= queueing.limit();
  }

  /// An attempt arrives at its backend.
  void admit(Attempt attempt, long nowNanos, long serviceNanos) {
    Station<Attempt> station = stations.get(attempt.backend());
    attempt.arrived(station.admit(attempt, nowNanos, serviceNanos));
    inFlight++;
    awaitNext(attempt.backend());
  }

  /// The event of a finish has come.
  ///
  /// @return the attempt that is done now; null if the finish has moved
  @Nullable Attempt finish(int backend, long nowNanos) {
    if (pendingNanos[backend] != nowNanos) {
      return null;
    }
    Attempt done = stations.get(backend).removeHead().tag();
    inFlight--;
    awaitNext(backend);
    return done;
  }

  /// Gives up an attempt that is not done, and its server's time from now on.
  void cancel(Attempt attempt, long nowNanos) {
    if (!stations.get(attempt.backend()).cancel(attempt.job(), nowNanos)) {
      throw new IllegalStateException("request " + attempt.request() + ": not at its backend");
    }
    inFlight--;
    awaitNext(attempt.backend());
  }

  private void awaitNext(int backend) {
    Station<Attempt> station = stations.get(backend);
    long nextNanos = station.isEmpty() ? NOTHING : station.head().finishNanos();
    if (nextNanos != pendingNanos[backend]) {
      pendingNanos[backend] = nextNanos;
      if (nextNanos != NOTHING) {
        events.add(nextNanos, EventQueue.Kind.COMPLETION, backend);
      }
    }
  }
}
