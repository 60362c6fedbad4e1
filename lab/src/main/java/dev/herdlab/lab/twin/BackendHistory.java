package dev.herdlab.lab.twin;

import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.Station;
import java.util.ArrayList;
import java.util.List;

/// What was done to one backend during a measurement, on its own clock: its speeds, and the times
/// at which it hung.
///
/// Cost: O(changes) a question. Owner thread: any (immutable).
final class BackendHistory {
  private static final long NEVER = Long.MIN_VALUE;

  private final double firstSpeed;
  private final List<Speed> speeds = new ArrayList<>();
  private final List<Hang> hangs = new ArrayList<>();

  /// A speed and its first instant.
  record Speed(long nanos, double speed) {}

  private record Hang(long fromNanos, long untilNanos) {}

  private BackendHistory(double firstSpeed) {
    this.firstSpeed = firstSpeed;
  }

  /// That of one backend of a measurement.
  static BackendHistory of(Measurement measurement, int backend) {
    BackendHistory history = new BackendHistory(measurement.plan().speeds().get(backend));
    long hangsSince = NEVER;
    for (Change.Timed timed : measurement.changes()) {
      if (timed.change() instanceof Change.Speed(int of, double speed) && of == backend) {
        history.speeds.add(new Speed(timed.nanos(), speed));
      } else if (timed.change() instanceof Change.Fault(int of, BackendFault fault)
          && of == backend) {
        boolean hangs = fault.kind() == BackendFault.Kind.HANG;
        if (hangs && hangsSince == NEVER) {
          hangsSince = timed.nanos();
        } else if (!hangs && hangsSince != NEVER) {
          history.hangs.add(new Hang(hangsSince, timed.nanos()));
          hangsSince = NEVER;
        }
      }
    }
    return history;
  }

  double firstSpeed() {
    return firstSpeed;
  }

  /// The later ones, in order.
  List<Speed> speeds() {
    return speeds;
  }

  /// When a request that was received then joined the queue.
  long joinedNanos(long receivedNanos) {
    long joined = receivedNanos;
    for (Hang hang : hangs) {
      if (hang.fromNanos <= receivedNanos && receivedNanos < hang.untilNanos) {
        joined = hang.untilNanos;
      }
    }
    return joined;
  }

  /// When a service that starts then ends, if nobody else is served.
  long finishNanos(long startNanos, long serviceNanos) {
    double speed = firstSpeed;
    int next = 0;
    while (next < speeds.size() && speeds.get(next).nanos() <= startNanos) {
      speed = speeds.get(next++).speed();
    }
    FifoServer<String> server = new FifoServer<>(speed);
    Station.Job<String> job = server.admit("alone", startNanos, serviceNanos);
    while (next < speeds.size() && speeds.get(next).nanos() < job.finishNanos()) {
      server.changeSpeed(speeds.get(next).speed(), speeds.get(next).nanos());
      next++;
    }
    return job.finishNanos();
  }
}
