package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.OneProxy;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RoundRobinTest extends AlgorithmContract {
  private final BackendSet abcd = BackendSet.of(OneProxy.named("abcd"));

  @Override
  protected Stream<String> specs() {
    return Stream.of("round-robin", "round-robin(start=random)");
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
}
