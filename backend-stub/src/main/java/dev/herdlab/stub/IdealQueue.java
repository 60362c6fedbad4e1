package dev.herdlab.stub;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Station;
import java.util.IdentityHashMap;

/// A station on ideal instants, such as finish = max(arrival, previous finish) + service.
///
/// Cost: the station's; O(queue) for a cancellation. Owner thread: the pool's loop.
final class IdealQueue implements ServiceQueue {
  private final Station<StubConnection> server;
  private final IdentityHashMap<StubConnection, Station.Job<StubConnection>> jobs =
      new IdentityHashMap<>();

  IdealQueue(Queueing queueing, double speed) {
    server = queueing.station(speed);
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
  public int finished(long nowNanos) {
    return server.size() - server.unfinished(nowNanos);
  }

  @Override
  public Station.Job<StubConnection> removeHead(long nowNanos) {
    Station.Job<StubConnection> job = server.removeHead();
    jobs.remove(job.tag());
    return job;
  }

  @Override
  public void cancel(StubConnection connection, long nowNanos) {
    Station.Job<StubConnection> job = jobs.remove(connection);
    if (job != null) {
      server.cancel(job, nowNanos);
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
}
