package dev.herdlab.simulator.study;

import dev.herdlab.workload.RandomStream;

/// Sticky sessions: a fixed number of them is live; each request belongs to a random one, and goes
/// where that one is pinned.
///
/// After a request its session ends with probability one over the mean number of requests, and is
/// replaced by one that is pinned to a random backend. Cost: O(1) a request. Owner thread: its
/// run's.
final class Sessions implements Served.Assigned {
  private final RandomStream random;
  private final int backends;
  private final double ends;
  private final int[] pinned;

  /// Sessions that are all new.
  ///
  /// @param live how many
  /// @param meanRequests of a session, 1 or more; infinite for sessions without end
  Sessions(int live, double meanRequests, int backends, long seed) {
    this.random = RandomStream.of(seed, "session");
    this.backends = backends;
    this.ends = 1 / meanRequests;
    this.pinned = new int[live];
    for (int i = 0; i < live; i++) {
      pinned[i] = random.below(backends);
    }
  }

  @Override
  public int backend(int request) {
    int session = random.below(pinned.length);
    int backend = pinned[session];
    if (random.unit() < ends) {
      pinned[session] = random.below(backends);
    }
    return backend;
  }
}
