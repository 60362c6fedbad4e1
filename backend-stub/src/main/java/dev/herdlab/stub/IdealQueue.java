package dev.herdlab.stub;

import dev.herdlab.workload.FifoServer;
import java.util.IdentityHashMap;

/// One FIFO queue with one server on ideal instants: finish = max(arrival, previous finish) +
/// service.
///
/// Cost: O(1), O(queue) for a cancellation or a change of speed. Owner thread: the pool's loop.
final class IdealQueue implements ServiceQueue {
  private final FifoServer<StubConnection> server;
  private final IdentityHashMap<StubConnection, FifoServer.Job<StubConnection>> jobs =
      new IdentityHashMap<>();

  IdealQueue(double speed) {
    server = new FifoServer<>(speed);
  }

  @Override
  public void admit(StubConnection connection, long arrivalNanos, long serviceNanos) {
    jobs.put(connection, server.admit(connection, arrivalNanos, serviceNanos));
  }

  @Override
  public int size() {
    return server.size();
  }

  @Override
  public long headFinishNanos() {
    return server.head().finishNanos();
  }

  @Override
  public long headServedNanos(long nowNanos) {
    return server.isEmpty() ? 0 : ServiceQueue.servedNanos(server.head(), nowNanos);
  }

  @Override
  public FifoServer.Job<StubConnection> removeHead(long nowNanos) {
    FifoServer.Job<StubConnection> job = server.removeHead();
    jobs.remove(job.tag());
    return job;
  }

  @Override
  public long cancel(StubConnection connection, long nowNanos) {
    FifoServer.Job<StubConnection> job = jobs.remove(connection);
    if (job == null) {
      return 0;
    }
    server.cancel(job, nowNanos);
    return ServiceQueue.servedNanos(job, nowNanos);
  }

  @Override
  public double speed() {
    return server.speed();
  }

  @Override
  public void changeSpeed(double speed, long nowNanos) {
    server.changeSpeed(speed, nowNanos);
  }
}
