package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bound itself, and where a request goes that meets it.
final class BoundedLoadTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "bounded-load",
        "bounded-load(factor=1)",
        "bounded-load(overflow=jump,min-size=64)",
        "bounded-load(as=envoy,factor=2)",
        "bounded-load(as=haproxy)");
  }

  @Override
  protected boolean isEven(String spec) {
    return false;
  }

  /// HAProxy's rule in its own three steps.
  private static long haproxySlots(int[] weights, int index, long inAll) {
    long sum = 0;
    long before = 0;
    for (int i = 0; i < weights.length; i++) {
      before += i < index ? weights[i] : 0;
      sum += weights[i];
    }
    long whole = inAll / sum;
    long rest = inAll % sum;
    long slots = weights[index] * whole;
    slots += (before + weights[index]) * rest / sum - before * rest / sum;
    return Math.max(slots, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 125, 137, 200})
  void slotsAreHaproxys(int percent) {
    int[] weights = {3, 1, 5};
    int[] loads = new int[3];
    Slots slots = new Slots(BackendSet.of(Bench.weighted(weights)), i -> loads[i], percent);

    Law.forEveryLoad(
        loads,
        7,
        () -> {
          slots.count();
          long inAll = ((loads[0] + loads[1] + loads[2] + 1L) * percent + 99) / 100;
          boolean anyFree = false;
          for (int i = 0; i < 3; i++) {
            assertThat(slots.isFree(i)).isEqualTo(loads[i] < haproxySlots(weights, i, inAll));
            anyFree |= slots.isFree(i);
          }
          assertThat(anyFree).isTrue();
        });
  }

  /// Envoy: `rq_active / max(ceil(total * weight), 1)`, with a total of ((10 + 1) 150 + 99) / 100 =
  /// 17 of which the halves are 8.5.
  @Test
  void fullnessIsEnvoys() {
    int[] loads = {4, 6};
    Slots slots = new Slots(BackendSet.ofSize(2), i -> loads[i], 150);
    slots.count();

    assertThat(slots.fullness(0)).isEqualTo(4 / 9.0);
    assertThat(slots.fullness(1)).isEqualTo(6 / 9.0);
  }

  /// Every vector of loads up to 4 on 4 backends: home if it is free, else another that is.
  @ParameterizedTest
  @CsvSource({
    "bounded-load(factor=1.2), ring-hash",
    "bounded-load(as=haproxy;factor=1.2), ring-hash(as=haproxy)"
  })
  void picksTheHomeUnlessItIsFullAndThenAFreeOne(String text, String unbounded) {
    String spec = text.replace(';', ',');
    int[] loads = new int[4];
    BackendSet backends = BackendSet.ofSize(4);
    LoadBalancer balancer = Keyed.of(spec, backends, i -> loads[i]);
    LoadBalancer homes = Keyed.of(unbounded, backends);
    Slots slots = new Slots(backends, i -> loads[i], 120);

    Law.forEveryLoad(
        loads,
        4,
        () -> {
          slots.count();
          for (int tenant = 0; tenant < 8; tenant++) {
            int home = Keyed.pick(homes, Keyed.key(tenant)).index();
            int got = Keyed.pick(balancer, Keyed.key(tenant)).index();
            assertThat(slots.isFree(got)).isTrue();
            if (slots.isFree(home)) {
              assertThat(got).isEqualTo(home);
            }
          }
        });
  }

  /// The walk itself: the owner of the first point from the key's on that is free.
  @Test
  void walksToTheNextFreeOwnerOnTheRing() {
    BackendSet backends = BackendSet.ofSize(5);
    int[] loads = {9, 0, 9, 9, 0};
    LoadBalancer balancer = Keyed.of("bounded-load(min-size=64)", backends, i -> loads[i]);
    HashRing ring = RingPoints.envoys(backends, 64, 8_388_608);

    for (int tenant = 0; tenant < 200; tenant++) {
      int at = ring.pointOf(Keyed.key(tenant));
      while (loads[ring.ownerOf(at)] == 9) {
        at = (at + 1) % ring.points();
      }
      assertThat(Keyed.pick(balancer, Keyed.key(tenant)).index()).isEqualTo(ring.ownerOf(at));
    }
  }

  /// Envoy bounded_load_hlb_test.cc: with hosts full, the first of the key's order that is not.
  @Test
  void jumpsInTheOrderOfTheKey() {
    BackendSet backends = BackendSet.ofSize(5);
    int[] loads = {40, 0, 40, 40, 0};
    LoadBalancer balancer = Keyed.of("bounded-load(as=envoy)", backends, i -> loads[i]);
    KeyedOrder order = new KeyedOrder();

    for (int tenant = 0; tenant < 200; tenant++) {
      int home = Keyed.pick(Keyed.of("ring-hash", backends), Keyed.key(tenant)).index();
      order.begin(Keyed.key(tenant), 5);
      int expected = home;
      while (loads[expected] == 40) {
        expected = order.next();
      }
      assertThat(Keyed.pick(balancer, Keyed.key(tenant)).index()).isEqualTo(expected);
    }
  }

  /// Envoy allows one more than the slots; with loads of one backend only this can't happen, with a
  /// view of others' requests it can: then the least full.
  @Test
  void takesTheLeastFullIfAllAre() {
    int[] counted = {0};
    int[] loads = {30, 20, 25};
    // Seen as empty while counted, so that there are few slots.
    LoadBalancer balancer =
        Keyed.of(
            "bounded-load(as=envoy)", BackendSet.ofSize(3), i -> counted[0]++ < 3 ? 0 : loads[i]);

    assertThat(Keyed.pick(balancer, Keyed.key(1)).index()).isEqualTo(1);
  }

  @Test
  void aLooseBoundIsNone() {
    BackendSet backends = BackendSet.ofSize(8);
    int[] loads = {3, 1, 2, 0, 4, 1, 0, 2};

    for (String overflow : List.of("walk", "jump")) {
      LoadBalancer loose =
          Keyed.of("bounded-load(factor=100,overflow=" + overflow + ")", backends, i -> loads[i]);
      assertThat(Keyed.ids(loose, 2000))
          .isEqualTo(Keyed.ids(Keyed.of("ring-hash", backends), 2000));
    }
  }

  /// One hot key of ten, 5000 picks with 40 in flight: no backend ever has more than its slots.
  @ParameterizedTest
  @ValueSource(strings = {"bounded-load", "bounded-load(as=haproxy)"})
  void noBackendHasMoreThanItsSlots(String spec) {
    Bench bench = Bench.of(spec, 1, 1, 1, 2, 2, 2, 3, 3);
    int[] weights = {1, 1, 1, 2, 2, 2, 3, 3};
    SeededRandom random = SeededRandom.of(5, "tenants", 0);
    List<Picked> open = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      long inAll = ((open.size() + 1L) * 125 + 99) / 100;
      long key = Keyed.key(random.below(4) == 0 ? random.below(10) : 0);
      Picked picked = (Picked) bench.proxy.dispatcher.pick(new PickContext(key));
      open.add(picked);
      assertThat((long) bench.proxy.dispatcher.inFlight().inFlight(picked.index()))
          .isLessThanOrEqualTo(haproxySlots(weights, picked.index(), inAll));
      if (open.size() == 40) {
        open.remove(random.below(40)).complete(Outcome.SUCCEEDED);
      }
    }
  }
}
