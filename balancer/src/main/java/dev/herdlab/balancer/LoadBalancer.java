package dev.herdlab.balancer;

/// An algorithm at work: picks a backend for each request of one proxy.
///
/// It has no I/O and keeps no counts of its own that a [View] has; it knows only its constructor's
/// arguments (see [Algorithm]). The same object runs behind real sockets and in the model.
///
/// Owner thread: its dispatcher's; no locks, no atomics.
public interface LoadBalancer {
  /// The balancer of a dispatcher that has none yet: refuses every pick.
  LoadBalancer NONE =
      new LoadBalancer() {
        @Override
        public PickResult pick(PickContext context) {
          return new NoBackend("no algorithm is installed");
        }

        @Override
        public void update(BackendSet backends) {}
      };

  /// What a balancer needs of its host beside its ports.
  ///
  /// @param loadReports whether backends put a load report into each response
  /// @param idleChoices who hears that a backend has become idle: 0: nobody; 1: one proxy,
  ///     uniformly random; d of 2 or more: of d random proxies the one with the shortest
  ///     [LoadBalancer#idleQueueLength]
  /// @param cookies whether clients are given a cookie with the id of the backend that served them
  record Wants(boolean loadReports, int idleChoices, boolean cookies) {
    /// Needs nothing.
    public static final Wants NOTHING = new Wants(false, 0, false);

    /// Needs load reports.
    public static final Wants LOAD_REPORTS = new Wants(true, 0, false);

    public Wants {
      if (idleChoices < 0) {
        throw new IllegalArgumentException(
            "idle choices: " + idleChoices + " (expected: 0 or more)");
      }
    }
  }

  /// Picks a backend. Hot path: allocates nothing but the lease.
  PickResult pick(PickContext context);

  /// Replaces the set; state of backends whose ids survive is kept.
  void update(BackendSet backends);

  /// One of this balancer's picks ended; its count is lowered already.
  default void completed(Picked picked, Outcome outcome) {}

  /// A backend said something about itself.
  default void observe(BackendSignal signal) {}

  /// What the host must bring; the same for as long as the balancer lives.
  default Wants wants() {
    return Wants.NOTHING;
  }

  /// Number of backends that it knows to be idle and has not picked since; 0 if it does not queue
  /// them.
  default int idleQueueLength() {
    return 0;
  }
}
