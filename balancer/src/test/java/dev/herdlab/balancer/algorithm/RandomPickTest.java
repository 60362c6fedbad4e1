package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.Law;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RandomPickTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "random", "random(as=envoy)", "random(as=nginx)", "random(as=haproxy)", "random(as=caddy)");
  }

  @Override
  protected boolean isEven(String spec) {
    return !spec.contains("haproxy"); // points on a ring
  }

  @Test
  void picksUniformlyWhateverTheLoads() {
    assertThat(Law.ofFirstPick("random", 9, 0, 3, 0)).containsExactly(0.25, 0.25, 0.25, 0.25);
  }

  @Test
  void nginxDrawsByWeight() {
    Map<String, Double> law =
        EveryOutcome.law(coins -> Bench.of("random(as=nginx)", coins, 1, 2, 1).opens(1));

    assertThat(law).containsExactly(entry("a", 0.25), entry("b", 0.5), entry("c", 0.25));
  }

  /// 100 000 picks, seed of the bench; the bound is exceeded by one seed in 10^6. The shares are
  /// the arcs of HAProxy's ring, which HaproxyTest holds against HAProxy itself.
  @Test
  void haproxyDrawsByTheArcsOfItsRing() {
    Bench bench = Bench.of("random(as=haproxy)", 3, 1, 2);
    long[] counts = Law.tally(3, 100_000, () -> bench.proxy.pick().index());

    assertThat(Law.chiSquare(counts, new double[] {0.5098364, 0.1652818, 0.3248819}))
        .isLessThan(Law.chiSquareBound(3));
  }
}
