package dev.herdlab.balancer;

import java.util.function.IntPredicate;

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

  /// Questions for one further attempt: of a hundred uniform draws over a hundred backends, nine of
  /// them tried, all fall on these with a chance of 1e-104; an algorithm that keeps to one backend
  /// for so many turns has its will.
  int MOST_QUESTIONS = 100;

  /// 2^64 over the golden ratio: its multiples lie apart (Knuth, The Art of Computer Programming 3,
  /// section 6.4).
  long APART = 0x9E37_79B9_7F4A_7C15L;

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

  /// Picks for a further attempt of a request: a backend that was not tried, if one is named within
  /// some questions; else, as in Envoy, the last one that was named.
  ///
  /// Where a question is answered with one that was tried, the next has another key and no cookie,
  /// so that an algorithm that hashes does not insist. What an algorithm remembers of its picks, it
  /// remembers of each answer.
  ///
  /// Cost: that of [#pick], once for each question. Source: Envoy
  /// `host_selection_retry_max_attempts` with the predicate `previous_hosts`, and the hash of a
  /// retry in `source/extensions/load_balancing_policies/common/thread_aware_lb_impl.cc`.
  /// Deviation: there the hash is complemented, and then counted down, so that it stays on one arc
  /// of a ring; here each key lies far from the others.
  ///
  /// @param tried by index in the set of now; not all of them
  default PickResult pickAgain(PickContext context, IntPredicate tried) {
    PickResult result = pick(context);
    for (int asked = 1; asked < MOST_QUESTIONS; asked++) {
      if (!(result instanceof Picked picked) || !tried.test(picked.index())) {
        return result;
      }
      result = pick(new PickContext(context.key() == 0 ? 0 : context.key() ^ asked * APART));
    }
    return result;
  }

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
