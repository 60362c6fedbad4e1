package dev.herdlab.stub;

import dev.herdlab.workload.FifoServer;
import java.util.ArrayDeque;

/// The queue of a backend that sleeps for each request: a service starts only when the one before
/// it has actually been delivered, so every timer's lateness is passed on to all that wait. Not for
/// measurements.
///
/// The server holds one job at most, admitted at its actual start. Owner thread: the pool's loop.
final class ChainedQueue implements ServiceQueue {
  private final FifoServer<StubConnection> server;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  private record Waiting(StubConnection connection, long serviceNanos) {}

  ChainedQueue(double speed) {
    server = new FifoServer<>(speed);
  }

  @Override
  public void admit(StubConnection connection, long arrivalNanos, long serviceNanos) {
    waiting.add(new Waiting(connection, serviceNanos));
    startNext(arrivalNanos);
  }

  @Override
  public int size() {
    return server.size() + waiting.size();
  }

  @Override
  public long headFinishNanos() {
    return server.head().finishNanos();
  }

  @Override
  public int finished(long nowNanos) {
    return 0;
  }

  @Override
  public FifoServer.Job<StubConnection> removeHead(long nowNanos) {
    FifoServer.Job<StubConnection> job = server.removeHead();
    startNext(nowNanos);
    return job;
  }

  @Override
  public void cancel(StubConnection connection, long nowNanos) {
    if (!server.isEmpty() && server.head().tag() == connection) {
      server.cancel(server.head(), nowNanos);
      startNext(nowNanos);
    } else {
      waiting.removeIf(each -> each.connection() == connection);
    }
  }

  @Override
  public double speed() {
    return server.speed();
  }

  @Override
  public void changeSpeed(double speed, long nowNanos) {
    server.changeSpeed(speed, nowNanos);
  }

  @Override
  public long busyNanos(long nowNanos) {
    return server.busyNanos(nowNanos);
  }

  private void startNext(long nowNanos) {
    Waiting next = server.isEmpty() ? waiting.poll() : null;
    if (next != null) {
      server.admit(next.connection(), nowNanos, next.serviceNanos());
    }
  }
}
