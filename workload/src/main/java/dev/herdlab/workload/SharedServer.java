package dev.herdlab.workload;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/// A [Station] of processor sharing: every job is in service from its arrival on, and all share the
/// servers equally, of which a job can use one at most. With `n` jobs at `c` servers each is served
/// at min(1, c / n) of the speed.
///
/// It counts the service that a job which is here all along would have had since the station was
/// last empty; a job is done when that has grown by its service time. So an arrival or an end
/// changes every finish, and costs O(log n) all the same. Between two such instants, which are
/// whole nanoseconds, the count is exact but for a double's rounding (below a thousandth of a
/// nanosecond in any run); a finish is rounded to the nearest nanosecond, which no other job's
/// carries on.
///
/// An arrival before the latest cancellation or change of speed counts as at that instant. Cost:
/// O(log jobs) for each arrival and finish; O(jobs) to cancel. Owner thread: its host's.
///
/// Source: Kleinrock, "Time-shared Systems: A Theoretical Treatment", JACM 14(2), 1967.
///
/// @param <T> what the host attaches to a job
public final class SharedServer<T> implements Station<T> {
  private static final Comparator<Job<?>> BY_END =
      Comparator.<Job<?>>comparingDouble(job -> job.end).thenComparingLong(job -> job.number);

  private final int servers;
  private final PriorityQueue<Job<T>> inService = new PriorityQueue<>(BY_END);
  // Finished and not yet removed, in the order of their finish.
  private final ArrayDeque<Job<T>> done = new ArrayDeque<>();
  private double speed;
  private long clockNanos = Long.MIN_VALUE;
  private long lastArrivalNanos = Long.MIN_VALUE;
  private long admitted;
  // What a job that has been here since the station was empty has had, in nanoseconds at speed 1.
  private double attained;
  private long busyNanos;

  /// @param servers 1 or more, each of `speed`
  SharedServer(int servers, double speed) {
    this.servers = servers;
    this.speed = FifoServer.requireSpeed(speed);
  }

  /// One job.
  ///
  /// @param <T> what the host attaches
  public static final class Job<T> implements Station.Job<T> {
    private final T tag;
    private final long number;
    private final long arrivalNanos;
    private final long startNanos;
    // It is done once so much is attained.
    private final double end;
    private long finishNanos = FifoServer.LAST_NANOS;

    private Job(T tag, long number, long arrivalNanos, long startNanos, double end) {
      this.tag = tag;
      this.number = number;
      this.arrivalNanos = arrivalNanos;
      this.startNanos = startNanos;
      this.end = end;
    }

    @Override
    public T tag() {
      return tag;
    }

    @Override
    public long arrivalNanos() {
      return arrivalNanos;
    }

    @Override
    public long startNanos() {
      return startNanos;
    }

    @Override
    public long finishNanos() {
      return finishNanos;
    }
  }

  @Override
  public Job<T> admit(T tag, long arrivalNanos, long serviceNanos) {
    FifoServer.requireJob(arrivalNanos, lastArrivalNanos, serviceNanos);
    lastArrivalNanos = arrivalNanos;
    advance(arrivalNanos);
    Job<T> job = new Job<>(tag, admitted++, arrivalNanos, clockNanos, attained + serviceNanos);
    inService.add(job);
    return job;
  }

  /// Serves until then.
  private void advance(long nowNanos) {
    settle(nowNanos);
    if (nowNanos > clockNanos) {
      serveUntil(nowNanos);
    }
  }

  /// Lets everything finish that does by then, and serves until the last finish: in that way it
  /// makes no difference how often somebody asks.
  private void settle(long nowNanos) {
    for (Job<T> first = inService.peek(); first != null; first = inService.peek()) {
      long finishNanos = nextFinishNanos(first);
      if (finishNanos > nowNanos) {
        return;
      }
      serveUntil(finishNanos);
      inService.remove();
      first.finishNanos = finishNanos;
      done.add(first);
    }
  }

  private void serveUntil(long nanos) {
    if (inService.isEmpty()) {
      attained = 0;
    } else {
      long passed = nanos - clockNanos;
      attained += passed * rate();
      busyNanos += passed * Math.min(servers, inService.size());
    }
    clockNanos = nanos;
  }

  /// What each job gets of a nanosecond.
  private double rate() {
    int jobs = inService.size();
    return jobs <= servers ? speed : speed * servers / jobs;
  }

  private long nextFinishNanos(Job<T> first) {
    return Math.addExact(clockNanos, Math.round(Math.max(0, first.end - attained) / rate()));
  }

  @Override
  public int size() {
    return done.size() + inService.size();
  }

  @Override
  public int unfinished(long nowNanos) {
    settle(nowNanos);
    return inService.size();
  }

  @Override
  public Job<T> head() {
    Job<T> first = done.isEmpty() ? inService.peek() : done.peek();
    if (first == null) {
      throw new IllegalStateException("no job");
    }
    if (done.isEmpty()) {
      first.finishNanos = nextFinishNanos(first);
    }
    return first;
  }

  @Override
  public Job<T> removeHead() {
    settle(head().finishNanos);
    return done.remove();
  }

  @Override
  public boolean cancel(Station.Job<T> job, long nowNanos) {
    advance(nowNanos);
    return done.removeFirstOccurrence(job) || (job instanceof Job<T> own && inService.remove(own));
  }

  @Override
  public double speed() {
    return speed;
  }

  @Override
  public void changeSpeed(double newSpeed, long nowNanos) {
    FifoServer.requireSpeed(newSpeed);
    // One server alone would need longer than any number of them.
    double rest = 0;
    for (Job<T> job : inService) {
      rest += job.end - attained;
    }
    if (Math.max(clockNanos, nowNanos) + rest / newSpeed > FifoServer.LAST_NANOS) {
      throw new IllegalArgumentException(
          "speed: " + newSpeed + " (expected: one that ends the queue of " + size() + ")");
    }
    advance(nowNanos);
    speed = newSpeed;
  }

  @Override
  public long busyNanos(long nowNanos) {
    settle(nowNanos);
    long passed = Math.max(0, nowNanos - clockNanos);
    return busyNanos + (inService.isEmpty() ? 0 : passed * Math.min(servers, inService.size()));
  }
}
