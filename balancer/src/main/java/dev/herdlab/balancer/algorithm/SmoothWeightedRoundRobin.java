package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.Arrays;
import java.util.List;

/// Weighted round-robin that spreads each backend's picks over the cycle: {5,1,1} gives a a b a c a
/// a.
///
/// Each pick adds every backend's weight to its value, takes the first greatest, and subtracts the
/// sum of the weights from it. After a cycle of that many picks the values are where they began.
/// They begin at zero; or at the weights, if those are added after the pick instead: the same
/// sequence.
///
/// Cost: O(n), no draw. Owner thread: its dispatcher's.
/// Source: nginx src/http/ngx_http_upstream_round_robin.c; phusion/nginx commit 27e9498 (the
/// sequence).
/// Deviation: weights are static here, nginx lowers them on failures.
public final class SmoothWeightedRoundRobin implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "smooth-weighted-round-robin",
              "Weighted round-robin that spreads each backend's picks evenly over the cycle.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("zero", "weights"),
                      "zero",
                      "a backend's number before its first pick; both give the same picks")),
              "O(n), no draw",
              "a number for each backend; survivors keep theirs, newcomers begin as `start` says",
              List.of(
                  "nginx `src/http/ngx_http_upstream_round_robin.c`",
                  "phusion/nginx commit 27e9498 (the sequence of {5,1,1})"),
              List.of(
                  "Weights are static; nginx lowers them after failures and lets them recover."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Start start = parameters.choice("start").equals("weights") ? Start.WEIGHTS : Start.ZERO;
          return new SmoothWeightedRoundRobin(backends, start);
        }
      };

  private final Start start;
  private BackendSet backends;
  private long[] current;

  /// A backend's value before its first pick, and so when its weight is added.
  private enum Start {
    /// Zero: weights are added before each pick.
    ZERO,
    /// Its weight: weights are added after each pick.
    WEIGHTS
  }

  private SmoothWeightedRoundRobin(BackendSet backends, Start start) {
    this.start = start;
    this.backends = backends;
    this.current = begin(backends);
  }

  private long[] begin(BackendSet set) {
    long[] values = new long[set.size()];
    if (start == Start.WEIGHTS) {
      Arrays.setAll(values, i -> set.get(i).weight());
    }
    return values;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (current.length == 0) {
      return NoBackend.EMPTY_SET;
    }
    long total = 0;
    int best = 0;
    for (int i = 0; i < current.length; i++) {
      int weight = backends.get(i).weight();
      if (start == Start.ZERO) {
        current[i] += weight;
      }
      total += weight;
      if (current[i] > current[best]) {
        best = i;
      }
    }
    current[best] -= total;
    if (start == Start.WEIGHTS) {
      for (int i = 0; i < current.length; i++) {
        current[i] += backends.get(i).weight();
      }
    }
    return new Picked(backends, best);
  }

  @Override
  public void update(BackendSet next) {
    long[] moved = begin(next);
    for (int i = 0; i < current.length; i++) {
      int at = next.indexOf(backends.get(i).id());
      if (at >= 0) {
        moved[at] = current[i];
      }
    }
    backends = next;
    current = moved;
  }

  /// The current values by index, a copy: for the study that shows the cycle.
  public long[] state() {
    return current.clone();
  }
}
