package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SmoothWeightedRoundRobinTest extends AlgorithmContract {
  private static final Outcome REFUSED = new Outcome.Failed(FailureKind.CONNECT_FAILED);

  private final BackendSet weighted =
      BackendSet.of(List.of(new Backend("a", 5), Backend.of("b"), Backend.of("c")));

  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "smooth-weighted-round-robin",
        "smooth-weighted-round-robin(start=weights)",
        "smooth-weighted-round-robin(as=nginx,max-fails=99)",
        "smooth-weighted-round-robin(as=tengine,max-fails=99)");
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
  @ValueSource(
      strings = {
        "smooth-weighted-round-robin",
        "smooth-weighted-round-robin(start=weights)",
        "smooth-weighted-round-robin(as=nginx)"
      })
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

  /// The picks of nginx 1.22.1 (Debian 12) itself, one worker, of requests one after the other, b
  /// dead (`!`), `fail_timeout` longer than the run.
  @ParameterizedTest
  @CsvSource({
    "1, 5 1 1, aabacaaaabacaa",
    "3, 4 6 1, b!ab!acb!aaaaaaacaaaaca",
    "1, 4 2 1, ab!aacaaaacaaaaca",
    "2, 3 7, b!ab!aaaaaaaaaaa",
  })
  void failuresLowerWeightsAndShutOutAsNginxHasIt(int maxFails, String text, String picks) {
    int[] weights = Stream.of(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    Bench bench =
        Bench.of("smooth-weighted-round-robin(as=nginx,max-fails=" + maxFails + ")", weights);
    boolean dead = picks.contains("!");
    StringBuilder got = new StringBuilder();
    while (got.length() < picks.length()) {
      String id = bench.opens(1);
      boolean fails = dead && id.equals("b");
      bench.ends(id, fails ? REFUSED : Outcome.SUCCEEDED);
      got.append(id).append(fails ? "!" : "");
    }

    assertThat(got.toString()).isEqualTo(picks);
  }

  @Test
  void refusesWhileAllAreShutOutAndTriesOneRequestAfterTheTimeout() {
    Bench bench = Bench.of("smooth-weighted-round-robin(as=nginx,fail-timeout=1s)", 2, 1);
    assertThat(bench.opens(1)).isEqualTo("a");
    bench.ends("a", REFUSED);
    assertThat(bench.opens(1)).isEqualTo("b");
    bench.ends("b", REFUSED);
    assertThat(bench.proxy.dispatcher.pick(PickContext.PLAIN)).isEqualTo(NginxPeers.NONE_LEFT);
    bench.at(1_000);
    assertThat(bench.proxy.dispatcher.pick(PickContext.PLAIN)).isEqualTo(NginxPeers.NONE_LEFT);
    bench.at(1_001);
    assertThat(bench.opens(2)).containsOnlyOnce("a").containsOnlyOnce("b");
    assertThat(bench.proxy.dispatcher.pick(PickContext.PLAIN)).isEqualTo(NginxPeers.NONE_LEFT);
    bench.ends("a"); // it is well again

    assertThat(bench.opens(3)).isEqualTo("aaa");
  }

  @Test
  void errorsAndLeavingClientsAreNoFailures() {
    Bench bench = Bench.of("smooth-weighted-round-robin(as=nginx)", 1, 1);
    for (Outcome outcome :
        List.of(new Outcome.Failed(FailureKind.ERROR_STATUS), Outcome.CANCELLED)) {
      assertThat(bench.opens(2)).isEqualTo("ab");
      bench.ends("a", outcome);
      bench.ends("b", outcome);
    }
    assertThat(bench.opens(2)).isEqualTo("ab");
  }

  @Test
  void failuresDoNotCountWithOneBackend() {
    Bench bench = Bench.of("smooth-weighted-round-robin(as=nginx)", 1);
    bench.opens(1);
    bench.ends("a", REFUSED);

    assertThat(bench.opens(2)).isEqualTo("aa");
  }

  @ParameterizedTest
  @CsvSource({"0, abacaaaabacaaa", "1, bacaaaabacaaaa", "2, acaaaabacaaaab"})
  void tengineReadsTheSameCycleFromARandomPlaceOfTheFirstN(int coin, String picks) {
    Bench bench =
        Bench.of(
            "smooth-weighted-round-robin(as=tengine)", new ScriptedCoins().whole(coin), 10, 2, 2);

    assertThat(bench.proxy.picks(14)).isEqualTo(picks);
  }

  @Test
  void tenginePicksEachByItsWeightInACycleOfTheSumOverTheDivisor() {
    // ngx_http_upstream_vnswrr.t, upstream g: weights 2, 4, 8, of 14 requests.
    Bench bench = Bench.of("smooth-weighted-round-robin(as=tengine)", 2, 4, 8);
    String picks = bench.proxy.picks(7);

    assertThat(picks.chars().sorted().toArray()).isEqualTo("abbcccc".chars().toArray());
    assertThat(bench.proxy.picks(7)).isEqualTo(picks);
  }

  @Test
  void tenginePassesOverWhatFailed() {
    Bench bench =
        Bench.of("smooth-weighted-round-robin(as=tengine)", new ScriptedCoins().whole(2), 1, 1, 1);
    assertThat(bench.opens(1)).isEqualTo("a");
    bench.ends("a", REFUSED);

    assertThat(bench.opens(4)).isEqualTo("bcbc");
  }

  @Test
  void tengineGoesOnFromTheSamePickWhenTheSetChanges() {
    Bench bench =
        Bench.of("smooth-weighted-round-robin(as=tengine)", new ScriptedCoins().whole(0), 5, 1, 1);
    assertThat(bench.proxy.picks(2)).isEqualTo("ab"); // the second and third of aabacaa
    bench.becomes(new Backend("c", 1), new Backend("a", 5), new Backend("b", 1));

    assertThat(bench.proxy.picks(4)).isEqualTo("aaaa"); // of {1,5,1}, a a c a b a a after b
  }

  @Test
  void tengineDoesNotKeepACycleThatIsTooLong() {
    Bench bench =
        Bench.of(
            "smooth-weighted-round-robin(as=tengine)",
            IntStream.range(0, 20).map(i -> 65_535 - i).toArray());

    assertThat(bench.proxy.picks(20)).isEqualTo("abcdefghijklmnopqrst");
  }
}
