package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Lu et al. 2011, section 2: the dispatcher takes the first of its idle queue, and a uniformly
/// random processor if that is empty.
final class JoinIdleQueueTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("join-idle-queue", "join-idle-queue(d=2)");
  }

  /// Coins that must not be tossed.
  private static Bench bench(ScriptedCoins coins) {
    return Bench.of("join-idle-queue", coins, 1, 1, 1, 1);
  }

  @Test
  void idleBackendsAreTakenInTheOrderInWhichTheyTold() {
    Bench bench = bench(new ScriptedCoins());
    bench.idles("c", "a", "d");

    assertThat(bench.opens(3)).isEqualTo("cad");
  }

  @Test
  void emptyQueueMeansAUniformlyRandomBackend() {
    double[] law = Law.ofFirstPick("join-idle-queue", 9, 0, 5);

    assertThat(law).containsExactly(new double[] {1 / 3.0, 1 / 3.0, 1 / 3.0}, Law.EXACT);
  }

  @Test
  void randomPicksBeginWhereTheQueueEnds() {
    Bench bench = bench(new ScriptedCoins().whole(3, 0));
    bench.idles("b");

    assertThat(bench.opens(3)).isEqualTo("bda");
  }

  @Test
  void backendThatTellsTwiceIsQueuedOnceAtItsFirstPlace() {
    Bench bench = bench(new ScriptedCoins().whole(0));
    bench.idles("c", "b", "c", "nobody");
    assertThat(bench.proxy.dispatcher.idleQueueLength()).isEqualTo(2);

    assertThat(bench.opens(3)).isEqualTo("cba");
  }

  @Test
  void backendThatWasTakenMayTellAgain() {
    Bench bench = bench(new ScriptedCoins());
    for (int round = 0; round < 9; round++) {
      bench.idles("c", "a", "d");
      assertThat(bench.opens(3)).isEqualTo("cad");
    }

    assertThat(bench.proxy.dispatcher.idleQueueLength()).isZero();
  }

  @Test
  void entryStaysThoughItsBackendIsBusyAgain() {
    // Another proxy hit it at random: nobody tells this one.
    Bench bench = bench(new ScriptedCoins().whole(2));
    assertThat(bench.opens(1)).isEqualTo("c");
    bench.idles("c");
    bench.ends("c");

    assertThat(bench.opens(1)).isEqualTo("c");
  }

  @Test
  void queueKeepsItsOrderWhenTheSetChanges() {
    Bench bench = bench(new ScriptedCoins());
    bench.idles("a", "d", "b", "c");
    assertThat(bench.opens(1)).isEqualTo("a");
    bench.becomes(Backend.of("c"), Backend.of("x"), Backend.of("d"), Backend.of("a"));
    assertThat(bench.proxy.dispatcher.idleQueueLength()).isEqualTo(2);
    bench.idles("x");

    assertThat(bench.opens(3)).isEqualTo("dcx");
  }

  @Test
  void wantsNoticesAsItsChoiceSays() {
    assertThat(Bench.of("join-idle-queue(d=2)", 1).proxy.dispatcher.wants())
        .isEqualTo(new LoadBalancer.Wants(false, 2, false));
    assertThat(Bench.of("join-idle-queue", 1).proxy.dispatcher.wants())
        .isEqualTo(new LoadBalancer.Wants(false, 1, false));
  }
}
