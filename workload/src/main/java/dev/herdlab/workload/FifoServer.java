package dev.herdlab.workload;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A [Station] of one server with one first-in first-out queue: every job's start and finish are
/// known when it is admitted.
///
/// Cost: O(1) to admit and to remove the head, O(length) to cancel and to change the speed. Owner
/// thread: its host's.
///
/// @param <T> what the host attaches to a job
public final class FifoServer<T> implements Station<T> {
  private static final int FIRST_CAPACITY = 16;

  /// Beyond it an instant could overflow: some 146 years.
  static final long LAST_NANOS = Long.MAX_VALUE / 2;

  private double speed;
  // A ring of a power of two: the job at place i from the head is in slot (first + i) modulo its
  // length.
  private @Nullable Job<T>[] ring = emptyRing(FIRST_CAPACITY);
  private int first;
  private int size;
  private long lastArrivalNanos = Long.MIN_VALUE;
  // When the server is free for the next job to be admitted.
  private long freeNanos = Long.MIN_VALUE;
  // Of jobs that are gone.
  private long busyNanos;

  /// A server that takes 1/`speed` of a job's service time.
  public FifoServer(double speed) {
    this.speed = requireSpeed(speed);
  }

  /// One job in the queue or in service. Its start and finish change when a job before it is
  /// cancelled, and when the server's speed changes.
  ///
  /// @param <T> what the host attaches
  public static final class Job<T> implements Station.Job<T> {
    private final T tag;
    private final long arrivalNanos;
    private final long serviceNanos;
    // How long it takes from start to finish.
    private long durationNanos;
    // When the server is done with the job before.
    private long freeNanos;

    private Job(T tag, long arrivalNanos, long serviceNanos, long durationNanos) {
      this.tag = tag;
      this.arrivalNanos = arrivalNanos;
      this.serviceNanos = serviceNanos;
      this.durationNanos = durationNanos;
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
      return Math.max(arrivalNanos, freeNanos);
    }

    @Override
    public long finishNanos() {
      return startNanos() + durationNanos;
    }

    private long servedNanos(long nowNanos) {
      return Math.max(0, Math.min(nowNanos, finishNanos()) - startNanos());
    }
  }

  @Override
  public Job<T> admit(T tag, long arrivalNanos, long serviceNanos) {
    requireJob(arrivalNanos, lastArrivalNanos, serviceNanos);
    Job<T> job = new Job<>(tag, arrivalNanos, serviceNanos, durationNanos(serviceNanos, speed));
    job.freeNanos = freeNanos;
    // Once for each job, so that an overflow is an error here and not a finish in the past.
    freeNanos = Math.addExact(job.startNanos(), job.durationNanos);
    lastArrivalNanos = arrivalNanos;
    if (size == ring.length) {
      grow();
    }
    ring[slot(size)] = job;
    size++;
    return job;
  }

  @Override
  public boolean isEmpty() {
    return size == 0;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int unfinished(long nowNanos) {
    return size - finished(nowNanos);
  }

  /// How many of the first have finished by then.
  private int finished(long nowNanos) {
    int place = 0;
    while (place < size && jobAt(place).finishNanos() <= nowNanos) {
      place++;
    }
    return place;
  }

  @Override
  public Job<T> head() {
    return jobAt(0);
  }

  @Override
  public Job<T> removeHead() {
    Job<T> job = jobAt(0);
    ring[first] = null;
    first = slot(1);
    size--;
    busyNanos += job.durationNanos;
    return job;
  }

  @Override
  public boolean cancel(Station.Job<T> job, long nowNanos) {
    int place = placeOf(job);
    if (place < 0) {
      return false;
    }
    Job<T> cancelled = jobAt(place);
    busyNanos += cancelled.servedNanos(nowNanos);
    for (int i = place; i < size - 1; i++) {
      ring[slot(i)] = ring[slot(i + 1)];
    }
    size--;
    ring[slot(size)] = null;
    if (cancelled.finishNanos() > nowNanos) {
      reschedule(place, cancelled.startNanos() > nowNanos ? cancelled.freeNanos : nowNanos);
    }
    return true;
  }

  @Override
  public double speed() {
    return speed;
  }

  /// Here each change rounds the rest of the job in service to a nanosecond.
  @Override
  public void changeSpeed(double newSpeed, long nowNanos) {
    requireSpeed(newSpeed);
    double ratio = speed / newSpeed;
    if (size > 0 && freeNanos + Math.max(0, freeNanos - nowNanos) * ratio > LAST_NANOS) {
      throw new IllegalArgumentException(
          "speed: " + newSpeed + " (expected: one that ends the queue of " + size + ")");
    }
    speed = newSpeed;
    int place = finished(nowNanos);
    if (place == size) {
      return;
    }
    for (int i = place; i < size; i++) {
      Job<T> job = jobAt(i);
      long doneNanos = nowNanos - job.startNanos();
      // Those behind the first have not started, whatever the new instants before them.
      job.durationNanos =
          i == place && doneNanos > 0
              ? doneNanos + Math.round((job.durationNanos - doneNanos) * ratio)
              : durationNanos(job.serviceNanos, speed);
    }
    reschedule(place, jobAt(place).freeNanos);
  }

  @Override
  public long busyNanos(long nowNanos) {
    long busy = busyNanos;
    for (int place = 0; place < size && jobAt(place).startNanos() < nowNanos; place++) {
      busy += jobAt(place).servedNanos(nowNanos);
    }
    return busy;
  }

  /// Refuses a job that comes before another or that takes less than no time.
  static void requireJob(long arrivalNanos, long lastArrivalNanos, long serviceNanos) {
    if (arrivalNanos < lastArrivalNanos) {
      throw new IllegalArgumentException(
          "arrival: " + arrivalNanos + " ns (expected: >= " + lastArrivalNanos + ", the last one)");
    }
    if (serviceNanos < 0) {
      throw new IllegalArgumentException("service: " + serviceNanos + " ns (expected: >= 0)");
    }
  }

  /// Refuses what is no speed.
  static double requireSpeed(double speed) {
    if (!(speed > 0) || Double.isInfinite(speed)) {
      throw new IllegalArgumentException("speed: " + speed + " (expected: > 0)");
    }
    return speed;
  }

  private void reschedule(int place, long fromNanos) {
    long free = fromNanos;
    for (int i = place; i < size; i++) {
      Job<T> job = jobAt(i);
      job.freeNanos = free;
      free = job.finishNanos();
    }
    freeNanos = free;
  }

  /// How long a service takes at a speed, in whole nanoseconds.
  static long durationNanos(long serviceNanos, double speed) {
    return speed == 1 ? serviceNanos : Math.round(serviceNanos / speed);
  }

  private int placeOf(Station.Job<T> job) {
    for (int i = 0; i < size; i++) {
      if (ring[slot(i)] == job) {
        return i;
      }
    }
    return -1;
  }

  private Job<T> jobAt(int place) {
    Job<T> job = ring[slot(place)];
    if (place >= size || job == null) {
      throw new IllegalStateException("no job at place " + place + " of " + size);
    }
    return job;
  }

  private int slot(int place) {
    return (first + place) & (ring.length - 1);
  }

  private void grow() {
    @Nullable Job<T>[] larger = Arrays.copyOfRange(ring, first, first + 2 * ring.length);
    System.arraycopy(ring, 0, larger, ring.length - first, first);
    Arrays.fill(larger, ring.length, larger.length, null);
    ring = larger;
    first = 0;
  }

  @SuppressWarnings("unchecked") // Java has no generic arrays; only jobs of T go in
  private static <T> @Nullable Job<T>[] emptyRing(int capacity) {
    return (@Nullable Job<T>[]) new Job<?>[capacity];
  }
}
