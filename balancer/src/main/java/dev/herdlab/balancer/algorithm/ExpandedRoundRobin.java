package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;

/// Smooth weighted round-robin read from a table (VNSWRR): the cycle of picks, as long as the sum
/// of the weights over their greatest common divisor, is worked out once, and each proxy begins
/// after a random one of its first n picks, so that proxies do not walk in step. Backends that
/// failed lately are passed over.
///
/// Cost: O(1) a pick; O(n · cycle) and an int for each pick of the cycle when the set changes.
/// Owner thread: its dispatcher's.
/// Source: Tengine modules/ngx_http_upstream_vnswrr_module (commit fcebbd1); alibaba/tengine#1306.
/// Deviation: the table is whole from the start; Tengine works it out in steps of `max_init` picks,
/// in which failures lower weights.
/// Deviation: a cycle longer than [#MAX_CYCLE] is not kept; then each pick is a step of O(n), from
/// the cycle's start.
final class ExpandedRoundRobin implements LoadBalancer {
  /// Bounds the table to 4 MB and its making to a moment.
  static final int MAX_CYCLE = 1_000_000;

  private final NginxPeers failures;
  private final Ports.RandomSource random;
  private BackendSet backends;

  /// The picks of a cycle; empty if that is too long.
  private int[] cycle;

  private int last;

  ExpandedRoundRobin(BackendSet backends, NginxPeers failures, Ports.RandomSource random) {
    this.failures = failures;
    this.random = random;
    this.backends = backends;
    this.cycle = cycleOf(backends);
    this.last = begin();
  }

  private int begin() {
    return backends.size() == 0 ? 0 : random.below(backends.size());
  }

  private static int[] cycleOf(BackendSet backends) {
    long sum = 0;
    int divisor = 0;
    for (int i = 0; i < backends.size(); i++) {
      sum += backends.get(i).weight();
      divisor = gcd(divisor, backends.get(i).weight());
    }
    long length = divisor == 0 ? 0 : sum / divisor;
    if (length > MAX_CYCLE) {
      return new int[0];
    }
    NginxPeers smooth = new NginxPeers(backends, NginxPeers.Start.ZERO, 0, 1, () -> 0);
    int[] picks = new int[(int) length];
    for (int i = 0; i < picks.length; i++) {
      picks[i] = smooth.next();
    }
    return picks;
  }

  private static int gcd(int one, int other) {
    return other == 0 ? one : gcd(other, one % other);
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = cycle.length == 0 ? failures.next() : nextOfCycle();
    return index == Selector.NONE ? NginxPeers.NONE_LEFT : new Picked(backends, index);
  }

  private int nextOfCycle() {
    for (int i = 1; i <= cycle.length; i++) {
      int at = (last + i) % cycle.length;
      if (failures.isEligible(cycle[at])) {
        last = at;
        failures.take(cycle[at]);
        return cycle[at];
      }
    }
    return Selector.NONE;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    failures.completed(picked, outcome);
  }

  /// Goes on after the same pick of the same backend as before: its third of the cycle, say, or its
  /// last if it has fewer now. If it left, after the last pick before it of one that stays.
  @Override
  public void update(BackendSet next) {
    BackendSet before = backends;
    int[] beforeCycle = cycle;
    failures.update(next);
    backends = next;
    cycle = cycleOf(next);
    for (int i = 0; i < beforeCycle.length && cycle.length > 0; i++) {
      int at = Math.floorMod(last - i, beforeCycle.length);
      int survivor = next.indexOf(before.get(beforeCycle[at]).id());
      if (survivor >= 0) {
        last = turnOf(survivor, turnsBefore(beforeCycle, at));
        return;
      }
    }
    last = begin();
  }

  private static int turnsBefore(int[] picks, int at) {
    int turns = 0;
    for (int i = 0; i < at; i++) {
      turns += picks[i] == picks[at] ? 1 : 0;
    }
    return turns;
  }

  private int turnOf(int index, int turns) {
    int found = 0;
    int left = turns;
    for (int i = 0; i < cycle.length && left >= 0; i++) {
      if (cycle[i] == index) {
        found = i;
        left--;
      }
    }
    return found;
  }
}
