package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;

/// nginx's `random` and `random two`: draws by weight among the backends that have not failed
/// lately; of two different ones the less loaded, the second when they are equal. After 20 draws
/// that were of no use, or with one backend, the next in smooth weighted round-robin.
///
/// Cost: O(log n) a draw; O(n) for the rare round-robin. Owner thread: its balancer's.
/// Source: nginx src/http/modules/ngx_http_upstream_random_module.c (1.31.4, commit 3f6f782).
/// Deviation: a draw is exactly by weight; nginx's has the bias of a remainder.
final class NginxRandom implements Selector {
  private static final int MAX_USELESS = 20;

  private final Draws draws;
  private final NginxPeers peers;
  private final Ports.RandomSource random;
  private int[] ranges;

  /// How many backends are compared.
  enum Draws {
    ONE,
    TWO
  }

  NginxRandom(Draws draws, BackendSet backends, NginxPeers peers, Ports.RandomSource random) {
    this.draws = draws;
    this.peers = peers;
    this.random = random;
    this.ranges = endsByWeight(backends);
  }

  /// The sum of the weights up to each backend, itself included.
  private static int[] endsByWeight(BackendSet backends) {
    int[] ends = new int[backends.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, backends.get(i).weight());
      ends[i] = end;
    }
    return ends;
  }

  @Override
  public int select(LoadMetric metric, int size) {
    if (size == 1) {
      return peers.next();
    }
    int first = NONE;
    for (int useless = 0; useless <= MAX_USELESS; ) {
      int drawn = draw(size);
      if (drawn == first || !peers.isEligible(drawn)) {
        useless++;
      } else if (draws == Draws.TWO && first == NONE) {
        first = drawn;
      } else {
        int chosen = first != NONE && metric.load(drawn) > metric.load(first) ? first : drawn;
        peers.take(chosen);
        return chosen;
      }
    }
    return peers.next();
  }

  private int draw(int size) {
    int x = random.below(ranges[size - 1]);
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (x < ranges[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    peers.completed(picked, outcome);
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    peers.update(after);
    ranges = endsByWeight(after);
  }
}
