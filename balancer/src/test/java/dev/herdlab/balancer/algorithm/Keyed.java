package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.View;
import java.util.ArrayList;
import java.util.List;

/// Picks by key, without a dispatcher: where the keys of tenants t0, t1, ... go.
final class Keyed {
  private Keyed() {}

  static LoadBalancer of(String spec, BackendSet backends) {
    return of(spec, backends, index -> 0);
  }

  static LoadBalancer of(String spec, BackendSet backends, View view) {
    return Algorithms.builtIn()
        .parse(spec, OneProxy.UNIT_NANOS)
        .create(backends, view, OneProxy.ports(SeededRandom.of(20_260_101, "coins", 0)));
  }

  /// The key of tenant `number`.
  static long key(int number) {
    return RequestKey.of("t" + number);
  }

  static Picked pick(LoadBalancer balancer, long key) {
    return (Picked) balancer.pick(new PickContext(key));
  }

  static String id(LoadBalancer balancer, long key) {
    return pick(balancer, key).backend().id();
  }

  /// Where the first `tenants` tenants go, by number.
  static List<String> ids(LoadBalancer balancer, int tenants) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < tenants; i++) {
      ids.add(id(balancer, key(i)));
    }
    return ids;
  }

  /// How many of the first `tenants` tenants go to each backend, by index.
  static long[] counts(LoadBalancer balancer, int backends, int tenants) {
    long[] counts = new long[backends];
    for (int i = 0; i < tenants; i++) {
      counts[pick(balancer, key(i)).index()]++;
    }
    return counts;
  }

  /// `backends` without the one named `id`, in the same order.
  static BackendSet without(BackendSet backends, String id) {
    List<Backend> rest = new ArrayList<>();
    for (int i = 0; i < backends.size(); i++) {
      if (!backends.get(i).id().equals(id)) {
        rest.add(backends.get(i));
      }
    }
    return backends.next(rest);
  }
}
