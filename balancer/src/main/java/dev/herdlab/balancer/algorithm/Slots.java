package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.View;

/// How many requests each backend may have at a time: all of those in flight and the one to come,
/// times the balance factor, shared out by weight.
///
/// Cost: [#count] O(n), the rest O(1). Owner thread: its balancer's.
/// Source: Mirrokni, Thorup and Zadimoghaddam, "Consistent Hashing with Bounded Loads", SODA 2018
/// (arXiv 1608.01350); HAProxy src/lb_chash.c `chash_server_is_eligible` (3.5-dev5, commit
/// 50872da); Envoy thread_aware_lb_impl.cc `hostOverloadFactor`, commit 0336fd6.
final class Slots {
  private final View view;
  private final int percent;
  private final int size;

  /// Sums of the weights of all before an index.
  private final long[] weightBefore;

  private long inAll;

  /// @param percent the balance factor, 100 or more
  Slots(BackendSet backends, View view, int percent) {
    this.view = view;
    this.percent = percent;
    this.size = backends.size();
    this.weightBefore = new long[size + 1];
    for (int i = 0; i < size; i++) {
      weightBefore[i + 1] = weightBefore[i] + backends.get(i).weight();
    }
  }

  /// Counts what is in flight now; before each pick.
  void count() {
    long inFlight = 0;
    for (int i = 0; i < size; i++) {
      inFlight += view.inFlight(i);
    }
    inAll = ((inFlight + 1) * percent + 99) / 100;
  }

  /// Whether the backend may have one more by HAProxy's rule: whole slots, which add up to what all
  /// may have, so that one is always free; each has one at least.
  ///
  /// The two roundings are those of HAProxy's three steps: whole slots for each unit of weight, the
  /// rest by the sums of weights before and after.
  boolean isFree(int index) {
    long slots =
        weightBefore[index + 1] * inAll / weightBefore[size]
            - weightBefore[index] * inAll / weightBefore[size];
    return view.inFlight(index) < Math.max(slots, 1);
  }

  /// What the backend has over what it may have, by Envoy's rule: its share is rounded up, and it
  /// is not too much as long as this is at most 1.
  double fullness(int index) {
    double share = (weightBefore[index + 1] - weightBefore[index]) / (double) weightBefore[size];
    long slots = Math.max((long) Math.ceil(inAll * share), 1);
    return view.inFlight(index) / (double) slots;
  }
}
