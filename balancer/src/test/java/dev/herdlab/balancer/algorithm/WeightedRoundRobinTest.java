package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.OneProxy;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WeightedRoundRobinTest extends AlgorithmContract {
  private final BackendSet weighted =
      BackendSet.of(List.of(new Backend("a", 5), Backend.of("b"), Backend.of("c")));

  @Override
  protected Stream<String> specs() {
    return Stream.of("weighted-round-robin", "weighted-round-robin(as=caddy)");
  }

  private OneProxy proxy() {
    return new OneProxy(weighted).install("weighted-round-robin", "local", 1);
  }

  @Test
  void picksEachAsOftenInARowAsItsWeightSays() {
    assertThat(proxy().picks(14)).isEqualTo("aaaaabcaaaaabc");
  }

  @Test
  void turnGoesOnWhereItWasWhenOthersChange() {
    OneProxy proxy = proxy();
    assertThat(proxy.picks(3)).isEqualTo("aaa");
    proxy.update(weighted.next(List.of(Backend.of("x"), new Backend("a", 5))));

    assertThat(proxy.picks(4)).isEqualTo("aaxa");
  }

  @Test
  void turnEndsWhenTheWeightFallsToWhatItHasHad() {
    OneProxy proxy = proxy();
    assertThat(proxy.picks(3)).isEqualTo("aaa");
    proxy.update(weighted.next(List.of(new Backend("a", 2), Backend.of("b"))));

    assertThat(proxy.picks(4)).isEqualTo("baab");
  }

  @Test
  void nextSurvivorBeginsItsTurnWhenTheBackendLeaves() {
    OneProxy proxy = proxy();
    assertThat(proxy.picks(3)).isEqualTo("aaa");
    proxy.update(weighted.next(List.of(Backend.of("c"), new Backend("b", 2))));

    assertThat(proxy.picks(4)).isEqualTo("bbcb");
  }

  @Test
  void caddyBeginsWithTheSecondPickOfTheCycle() {
    // Caddy's TestWeightedRoundRobinPolicy: weights 3, 2, 1 give the first, first, second, second,
    // third,
    // first host.
    assertThat(Bench.of("weighted-round-robin(as=caddy)", 3, 2, 1).proxy.picks(7))
        .isEqualTo("aabbcaa");
  }
}
