package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Ports;

/// Caddy's `random_choose`: a uniform sample of d backends in one pass over all of them; of these
/// the first that is idle, or else one of those that were the least loaded when the pass came to
/// them.
///
/// The last rules are Caddy's, and not what its documentation says: of two idle backends the first
/// is picked every time, and one with 100 in flight that comes first is as likely as one with 1
/// that comes after it.
///
/// Cost: O(n), n - d draws and one more for a choice among several. Owner thread: its balancer's.
/// Source: Caddy modules/caddyhttp/reverseproxy/selectionpolicies.go, `RandomChoiceSelection` and
/// `leastRequests` (commit 0cf03d3, after caddyserver/caddy#7873).
final class CaddyChoice implements Selector {
  private final int choices;
  private final Ports.RandomSource random;
  private int[] sample;

  CaddyChoice(int choices, BackendSet backends, Ports.RandomSource random) {
    this.choices = choices;
    this.random = random;
    this.sample = new int[Math.min(choices, backends.size())];
  }

  @Override
  public int select(LoadMetric metric, int size) {
    for (int i = 0; i < size; i++) {
      int place = i < sample.length ? i : random.below(i + 1);
      if (place < sample.length) {
        sample[place] = i;
      }
    }
    return leastOfSample(metric);
  }

  private int leastOfSample(LoadMetric metric) {
    double least = Double.POSITIVE_INFINITY;
    int kept = 0;
    for (int i = 0; i < sample.length; i++) {
      double load = metric.load(sample[i]);
      if (load == 0) {
        return sample[i];
      }
      if (load <= least) {
        least = load;
        sample[kept] = sample[i];
        kept++;
      }
    }
    return kept == 1 ? sample[0] : sample[random.below(kept)];
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    sample = new int[Math.min(choices, after.size())];
  }
}
