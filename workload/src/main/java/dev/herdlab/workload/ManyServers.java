package dev.herdlab.workload;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/// A [Station] of one or more servers with one line of waiting jobs, of which the first or the last
/// is served next; a service that has begun is not interrupted.
///
/// Whose turn it is next depends on who comes until then, so this keeps a clock: a server that is
/// done takes the next job at its ideal finish, before anything else of that instant or later. An
/// arrival before the latest cancellation or change of speed counts as at that instant.
///
/// Cost: O(log servers) for each arrival and finish; O(length) to cancel, O(servers) to change the
/// speed. Owner thread: its host's.
///
/// @param <T> what the host attaches to a job
public final class ManyServers<T> implements Station<T> {
  private static final Comparator<Job<?>> BY_FINISH =
      Comparator.<Job<?>>comparingLong(job -> job.finishNanos).thenComparingLong(job -> job.number);

  private final Queueing.Discipline discipline;
  private final int servers;
  private final PriorityQueue<Job<T>> inService = new PriorityQueue<>(BY_FINISH);
  private final ArrayDeque<Job<T>> waiting = new ArrayDeque<>();
  // Finished and not yet removed, in the order of their finish.
  private final ArrayDeque<Job<T>> done = new ArrayDeque<>();
  private double speed;
  private long clockNanos = Long.MIN_VALUE;
  private long lastArrivalNanos = Long.MIN_VALUE;
  private long admitted;
  // Of services that are over.
  private long busyNanos;

  /// Servers that each take 1/`speed` of a job's service time.
  ///
  /// @param discipline `FIFO` or `LIFO`
  /// @param servers 1 or more
  ManyServers(Queueing.Discipline discipline, int servers, double speed) {
    if (discipline == Queueing.Discipline.PS) {
      throw new IllegalArgumentException("discipline: PS (expected: FIFO or LIFO)");
    }
    this.discipline = discipline;
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
    private final long serviceNanos;
    private long startNanos = FifoServer.LAST_NANOS;
    private long finishNanos = FifoServer.LAST_NANOS;

    private Job(T tag, long number, long arrivalNanos, long serviceNanos) {
      this.tag = tag;
      this.number = number;
      this.arrivalNanos = arrivalNanos;
      this.serviceNanos = serviceNanos;
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

    private long servedNanos(long nowNanos) {
      return Math.max(0, Math.min(nowNanos, finishNanos) - startNanos);
    }
  }

  @Override
  public Job<T> admit(T tag, long arrivalNanos, long serviceNanos) {
    FifoServer.requireJob(arrivalNanos, lastArrivalNanos, serviceNanos);
    lastArrivalNanos = arrivalNanos;
    advance(arrivalNanos);
    Job<T> job = new Job<>(tag, admitted++, arrivalNanos, serviceNanos);
    waiting.add(job);
    startNext(clockNanos);
    return job;
  }

  /// Lets everything finish that does by then.
  private void advance(long nowNanos) {
    settle(nowNanos);
    clockNanos = Math.max(clockNanos, nowNanos);
  }

  private void settle(long nowNanos) {
    for (Job<T> first = inService.peek();
        first != null && first.finishNanos <= nowNanos;
        first = inService.peek()) {
      inService.remove();
      done.add(first);
      busyNanos += first.finishNanos - first.startNanos;
      clockNanos = first.finishNanos;
      startNext(clockNanos);
    }
  }

  private void startNext(long nowNanos) {
    if (inService.size() == servers || waiting.isEmpty()) {
      return;
    }
    Job<T> next =
        discipline == Queueing.Discipline.FIFO ? waiting.removeFirst() : waiting.removeLast();
    next.startNanos = nowNanos;
    next.finishNanos = Math.addExact(nowNanos, FifoServer.durationNanos(next.serviceNanos, speed));
    inService.add(next);
  }

  @Override
  public int size() {
    return done.size() + inService.size() + waiting.size();
  }

  @Override
  public int unfinished(long nowNanos) {
    settle(nowNanos);
    return inService.size() + waiting.size();
  }

  @Override
  public Job<T> head() {
    Job<T> first = done.isEmpty() ? inService.peek() : done.peek();
    if (first == null) {
      throw new IllegalStateException("no job");
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
    if (done.removeFirstOccurrence(job) || waiting.removeFirstOccurrence(job)) {
      return true;
    }
    if (job instanceof Job<T> own && inService.remove(own)) {
      busyNanos += own.servedNanos(nowNanos);
      startNext(clockNanos);
      return true;
    }
    return false;
  }

  @Override
  public double speed() {
    return speed;
  }

  @Override
  public void changeSpeed(double newSpeed, long nowNanos) {
    FifoServer.requireSpeed(newSpeed);
    double ratio = speed / newSpeed;
    for (Job<T> job : inService) {
      if (job.finishNanos + Math.max(0, job.finishNanos - nowNanos) * ratio
          > FifoServer.LAST_NANOS) {
        throw new IllegalArgumentException(
            "speed: " + newSpeed + " (expected: one that ends the queue of " + size() + ")");
      }
    }
    advance(nowNanos);
    speed = newSpeed;
    var others = new ArrayDeque<>(inService);
    inService.clear();
    for (Job<T> job : others) {
      job.finishNanos =
          clockNanos
              + (job.startNanos == clockNanos
                  ? FifoServer.durationNanos(job.serviceNanos, speed)
                  : Math.round((job.finishNanos - clockNanos) * ratio));
      inService.add(job);
    }
  }

  @Override
  public long busyNanos(long nowNanos) {
    settle(nowNanos);
    long busy = busyNanos;
    for (Job<T> job : inService) {
      busy += job.servedNanos(nowNanos);
    }
    return busy;
  }
}
