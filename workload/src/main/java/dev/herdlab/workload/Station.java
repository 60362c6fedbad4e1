package dev.herdlab.workload;

/// The queue of one backend with its servers, in ideal nanoseconds: it computes when each job
/// starts and finishes, and waits for nothing.
///
/// The stub and the model share this arithmetic, so that a host's late delivery is added to a
/// latency and never carried on to the jobs behind. A finish is an instant of the station's own,
/// whenever its host comes to remove the job: at equal instants a finish comes first, then a
/// cancellation or a change of speed, then an arrival. The queue has no bound of its own: its host
/// bounds what it admits. Owner thread: its host's.
///
/// @param <T> what the host attaches to a job
public sealed interface Station<T> permits FifoServer, ManyServers, SharedServer {

  /// One job, queued, in service, or finished and not yet removed.
  ///
  /// @param <T> what the host attaches
  sealed interface Job<T> permits FifoServer.Job, ManyServers.Job, SharedServer.Job {
    /// What the host attached.
    T tag();

    /// When it joined the queue.
    long arrivalNanos();

    /// When its service starts, as things stand; far away while nobody knows.
    long startNanos();

    /// When its service ends, as things stand; known of the [Station#head], else perhaps far away.
    long finishNanos();
  }

  /// Admits a job.
  ///
  /// @param arrivalNanos not before an earlier job's arrival
  /// @param serviceNanos at speed 1, at least 0
  /// @throws IllegalArgumentException if either is not so
  Job<T> admit(T tag, long arrivalNanos, long serviceNanos);

  /// Whether no job is here.
  default boolean isEmpty() {
    return size() == 0;
  }

  /// Jobs queued or in service, and those that have finished until they are removed.
  int size();

  /// Jobs that have arrived and not finished by `nowNanos`, which is not before the last arrival.
  int unfinished(long nowNanos);

  /// The job that finishes first.
  ///
  /// @throws IllegalStateException when there is none
  Job<T> head();

  /// Removes the job that finishes first; the host calls it when that instant has come.
  ///
  /// @throws IllegalStateException when there is none
  Job<T> removeHead();

  /// Takes a job out and gives its remaining time back at the ideal instant `nowNanos`: one in
  /// service frees its server then, a waiting one leaves the queue; one that has finished by then
  /// has no time to give back. The host must look at [#head] again: its finish may be another.
  ///
  /// @return false if the job is not here: removed or cancelled already
  boolean cancel(Job<T> job, long nowNanos);

  /// The speed in force.
  double speed();

  /// Changes the speed from the ideal instant `nowNanos` on: what a job in service has had stays
  /// done, its rest and all that waits is served at the new speed. What has finished by then stays
  /// as it is. The host must look at [#head] again.
  ///
  /// @throws IllegalArgumentException if `newSpeed` is not above 0, or so low that what is here
  ///     would not end in this century; nothing has changed then
  void changeSpeed(double newSpeed, long nowNanos);

  /// Time that the servers have worked by `nowNanos`, all together, for jobs here and gone.
  long busyNanos(long nowNanos);
}
