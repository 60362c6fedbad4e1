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
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Consistent hashing with bounded loads: a key goes to its place on a ring unless the backend
/// there has more than its share of what is in flight, times a balance factor; then to the next one
/// on the ring that has not (HAProxy), or to the first such one in an order that the key alone
/// determines (Envoy).
///
/// Cost: O(n) to count, O(1) to find the place; a walk of O(points) at
/// worst, or with jumps a seeding of some microseconds and O(n). No draw, one for a request without
/// a key. Owner thread: its dispatcher's.
final class BoundedLoad implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "envoy",
              "Envoy `thread_aware_lb_impl.cc` (`BoundedLoadHashingLoadBalancer`), commit 0336fd6:"
                  + " `overflow=jump`, in the order of a shuffle by MT19937 with the key as its seed; if all"
                  + " are full, the least so",
              Map.of("overflow", "jump")),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/lb_chash.c` (`hash-balance-factor`): `overflow=walk` on the ring of"
                  + " `ring-hash(as=haproxy)`",
              Map.of("overflow", "walk", "min-size", Preset.OWN, "max-size", Preset.OWN)));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "bounded-load",
              "Consistent hashing with bounded loads: a request goes to its key's place on the ring of"
                  + " ring-hash, unless the backend there has more in flight than its share times a factor;"
                  + " then to another one.",
              List.of(
                  Parameter.decimal(
                      "factor",
                      1,
                      100,
                      "1.25",
                      "balance factor: what a backend may have over its share of what is in flight"),
                  Parameter.choice(
                      "overflow",
                      List.of("walk", "jump"),
                      "walk",
                      "where a request goes whose backend is full: to the next on the ring, which then gets"
                          + " its neighbour's keys; or by jumps, in an order of the key's own"),
                  RingHash.MIN_SIZE,
                  RingHash.MAX_POINTS,
                  Preset.parameter(PRESETS)),
              "O(n), no draw; one for a request without a key. A walk visits O(points) at worst; jumps begin"
                  + " with a seeding of some microseconds",
              "nothing but the ring",
              Preset.sources(
                  PRESETS,
                  "Mirrokni, Thorup and Zadimoghaddam, *Consistent Hashing with Bounded Loads*, SODA 2018",
                  "Chen, Coleman and Shrivastava, *Revisiting Consistent Hashing with Bounded Loads*, AAAI"
                      + " 2021 (jumps)",
                  "`overflow=walk`: HAProxy `src/lb_chash.c`, `chash_server_is_eligible`; `overflow=jump`:"
                      + " Envoy"),
              List.of(
                  KeyedBalancer.WITHOUT_KEY,
                  "The factor counts in whole per cent, as in the products. In flight is what the view says;"
                      + " in the products it is the proxy's own, as in `local`."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          Function<BackendSet, Ring> rings =
              settings.as().equals("haproxy")
                  ? HaproxyRing.following(ports.random())
                  : RingHash.envoys(settings);
          int percent = (int) Math.round(settings.decimal("factor") * 100);
          Overflow overflow =
              settings.choice("overflow").equals("jump") ? Overflow.JUMP : Overflow.WALK;
          return new BoundedLoad(
              backends, rings, set -> new Slots(set, view, percent), overflow, ports.random());
        }
      };

  private final Function<BackendSet, Ring> rings;
  private final Function<BackendSet, Slots> bounds;
  private final Overflow overflow;
  private final KeyedOrder order = new KeyedOrder();
  private final Ports.RandomSource random;
  private BackendSet backends;
  private Ring ring;
  private Slots slots;

  /// Where a request goes whose backend is full.
  private enum Overflow {
    WALK,
    JUMP
  }

  private BoundedLoad(
      BackendSet backends,
      Function<BackendSet, Ring> rings,
      Function<BackendSet, Slots> bounds,
      Overflow overflow,
      Ports.RandomSource random) {
    this.rings = rings;
    this.bounds = bounds;
    this.overflow = overflow;
    this.random = random;
    this.backends = backends;
    this.ring = rings.apply(backends);
    this.slots = bounds.apply(backends);
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    long key = KeyedBalancer.key(context, random);
    slots.count();
    int point = ring.pointOf(key);
    return new Picked(
        backends,
        switch (overflow) {
          case WALK -> walk(point);
          case JUMP -> jump(key, ring.ownerOf(point));
        });
  }

  /// The first backend from `point` on that is free. There is one: free slots add up to more than
  /// none, and every backend has a point on its ring, unless its weight is too small for one.
  private int walk(int point) {
    int at = point;
    for (int steps = 0; steps < ring.points() && !slots.isFree(ring.ownerOf(at)); steps++) {
      at = at + 1 == ring.points() ? 0 : at + 1;
    }
    return ring.ownerOf(at);
  }

  private int jump(long key, int home) {
    double least = slots.fullness(home);
    int best = home;
    if (least > 1) {
      order.begin(key, backends.size());
      for (int left = backends.size(); left > 0; left--) {
        int other = order.next();
        double fullness = slots.fullness(other);
        if (other != home && fullness <= 1) {
          return other;
        }
        if (fullness < least) {
          least = fullness;
          best = other;
        }
      }
    }
    return best;
  }

  @Override
  public void update(BackendSet next) {
    ring = rings.apply(next);
    slots = bounds.apply(next);
    backends = next;
  }
}
