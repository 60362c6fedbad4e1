package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.XxHash64;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The subsets of the book's example, and what each method promises.
final class SubsetTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "subset(size=1)",
        "subset(size=3,inner=least-conn)",
        "subset(method=rendezvous)",
        "subset(method=rendezvous,size=3,inner=random)",
        "subset(method=rendezvous,size=100,inner=round-robin)");
  }

  @Override
  protected int fewestBackends(String spec) {
    return spec.startsWith("subset(size=3") ? 3 : 1;
  }

  @Override
  protected boolean isEven(String spec) {
    return spec.contains("size=100");
  }

  /// 12 backends in subsets of 3: the shuffles of Python 2 with seeds 0, 1, 2, of which the book
  /// shows the first ones, cut up for four proxies each.
  @ParameterizedTest
  @CsvSource({
    "0, 0 6 3", "1, 5 1 7", "2, 11 9 2", "3, 4 8 10",
    "4, 8 11 4", "5, 0 5 6", "6, 10 3 2", "7, 7 9 1",
    "8, 8 3 7", "9, 2 1 4", "10, 5 6 9", "11, 0 10 11"
  })
  void subsetsAreTheBooks(int proxy, String members) {
    assertThat(Subset.ofRound(12, 3, proxy))
        .containsExactly(Arrays.stream(members.split(" ")).mapToInt(Integer::parseInt).toArray());
  }

  /// The book's figure 20-5: 300 proxies with 10 of 300 backends each have 10 proxies a backend.
  @Test
  void everyBackendHasAsManyProxies() {
    int[] proxies = new int[300];
    for (int proxy = 0; proxy < 300; proxy++) {
      for (int member : Subset.ofRound(300, 10, proxy)) {
        proxies[member]++;
      }
    }

    assertThat(proxies).containsOnly(10);
  }

  @Test
  void withinARoundNoTwoProxiesShareABackend() {
    for (int size = 1; size <= 10; size++) {
      int[] proxies = new int[20];
      for (int proxy = 0; proxy < 20 / size; proxy++) {
        for (int member : Subset.ofRound(20, size, proxy)) {
          proxies[member]++;
        }
      }
      int used = 20 / size * size;
      assertThat(Arrays.stream(proxies).sum()).isEqualTo(used);
      assertThat(proxies).doesNotContain(2);
    }
  }

  private static LoadBalancer ofProxy(String spec, BackendSet backends, int proxy) {
    SeededRandom coins = SeededRandom.of(3, "coins", proxy);
    Ports.Peers peers = new Ports.Peers(proxy, 100);
    Ports ports = new Ports(() -> 0, coins, (delayNanos, task) -> {}, index -> {}, peers);
    return Algorithms.builtIn()
        .parse(spec, OneProxy.UNIT_NANOS)
        .create(backends, index -> 0, ports);
  }

  private static Set<String> used(LoadBalancer balancer) {
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      ids.add(((Picked) balancer.pick(PickContext.PLAIN)).backend().id());
    }
    return ids;
  }

  @Test
  void aProxyUsesTheSubsetOfItsNumber() {
    BackendSet backends = BackendSet.ofSize(12);

    assertThat(used(ofProxy("subset(size=3)", backends, 5))).containsExactly("b0", "b5", "b6");
    assertThat(used(ofProxy("subset(size=3)", backends, 0))).containsExactly("b0", "b3", "b6");
  }

  /// gRFC A68: sorted by XXH64 with the seed, the first ones.
  @Test
  void rendezvousSubsetsAreThoseOfA68() {
    BackendSet backends = BackendSet.ofSize(20);
    int[] members = Subset.firstOf(backends, 6, 42);
    long last = XxHash64.of(backends.get(members[5]).id(), 42);

    for (int i = 0; i < 20; i++) {
      long hash = XxHash64.of(backends.get(i).id(), 42);
      int index = i;
      assertThat(Long.compareUnsigned(hash, last) <= 0)
          .isEqualTo(Arrays.stream(members).anyMatch(member -> member == index));
    }
    assertThat(Subset.firstOf(backends, 20, 42)).isEqualTo(Members.all(20));
  }

  @Test
  void aRendezvousSubsetChangesByOneMemberAtMost() {
    BackendSet all = BackendSet.ofSize(30);
    for (int proxy = 0; proxy < 20; proxy++) {
      LoadBalancer balancer = ofProxy("subset(method=rendezvous,size=5)", all, proxy);
      Set<String> before = used(balancer);
      assertThat(before).hasSize(5);
      for (String leaving : before) {
        balancer.update(Keyed.without(all, leaving));
        Set<String> after = used(balancer);
        assertThat(after).hasSize(5).doesNotContain(leaving);
        after.retainAll(before);
        assertThat(after).hasSize(4);
      }
      balancer.update(all);
      assertThat(used(balancer)).isEqualTo(before);
    }
  }

  @Test
  void usesAllOfASetThatShrinksBelowTheSubset() {
    LoadBalancer balancer = ofProxy("subset(size=5)", BackendSet.ofSize(10), 1);
    balancer.update(BackendSet.ofSize(3));

    assertThat(used(balancer)).containsExactly("b0", "b1", "b2");
  }

  @Test
  void refusesASubsetLargerThanTheSet() {
    assertThatThrownBy(() -> ofProxy("subset(size=5)", BackendSet.ofSize(4), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size: 5 (expected: at most the number of backends, 4)");
  }

  /// With loads of its own, a proxy takes the idle member and not the idle stranger.
  @Test
  void innerRuleSeesTheMembersLoads() {
    int[] loads = new int[12];
    Arrays.fill(loads, 3);
    loads[3] = 1; // a member of proxy 0's: 0, 6, 3
    loads[1] = 0; // no member
    LoadBalancer balancer =
        Keyed.of("subset(size=3,inner=least-conn)", BackendSet.ofSize(12), i -> loads[i]);

    assertThat(used(balancer)).containsExactly("b3");
  }
}
