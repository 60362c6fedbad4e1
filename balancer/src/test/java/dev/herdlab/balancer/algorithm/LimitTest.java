package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Waiter;
import dev.herdlab.balancer.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The limit, who waits, and in which order they go.
final class LimitTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "limit(of=p2c,n=100)",
        "limit(of=round-robin,n=100)",
        "limit(of=slow-start(of=edf),n=100)",
        "limit(of=panic(of=outlier-ejection(of=least-conn)),n=100)");
  }

  /// Requests of a proxy that has a limit, by their numbers.
  private static final class Line {
    final Bench bench;
    final List<String> served = new ArrayList<>();
    private int requests;

    Line(String spec, int... weights) {
      bench = Bench.of(spec, weights);
    }

    /// A request that comes; what it is told at once.
    PickResult comes(PickContext context) {
      int number = requests++;
      PickResult result = bench.proxy.dispatcher.pick(context, later -> note(number, later));
      note(number, result);
      return result;
    }

    PickResult comes() {
      return comes(PickContext.PLAIN);
    }

    private void note(int number, PickResult result) {
      switch (result) {
        case Picked picked -> {
          bench.open.add(picked);
          served.add(number + picked.backend().id());
        }
        case NoBackend refused -> served.add(number + "-");
        case Waiting place -> {}
      }
    }
  }

  @Test
  void furtherRequestsWaitAndGoInTheOrderOfArrival() {
    Line line = new Line("limit(of=least-conn(ties=first))", 1, 1);
    for (int i = 0; i < 5; i++) {
      line.comes();
    }
    assertThat(line.served).containsExactly("0a", "1b");
    assertThat(line.bench.proxy.dispatcher.waiting()).isEqualTo(3);

    line.bench.ends("b");
    line.bench.ends("a");
    assertThat(line.served).containsExactly("0a", "1b", "2b", "3a");
    assertThat(line.bench.proxy.inFlight()).containsExactly(1, 1);
    line.bench.ends("a");
    line.bench.ends("a");
    assertThat(line.served).endsWith("4a");
    assertThat(line.bench.proxy.dispatcher.waiting()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noBackendHasMoreThanTheLimit(int n) {
    for (String of : List.of("random", "p2c", "round-robin", "edf", "ring-hash", "prequal")) {
      Line line = new Line("limit(of=" + of + ",n=" + n + ")", 1, 1, 1);
      for (int i = 0; i < 200; i++) {
        line.comes();
        assertThat(line.bench.proxy.inFlight()).allMatch(count -> count <= n);
        if (i % 3 == 2) {
          line.bench.open.removeFirst().complete(Outcome.SUCCEEDED);
          assertThat(line.bench.proxy.inFlight()).allMatch(count -> count <= n);
        }
      }
      while (!line.bench.open.isEmpty()) {
        line.bench.open.removeFirst().complete(Outcome.SUCCEEDED);
      }
      assertThat(line.served).as(of).hasSize(200);
      assertThat(line.bench.proxy.truth.total()).isZero();
    }
  }

  @Test
  void aWideLimitChangesNothing() {
    for (String of : List.of("random", "p2c", "smooth-weighted-round-robin", "least-conn")) {
      assertThat(Bench.of("limit(of=" + of + ",n=50)", 1, 2, 1).opens(40))
          .isEqualTo(Bench.of(of, 1, 2, 1).opens(40));
    }
  }

  @Test
  void whoTakesTurnsSkipsTheFull() {
    Line line = new Line("limit(of=round-robin)", 1, 1, 1);
    line.comes();
    line.comes();
    line.comes();
    line.bench.ends("b");
    line.comes();

    assertThat(line.served).containsExactly("0a", "1b", "2c", "3b");
  }

  /// Tenants 1 and 2 of six backends: {0, 1, 3} and {1, 2, 4}. Where the oldest may not go, a
  /// younger one that may does.
  @Test
  void theOldestThatTheFreeBackendMayServeGoes() {
    Line line =
        new Line(
            "limit(of=shuffle-sharding(method=offsets,inner=least-conn,tenants=6))",
            1,
            1,
            1,
            1,
            1,
            1);
    PickContext one = new PickContext(RequestKey.of("t1"));
    PickContext two = new PickContext(RequestKey.of("t2"));
    for (int i = 0; i < 3; i++) {
      line.comes(one);
    }
    assertThat(line.served).hasSize(3).allMatch(it -> "abd".contains(it.substring(1)));
    assertThat(line.comes(one)).isInstanceOf(Waiting.class);
    line.comes(two);
    line.comes(two);
    assertThat(line.comes(two)).isInstanceOf(Waiting.class);
    assertThat(line.served.subList(3, 5)).allMatch(it -> "ce".contains(it.substring(1)));

    line.bench.ends("c");
    assertThat(line.served.getLast()).isEqualTo("6c");
    line.bench.ends("b");
    assertThat(line.served.getLast()).isEqualTo("3b");
  }

  @Test
  void aRequestThatIsGivenUpLeavesTheList() {
    Line line = new Line("limit(of=least-conn)", 1);
    line.comes();
    Waiting gone = (Waiting) line.comes();
    assertThat(gone.what()).isEqualTo(Waiting.Until.ANY_IS_FREE);
    List<PickResult> heard = new ArrayList<>();
    Waiter impatient = heard::add;
    line.bench.proxy.dispatcher.pick(PickContext.PLAIN, impatient);
    line.bench.proxy.dispatcher.leave(impatient);
    line.bench.proxy.dispatcher.leave(impatient);

    line.bench.ends("a");
    line.bench.ends("a");
    assertThat(heard).isEmpty();
    assertThat(line.bench.proxy.inFlight()).containsOnly(0);
  }

  @Test
  void refusesMoreThanMayWait() {
    Line line = new Line("limit(of=least-conn,queue=2)", 1);
    for (int i = 0; i < 3; i++) {
      line.comes();
    }

    assertThat(line.comes()).isEqualTo(NoBackend.TOO_MANY_WAIT);
    assertThat(line.bench.proxy.dispatcher.pick(PickContext.PLAIN)).isEqualTo(NoBackend.ALL_BUSY);
  }

  @Test
  void aBackendThatJoinsServesWhoWaits() {
    Line line = new Line("limit(of=least-conn)", 1);
    line.comes();
    line.comes();
    line.bench.becomes(Backend.of("a"), Backend.of("b"));

    assertThat(line.served).containsExactly("0a", "1b");
  }

  /// The new balancer counts what the old one left in flight, and takes over who waits.
  @Test
  void aLimitThatIsInstalledLaterCountsWhatIsInFlight() {
    Line line = new Line("round-robin", 1, 1);
    line.comes();
    line.comes();
    line.bench.proxy.install("limit(of=least-conn)", "local", 3);
    line.comes();
    line.comes();
    assertThat(line.served).hasSize(2);

    line.bench.proxy.install("round-robin", "local", 4);
    assertThat(line.served).containsExactly("0a", "1b", "2a", "3b");
  }

  @Test
  void whoWaitsIsRefusedWhenTheSetIsEmpty() {
    Line line = new Line("limit(of=least-conn)", 1);
    line.comes();
    line.comes();
    line.bench.becomes();

    assertThat(line.served).containsExactly("0a", "1-");
  }

  /// The view shows a copy; the limit counts the proxy's own.
  @Test
  void looksAtTheProxysOwnCountsWhateverTheView() {
    Bench bench =
        Bench.of(
            "limit(of=least-conn(ties=first))",
            "shared-stale(refresh=1000)",
            Ports.Peers.ALONE,
            SeededRandom.of(1, "coins", 0),
            1,
            1,
            1);
    bench.copies(7, 3, 5);

    assertThat(bench.opens(3)).isEqualTo("bca");
  }

  @Test
  void standsOutsideOfAllOthers() {
    for (String outer : List.of("slow-start", "outlier-ejection", "panic", "limit")) {
      String spec = outer + "(of=limit(of=edf))";
      assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1))
          .hasMessageContaining(
              "of=limit(of=edf) (expected: no limit inside: it stands outside of all)");
    }
  }
}
