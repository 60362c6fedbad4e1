package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LeastConnTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "least-conn",
        "least-conn(ties=first)",
        "least-conn(ties=round-robin)",
        "least-conn(weights=divided)",
        "least-conn(as=envoy)",
        "least-conn(as=envoy,bias=0.5)",
        "least-conn(as=nginx)",
        "least-conn(as=haproxy)",
        "least-conn(as=caddy)");
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

  /// The picks of nginx 1.22.1 (Debian 12) itself, `least_conn`, one worker, requests held open;
  /// `/a` is the end of the oldest on a.
  @ParameterizedTest
  @CsvSource({
    "3 1 2, acbacabcaaca/a/a/cacaa/bbcb",
    "1 1 1 1, abcddc/b/cbbcaa",
    "5 2 1 1, abcdaabaadabcaabaaba",
  })
  void nginxRulesPickAsNginxDoes(String weights, String script) {
    int[] parsed = Stream.of(weights.split(" ")).mapToInt(Integer::parseInt).toArray();
    Bench bench = Bench.of("least-conn(as=nginx)", parsed);
    StringBuilder got = new StringBuilder();
    for (int i = 0; i < script.length(); i++) {
      if (script.charAt(i) == '/') {
        i++;
        bench.ends(script.substring(i, i + 1));
        got.append('/').append(script.charAt(i));
      } else {
        got.append(bench.opens(1));
      }
    }

    assertThat(got.toString()).isEqualTo(script);
  }

  @Test
  void nginxShutsOutWhatFailedAndRefusesWhenAllDid() {
    Bench bench = Bench.of("least-conn(as=nginx,fail-timeout=1s)", 1, 1);
    Outcome refused = new Outcome.Failed(FailureKind.CONNECT_FAILED);
    assertThat(bench.opens(1)).isEqualTo("a");
    bench.ends("a", refused);
    assertThat(bench.opens(2)).isEqualTo("bb");
    bench.ends("b", refused);

    assertThat(bench.proxy.dispatcher.pick(PickContext.PLAIN))
        .isEqualTo(new NoBackend("every backend failed lately"));
    bench.at(1_001);
    assertThat(bench.opens(1)).isEqualTo("a");
  }

  @Test
  void envoyScansWhileWeightsAreEqualAndGoesByDeadlinesWhileTheyDiffer() {
    assertThat(Law.ofFirstPick("least-conn(as=envoy)", 2, 1, 1))
        .containsExactly(new double[] {0, 0.5, 0.5}, Law.EXACT);
    Bench bench = Bench.of("least-conn(as=envoy)", new ScriptedCoins().whole(0), 3, 1);
    assertThat(bench.opens(5)).isEqualTo("aabab"); // worked out in PowerOfTwoTest
  }

  @Test
  void weightsMayDivideLoads() {
    Bench bench = Bench.of("least-conn(weights=divided,ties=first)", 3, 1);

    // 0 and 0; 1/3 and 0; 1/3 and 1; 2/3 and 1; 1 and 1; 4/3 and 1.
    assertThat(bench.opens(6)).isEqualTo("abaaab");
  }
}
