package dev.herdlab.simulator;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Station;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The backends of one run of the model: a station each, whose next finish is pending in the event
/// queue. A finish that an arrival, a cancellation or another speed has moved leaves its old event
/// behind, which is passed over.
///
/// A backend that fails does so as the stub does ([BackendFault]): one that hangs holds what comes,
/// in the order of arrival, and lets it into the queue when it works again.
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
  private final BackendFault[] faults;
  // What a backend that hangs has not let into its queue; in flight, too.
  private final List<Deque<Held>> held = new ArrayList<>();
  private int inFlight;

  private record Held(Attempt attempt, long serviceNanos) {}

  ModelBackends(Queueing queueing, List<Double> speeds, EventQueue events) {
    this.queueing = queueing;
    this.events = events;
    this.stations = new ArrayList<>(speeds.size());
    for (double speed : speeds) {
      stations.add(queueing.station(speed));
      held.add(new ArrayDeque<>());
    }
    this.faults = new BackendFault[speeds.size()];
    Arrays.fill(faults, BackendFault.NONE);
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
    return stations.get(backend).size() + held.get(backend).size();
  }

  /// Whether a backend takes no more.
  boolean isFull(int backend) {
    return inFlight(backend) >= queueing.limit();
  }

  /// Whether a backend works.
  boolean works(int backend) {
    return faults[backend].kind() == BackendFault.Kind.NONE;
  }

  /// How a backend fails what comes to it now; empty if it takes it.
  Optional<FailureKind> refusal(int backend) {
    return switch (faults[backend].kind()) {
      case NONE, HANG -> Optional.empty();
      case REFUSE -> Optional.of(FailureKind.CONNECT_FAILED);
      case CLOSE -> Optional.of(FailureKind.BACKEND_CLOSED);
      case STATUS -> Optional.of(FailureKind.ERROR_STATUS);
    };
  }

  /// An attempt arrives at its backend.
  void admit(Attempt attempt, long nowNanos, long serviceNanos) {
    attempt.arrives(nowNanos);
    inFlight++;
    if (faults[attempt.backend()].kind() == BackendFault.Kind.HANG) {
      held.get(attempt.backend()).add(new Held(attempt, serviceNanos));
    } else {
      enqueue(attempt, nowNanos, serviceNanos);
    }
  }

  private void enqueue(Attempt attempt, long nowNanos, long serviceNanos) {
    Station<Attempt> station = stations.get(attempt.backend());
    attempt.arrived(station.admit(attempt, nowNanos, serviceNanos));
    awaitNext(attempt.backend());
  }

  /// Changes the fault of a backend.
  ///
  /// @return what it had and has lost by it, in no order that matters
  List<Attempt> changeFault(int backend, BackendFault fault, long nowNanos) {
    faults[backend] = fault;
    if (fault.kind() != BackendFault.Kind.HANG) {
      Deque<Held> waiting = held.get(backend);
      for (Held each = waiting.poll(); each != null; each = waiting.poll()) {
        enqueue(each.attempt(), nowNanos, each.serviceNanos());
      }
    }
    List<Attempt> lost = new ArrayList<>();
    Station<Attempt> station = stations.get(backend);
    while (fault.kind() == BackendFault.Kind.REFUSE && !station.isEmpty()) {
      Attempt attempt = station.head().tag();
      cancel(attempt, nowNanos);
      lost.add(attempt);
    }
    return lost;
  }

  /// Changes the speed of a backend, as [Station#changeSpeed] says.
  void changeSpeed(int backend, double speed, long nowNanos) {
    stations.get(backend).changeSpeed(speed, nowNanos);
    awaitNext(backend);
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
    boolean here =
        attempt.isQueued()
            ? stations.get(attempt.backend()).cancel(attempt.job(), nowNanos)
            : held.get(attempt.backend()).removeIf(each -> each.attempt() == attempt);
    if (!here) {
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
