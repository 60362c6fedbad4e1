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

  /// Picks a backend. Hot path: allocates nothing but the lease.
  PickResult pick(PickContext context);

  /// Replaces the set; state of backends whose ids survive is kept.
  void update(BackendSet backends);

  /// One of this balancer's picks ended; its count is lowered already.
  default void completed(Picked picked, Outcome outcome) {}

  /// A backend said something about itself.
  default void observe(BackendSignal signal) {}
}
