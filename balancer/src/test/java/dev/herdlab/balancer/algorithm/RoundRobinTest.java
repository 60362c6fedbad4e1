package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.OneProxy;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RoundRobinTest extends AlgorithmContract {
  private final BackendSet abcd = BackendSet.of(OneProxy.named("abcd"));

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "round-robin",
        "round-robin(start=random)",
        "round-robin(as=envoy)",
        "round-robin(as=nginx)",
        "round-robin(as=haproxy)",
        "round-robin(as=finagle)",
        "round-robin(as=caddy)",
        "round-robin(as=traefik)");
  }

  private OneProxy proxy() {
    return new OneProxy(abcd).install("round-robin", "local", 1);
  }

  @Test
  void picksInIndexOrder() {
    assertThat(proxy().picks(9)).isEqualTo("abcdabcda");
  }

  @Test
  void randomStartIsUniformAndGoesOnInOrder() {
    Map<String, Double> law =
        EveryOutcome.law(
            coins ->
                new OneProxy(BackendSet.of(OneProxy.named("abc")))
                    .install(Algorithms.builtIn(), "round-robin(start=random)", "local", coins)
                    .picks(4));

    assertThat(law.keySet()).containsExactly("abca", "bcab", "cabc");
    assertThat(law.values()).allSatisfy(p -> assertThat(p).isCloseTo(1.0 / 3, Law.EXACT));
  }

  @Test
  void randomStartIsDrawnWhenTheFirstBackendsJoin() {
    Map<String, Double> law =
        EveryOutcome.law(
            coins -> {
              BackendSet empty = BackendSet.ofSize(0);
              OneProxy proxy =
                  new OneProxy(empty)
                      .install(Algorithms.builtIn(), "round-robin(start=random)", "local", coins);
              proxy.update(empty.next(OneProxy.named("ab")));
              return proxy.picks(2);
            });

    assertThat(law.keySet()).containsExactly("ab", "ba");
  }

  @Test
  void turnStaysWithItsBackendWhenOthersLeaveOrMove() {
    OneProxy proxy = proxy();
    assertThat(proxy.picks(2)).isEqualTo("ab");
    proxy.update(abcd.next(OneProxy.named("dxc")));

    assertThat(proxy.picks(4)).isEqualTo("cdxc");
  }

  @Test
  void turnPassesToTheNextSurvivorWhenItsBackendLeaves() {
    OneProxy proxy = proxy();
    assertThat(proxy.picks(2)).isEqualTo("ab");
    proxy.update(abcd.next(OneProxy.named("abd")));

    assertThat(proxy.picks(3)).isEqualTo("dab");
  }

  @Test
  void caddyBeginsWithTheSecond() {
    // Its counter is raised before it is read.
    assertThat(Bench.of("round-robin(as=caddy)", 1, 1, 1).proxy.picks(4)).isEqualTo("bcab");
    assertThat(Bench.of("round-robin(as=caddy)", 1).proxy.picks(2)).isEqualTo("aa");
  }

  @Test
  void envoyBeginsAnywhereAndGoesByDeadlinesWhileWeightsDiffer() {
    assertThat(
            Bench.of("round-robin(as=envoy)", new ScriptedCoins().whole(2), 4, 4, 4).proxy.picks(4))
        .isEqualTo("cabc");
    Bench bench = Bench.of("round-robin(as=envoy)", new ScriptedCoins().whole(0, 1), 2, 1);
    assertThat(bench.proxy.picks(6)).isEqualTo("abaaba");
    bench.becomes(Backend.of("a"), Backend.of("b")); // now equal: begins anew, at a coin's second

    assertThat(bench.proxy.picks(3)).isEqualTo("bab");
  }

  @ParameterizedTest
  @CsvSource({
    "nginx, 5 1 1, aabacaa", // phusion/nginx 27e9498
    "haproxy, 5 1 1, aaabaac", // HAProxy 2.6.12 itself: see HaproxyTest
    "traefik, 5 1 1, aaaacab", // Go's heap: see EarliestDeadlineTest
    "traefik, 1 1 1, acbcbab",
    "finagle, 5 1 1, abcabca",
  })
  void productsHonourWeightsInTheirOwnWays(String product, String text, String picks) {
    int[] weights = Stream.of(text.split(" ")).mapToInt(Integer::parseInt).toArray();

    assertThat(Bench.of("round-robin(as=" + product + ")", weights).proxy.picks(7))
        .isEqualTo(picks);
  }
}
