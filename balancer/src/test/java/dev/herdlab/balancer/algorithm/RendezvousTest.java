package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.XxHash64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shares, and that no key moves without need.
final class RendezvousTest extends AlgorithmContract {
  private static final int TENANTS = 40_000;

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "rendezvous",
        "rendezvous(weights=ignored)",
        "rendezvous(as=caddy)",
        "rendezvous(as=traefik)");
  }

  @Test
  void theHighestHashOfBackendAndKeyWins() {
    BackendSet backends = BackendSet.ofSize(5);
    LoadBalancer balancer = Keyed.of("rendezvous", backends);

    for (int tenant = 0; tenant < 1000; tenant++) {
      long won = bid(Keyed.id(balancer, Keyed.key(tenant)), tenant);
      for (int i = 0; i < backends.size(); i++) {
        assertThat(bid(backends.get(i).id(), tenant)).isLessThanOrEqualTo(won);
      }
    }
  }

  private static long bid(String id, int tenant) {
    return XxHash64.of(Keyed.key(tenant), XxHash64.of(id, 0));
  }

  /// 40 000 keys are 40 000 independent draws as far as XXH64 is uniform; the bound is left once in
  /// 10^6 sets of keys.
  @Test
  void sharesAreThoseOfWeights() {
    int[] weights = {1, 2, 3, 10};
    long[] counts =
        Keyed.counts(Keyed.of("rendezvous", BackendSet.of(Bench.weighted(weights))), 4, TENANTS);

    assertThat(Law.chiSquare(counts, new double[] {1 / 16.0, 2 / 16.0, 3 / 16.0, 10 / 16.0}))
        .isLessThan(Law.chiSquareBound(4));
  }

  /// As above.
  @Test
  void weightsAreIgnoredAsCaddyDoes() {
    long[] counts =
        Keyed.counts(
            Keyed.of("rendezvous(as=caddy)", BackendSet.of(Bench.weighted(1, 2, 3, 10))),
            4,
            TENANTS);

    assertThat(Law.chiSquare(counts)).isLessThan(Law.chiSquareBound(4));
  }

  @Test
  void equalWeightsOfAnySizeGiveTheSamePicks() {
    assertThat(Keyed.ids(Keyed.of("rendezvous", BackendSet.of(Bench.weighted(7, 7, 7))), 1000))
        .isEqualTo(
            Keyed.ids(
                Keyed.of("rendezvous(weights=ignored)", BackendSet.of(Bench.weighted(1, 5, 9))),
                1000));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void onlyTheKeysOfABackendThatLeavesOrComesMove(int weight) {
    BackendSet all = BackendSet.of(Bench.weighted(1, weight, 2, weight, 3));
    LoadBalancer balancer = Keyed.of("rendezvous", all);
    List<String> with = Keyed.ids(balancer, TENANTS);
    balancer.update(Keyed.without(all, "b"));
    List<String> without = Keyed.ids(balancer, TENANTS);

    for (int i = 0; i < TENANTS; i++) {
      assertThat(without.get(i)).isNotEqualTo("b");
      assertThat(with.get(i)).isIn("b", without.get(i));
    }
  }

  /// A heavier backend takes keys from others, and none of these change hands among themselves.
  @Test
  void aWeightThatGrowsOnlyTakesKeys() {
    LoadBalancer balancer = Keyed.of("rendezvous", BackendSet.of(Bench.weighted(1, 2, 3)));
    List<String> before = Keyed.ids(balancer, TENANTS);
    balancer.update(BackendSet.of(Bench.weighted(1, 4, 3)));
    List<String> after = Keyed.ids(balancer, TENANTS);

    for (int i = 0; i < TENANTS; i++) {
      assertThat(after.get(i)).isIn("b", before.get(i));
    }
  }
}
