package dev.herdlab.stub;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Station;

/// The queue and servers of one backend, by the clock of its deadlines. The job that [#removeHead]
/// gives has the start and finish to report; its arrival is the queue's own affair.
///
/// Owner thread: the pool's loop.
sealed interface ServiceQueue permits IdealQueue, ChainedQueue {

  /// A queue that follows `deadlines`, served at `speed`.
  static ServiceQueue of(Deadlines deadlines, Queueing queueing, double speed) {
    return switch (deadlines) {
      case IDEAL -> new IdealQueue(queueing, speed);
      case CHAINED -> new ChainedQueue(speed);
    };
  }

  /// Takes in the request of `connection`, which has no other here.
  void admit(StubConnection connection, long arrivalNanos, long serviceNanos);

  /// Requests waiting and in service, and those that are to be delivered.
  int size();

  /// How many of them are neither waiting nor in service any more by `nowNanos`.
  int finished(long nowNanos);

  /// When the head must be delivered; the queue must not be empty.
  long headFinishNanos();

  /// Takes out the head, which is delivered at `nowNanos`.
  Station.Job<StubConnection> removeHead(long nowNanos);

  /// Gives up the request of `connection`, if it is here, and what remains of its service.
  void cancel(StubConnection connection, long nowNanos);

  /// The speed in force.
  double speed();

  /// Changes the speed, as [Station#changeSpeed] says.
  void changeSpeed(double speed, long nowNanos);

  /// Time that the servers have worked by `nowNanos`, all together.
  long busyNanos(long nowNanos);
}
