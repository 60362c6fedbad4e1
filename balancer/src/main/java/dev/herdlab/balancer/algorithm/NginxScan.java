package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// nginx's full scan: the least loaded of the backends that have not failed lately; among equal
/// ones a step of smooth weighted round-robin over these alone.
///
/// Cost: O(n), one pass. Owner thread: its balancer's.
/// Source: nginx src/http/modules/ngx_http_upstream_least_conn_module.c and
/// ngx_http_upstream_least_time_module.c (1.31.4, commit 3f6f782).
final class NginxScan implements Selector {
  private final NginxPeers peers;
  // Those that are least, in index order.
  private int[] tied = {};

  NginxScan(NginxPeers peers) {
    this.peers = peers;
  }

  @Override
  public int select(LoadMetric metric, int size) {
    if (size == 1) {
      return 0;
    }
    if (tied.length < size) {
      tied = new int[size];
    }
    double least = Double.POSITIVE_INFINITY;
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (!peers.isEligible(i)) {
        continue;
      }
      double load = metric.load(i);
      if (load < least) {
        least = load;
        tied[0] = i;
        count = 1;
      } else if (load == least) {
        tied[count++] = i;
      }
    }
    if (count == 0) {
      return NONE;
    }
    peers.begin();
    int chosen = count == 1 ? tied[0] : roundRobin(count);
    peers.take(chosen);
    return chosen;
  }

  private int roundRobin(int count) {
    int best = tied[0];
    for (int i = 0; i < count; i++) {
      peers.raise(tied[i]);
      if (peers.current(tied[i]) > peers.current(best)) {
        best = tied[i];
      }
    }
    return best;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    peers.completed(picked, outcome);
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    peers.update(after);
  }
}
