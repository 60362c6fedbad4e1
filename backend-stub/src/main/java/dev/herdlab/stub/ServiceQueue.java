package dev.herdlab.stub;

import dev.herdlab.workload.FifoServer;

/// The queue and server of one backend, by the clock of its deadlines. The job that [#removeHead]
/// gives has the start and finish to report; its arrival is the queue's own affair.
///
/// Owner thread: the pool's loop.
sealed interface ServiceQueue permits IdealQueue, ChainedQueue {

  /// A queue that follows `deadlines`, served at `speed`.
  static ServiceQueue of(Deadlines deadlines, double speed) {
    return switch (deadlines) {
      case IDEAL -> new IdealQueue(speed);
      case CHAINED -> new ChainedQueue(speed);
    };
  }

  /// Takes in the request of `connection`, which has no other here.
  void admit(StubConnection connection, long arrivalNanos, long serviceNanos);

  /// Requests waiting and in service.
  int size();

  /// When the head must be delivered; the queue must not be empty.
  long headFinishNanos();

  /// How long the head has been served by `nowNanos`; 0 if the queue is empty.
  long headServedNanos(long nowNanos);

  /// Takes out the head, which is delivered at `nowNanos`.
  FifoServer.Job<StubConnection> removeHead(long nowNanos);

  /// Gives up the request of `connection` and what remains of its service.
  ///
  /// @return how long it has been served; 0 if it has not been, or is not here
  long cancel(StubConnection connection, long nowNanos);

  /// The speed in force.
  double speed();

  /// Changes the speed, as [FifoServer#changeSpeed] says.
  void changeSpeed(double speed, long nowNanos);

  /// How long a job has been served by `nowNanos`.
  static long servedNanos(FifoServer.Job<?> job, long nowNanos) {
    return Math.max(0, Math.min(nowNanos, job.finishNanos()) - job.startNanos());
  }
}
