package dev.herdlab.workload;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A server with one first-in first-out queue, in ideal nanoseconds: it computes when each job
/// would start and finish, and waits for nothing.
///
/// The stub and the model share this arithmetic, so that a host's late delivery is added to a
/// latency and never carried on to the jobs behind. Cost: O(1) to admit and to remove the head,
/// O(length) to cancel and to change the speed. The queue has no bound of its own: its host bounds
/// what it admits. Owner thread: its host's.
///
/// @param <T> what the host attaches to a job
public final class FifoServer<T> {
  private static final int FIRST_CAPACITY = 16;
  // Beyond it an instant could overflow: some 146 years.
  private static final double LAST_NANOS = Long.MAX_VALUE / 2.0;

  private double speed;
  // A ring of a power of two: the job at place i from the head is in slot (first + i) modulo its
  // length.
  private @Nullable Job<T>[] ring = emptyRing(FIRST_CAPACITY);
  private int first;
  private int size;
  private long lastArrivalNanos = Long.MIN_VALUE;
  // When the server is free for the next job to be admitted.
  private long freeNanos = Long.MIN_VALUE;

  /// A server that takes 1/`speed` of a job's service time.
  public FifoServer(double speed) {
    this.speed = requireSpeed(speed);
  }

  /// One job in the queue or in service. Its start and finish change when a job before it is
  /// cancelled, and when the server's speed changes.
  ///
  /// @param <T> what the host attaches
  public static final class Job<T> {
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

    /// What the host attached.
    public T tag() {
      return tag;
    }

    /// When it joined the queue.
    public long arrivalNanos() {
      return arrivalNanos;
    }

    /// When its service starts, as things stand.
    public long startNanos() {
      return Math.max(arrivalNanos, freeNanos);
    }

    /// When its service ends, as things stand.
    public long finishNanos() {
      return startNanos() + durationNanos;
    }
  }

  /// Admits a job at the end of the queue.
  ///
  /// @param arrivalNanos not before an earlier job's arrival
  /// @param serviceNanos at speed 1, at least 0
  public Job<T> admit(T tag, long arrivalNanos, long serviceNanos) {
    if (arrivalNanos < lastArrivalNanos) {
      throw new IllegalArgumentException(
          "arrival: " + arrivalNanos + " ns (expected: >= " + lastArrivalNanos + ", the last one)");
    }
    if (serviceNanos < 0) {
      throw new IllegalArgumentException("service: " + serviceNanos + " ns (expected: >= 0)");
    }
    Job<T> job = new Job<>(tag, arrivalNanos, serviceNanos, durationNanos(serviceNanos));
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

  /// Whether no job is queued or in service.
  public boolean isEmpty() {
    return size == 0;
  }

  /// Jobs queued or in service; the finished stay until they are removed.
  public int size() {
    return size;
  }

  /// The job that finishes first.
  ///
  /// @throws IllegalStateException when there is none
  public Job<T> head() {
    return jobAt(0);
  }

  /// Removes the job that finishes first; the host calls it when that instant has come.
  ///
  /// @throws IllegalStateException when there is none
  public Job<T> removeHead() {
    Job<T> job = jobAt(0);
    ring[first] = null;
    first = slot(1);
    size--;
    return job;
  }

  /// Takes a job out and gives its remaining time back at the ideal instant `nowNanos`: a job in
  /// service frees the server then, a waiting one leaves the queue, and later jobs move forward;
  /// one that has finished by then has no time to give back. The host must look at `head` again:
  /// its finish may be earlier than it was.
  ///
  /// @return false if the job is not here: removed or cancelled already
  public boolean cancel(Job<T> job, long nowNanos) {
    int place = placeOf(job);
    if (place < 0) {
      return false;
    }
    for (int i = place; i < size - 1; i++) {
      ring[slot(i)] = ring[slot(i + 1)];
    }
    size--;
    ring[slot(size)] = null;
    if (job.finishNanos() > nowNanos) {
      reschedule(place, job.startNanos() > nowNanos ? job.freeNanos : nowNanos);
    }
    return true;
  }

  /// The speed in force.
  public double speed() {
    return speed;
  }

  /// Changes the speed from the ideal instant `nowNanos` on: what the job in service has had stays
  /// done, its rest and all that waits is served at the new speed. What has finished by then stays
  /// as it is. The host must look at `head` again.
  ///
  /// So a job's service time is always what the server does, speed by speed, between its start and
  /// its finish; each change rounds the rest to a nanosecond.
  ///
  /// @throws IllegalArgumentException if `newSpeed` is not above 0, or so low that what is here
  ///     would not end in this century; nothing has changed then
  public void changeSpeed(double newSpeed, long nowNanos) {
    requireSpeed(newSpeed);
    double ratio = speed / newSpeed;
    if (size > 0 && freeNanos + Math.max(0, freeNanos - nowNanos) * ratio > LAST_NANOS) {
      throw new IllegalArgumentException(
          "speed: " + newSpeed + " (expected: one that ends the queue of " + size + ")");
    }
    speed = newSpeed;
    int place = 0;
    while (place < size && jobAt(place).finishNanos() <= nowNanos) {
      place++;
    }
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
              : durationNanos(job.serviceNanos);
    }
    reschedule(place, jobAt(place).freeNanos);
  }

  private static double requireSpeed(double speed) {
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

  private long durationNanos(long serviceNanos) {
    return speed == 1 ? serviceNanos : Math.round(serviceNanos / speed);
  }

  private int placeOf(Job<T> job) {
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
