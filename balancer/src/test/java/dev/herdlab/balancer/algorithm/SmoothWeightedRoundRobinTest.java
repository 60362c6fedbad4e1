package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SmoothWeightedRoundRobinTest extends AlgorithmContract {
  private final BackendSet weighted =
      BackendSet.of(List.of(new Backend("a", 5), Backend.of("b"), Backend.of("c")));

  @Override
  protected Stream<String> specs() {
    return Stream.of("smooth-weighted-round-robin", "smooth-weighted-round-robin(start=weights)");
  }

  private static SmoothWeightedRoundRobin create(BackendSet set, String start) {
    return (SmoothWeightedRoundRobin)
        Algorithms.builtIn()
            .parse("smooth-weighted-round-robin(start=" + start + ")", 1)
            .create(set, index -> 0, OneProxy.ports(SeededRandom.of(1, "coins", 0)));
  }

  private static String pick(LoadBalancer balancer) {
    return ((Picked) balancer.pick(PickContext.PLAIN)).backend().id();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void spreadsTheHeavyBackendOverTheCycle(String spec) {
    OneProxy proxy = new OneProxy(weighted).install(spec, "local", 1);

    assertThat(proxy.picks(14)).isEqualTo("aabacaaaabacaa");
  }

  @ParameterizedTest
  @CsvSource({"zero,0,0,0", "weights,5,1,1"})
  void stateIsWhereItBeganAfterEachCycle(String start, long a, long b, long c) {
    SmoothWeightedRoundRobin balancer = create(weighted, start);

    for (int cycle = 0; cycle < 3; cycle++) {
      assertThat(balancer.state()).containsExactly(a, b, c);
      for (int i = 0; i < 7; i++) {
        pick(balancer);
      }
    }
    assertThat(balancer.state()).containsExactly(a, b, c);
  }

  @Test
  void stateMovesAsWorkedOutByHand() {
    SmoothWeightedRoundRobin balancer = create(weighted, "zero");
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      String id = pick(balancer);
      long[] state = balancer.state();
      steps.add(id + " " + state[0] + " " + state[1] + " " + state[2]);
    }

    // Add the weights, take the first greatest, subtract their sum from it.
    assertThat(steps)
        .containsExactly(
            "a -2 1 1", "a -4 2 2", "b 1 -4 3", "a -1 -3 4", "c 4 -2 -2", "a 2 -1 -1", "a 0 0 0");
  }

  @Test
  void newcomersBeginAsTheStartSays() {
    SmoothWeightedRoundRobin zero = create(weighted, "zero");
    SmoothWeightedRoundRobin weights = create(weighted, "weights");
    pick(zero);
    pick(weights);
    BackendSet next = weighted.next(List.of(new Backend("x", 3), new Backend("a", 5)));
    zero.update(next);
    weights.update(next);

    assertThat(zero.state()).containsExactly(0, -2);
    assertThat(weights.state()).containsExactly(3, 3);
  }
}
