package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LeastConnTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("least-conn", "least-conn(ties=first)", "least-conn(ties=round-robin)");
  }

  @Test
  void picksUniformlyAmongTheLeastLoaded() {
    int[] loads = new int[4];
    Law.forEveryLoad(
        loads,
        2,
        () -> {
          int least = IntStream.of(loads).min().orElseThrow();
          double share = 1.0 / IntStream.of(loads).filter(load -> load == least).count();
          double[] law = Law.ofFirstPick("least-conn", loads);
          for (int i = 0; i < loads.length; i++) {
            assertThat(law[i]).isCloseTo(loads[i] == least ? share : 0, Law.EXACT);
          }
        });
  }

  @Test
  void drawsOnceForEachPickEvenWhenOneIsLeast() {
    // The published program calls choice() on a list of one, too: coins must stay in step with it.
    Map<Integer, Double> draws =
        EveryOutcome.law(
            coins -> {
              int[] loads = {1, 0, 2};
              new FullScan(FullScan.Ties.RANDOM, coins).select(index -> loads[index], 3);
              return ((EveryOutcome) coins).drawn();
            });

    assertThat(draws).isEqualTo(Map.of(1, 1.0));
  }

  @Test
  void firstOfTheLeastLoadedIsPickedIfAsked() {
    assertThat(Law.ofFirstPick("least-conn(ties=first)", 2, 1, 1, 3)).containsExactly(0, 1, 0, 0);
  }

  @Test
  void takesTurnsAmongTheLeastLoadedIfAsked() {
    OneProxy proxy =
        new OneProxy(BackendSet.of(OneProxy.named("abc")))
            .install("least-conn(ties=round-robin)", "local", 1);

    assertThat(proxy.picks(4)).isEqualTo("abca");
    Picked onB = proxy.pick();
    assertThat(onB.backend().id()).isEqualTo("b");
    assertThat(proxy.picks(4)).isEqualTo("caca");
    onB.complete(Outcome.SUCCEEDED);
    assertThat(proxy.picks(3)).isEqualTo("bca");
  }

  @Test
  void turnStaysWithItsBackendWhenTheSetChanges() {
    BackendSet abc = BackendSet.of(OneProxy.named("abc"));
    OneProxy proxy = new OneProxy(abc).install("least-conn(ties=round-robin)", "local", 1);
    assertThat(proxy.picks(1)).isEqualTo("a");
    proxy.update(abc.next(OneProxy.named("cxb")));

    assertThat(proxy.picks(3)).isEqualTo("bcx");
  }
}
