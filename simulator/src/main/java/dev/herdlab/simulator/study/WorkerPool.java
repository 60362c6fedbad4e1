package dev.herdlab.simulator.study;

/// The workers of the study `shuffle`, and how requests reach them.
///
/// A request that is not done when its time is up is an error: it leaves the queue, or frees its
/// worker, at that instant. All that becomes of a request is known when its service starts, or when
/// its time is up, and told to the tally then. Owner thread: its run's.
sealed interface WorkerPool permits PullPool, PushPool {
  /// One request.
  ///
  /// @param type from 0
  /// @param nanos its arrival
  /// @param serviceNanos how long a worker needs for it
  record Request(int type, long nanos, long serviceNanos) {}

  /// What a worker does with a request that it starts.
  ///
  /// @param limitNanos time that a request has, from its arrival
  /// @param bad what requests of type 0 do
  record Rules(long limitNanos, Bad bad) {
    /// When the worker is free again; `Long.MAX_VALUE` for never.
    long freeNanos(Request request, long startNanos) {
      long deadlineNanos = deadlineNanos(request);
      if (isBad(request)) {
        return bad == Bad.FOREVER ? Long.MAX_VALUE : deadlineNanos;
      }
      return Math.min(startNanos + request.serviceNanos(), deadlineNanos);
    }

    /// Whether it is done in time if it starts then.
    boolean succeeds(Request request, long startNanos) {
      return !isBad(request) && startNanos + request.serviceNanos() <= deadlineNanos(request);
    }

    long deadlineNanos(Request request) {
      return request.nanos() + limitNanos;
    }

    boolean isBad(Request request) {
      return bad != Bad.NONE && request.type() == BAD_TYPE;
    }
  }

  /// What is wrong with the requests of one type.
  enum Bad {
    NONE("none"),
    /// One keeps its worker to the end of the run.
    FOREVER("forever"),
    /// One keeps its worker until its time is up.
    UNTIL_TIMEOUT("until-timeout");

    private final String word;

    Bad(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /// The type that is bad if one is; all types are alike, so that it does not matter which.
  int BAD_TYPE = 0;

  /// A request arrives, not before an earlier one.
  void arrive(Request request);

  /// No more arrive: what is waiting gets its turn or runs out of time.
  void drain();
}
