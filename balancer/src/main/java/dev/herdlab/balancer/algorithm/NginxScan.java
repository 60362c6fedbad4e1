package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;

/// nginx's full scan: the least loaded of the backends that have not failed lately; among equal
/// ones a step of smooth weighted round-robin over these alone.
///
/// Cost: O(n), two passes when there are ties. Owner thread: its balancer's.
/// Source: nginx src/http/modules/ngx_http_upstream_least_conn_module.c and
/// ngx_http_upstream_least_time_module.c (1.31.4, commit 3f6f782).
final class NginxScan implements Selector {
  private final NginxPeers peers;

  NginxScan(NginxPeers peers) {
    this.peers = peers;
  }

  @Override
  public int select(LoadMetric metric, int size) {
    if (size == 1) {
      return 0;
    }
    int best = NONE;
    double least = Double.POSITIVE_INFINITY;
    boolean many = false;
    for (int i = 0; i < size; i++) {
      if (!peers.isEligible(i)) {
        continue;
      }
      double load = metric.load(i);
      if (best == NONE || load < least) {
        best = i;
        least = load;
        many = false;
      } else if (load == least) {
        many = true;
      }
    }
    if (best == NONE) {
      return NONE;
    }
    peers.begin();
    int chosen = many ? roundRobin(metric, least, best, size) : best;
    peers.take(chosen);
    return chosen;
  }

  private int roundRobin(LoadMetric metric, double least, int first, int size) {
    int best = first;
    for (int i = first; i < size; i++) {
      if (peers.isEligible(i) && metric.load(i) == least) {
        peers.raise(i);
        if (peers.current(i) > peers.current(best)) {
          best = i;
        }
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
