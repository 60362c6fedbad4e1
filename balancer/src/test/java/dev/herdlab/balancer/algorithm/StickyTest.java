package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sessions stay where they are, as long as their cookie or the table says so.
final class StickyTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "sticky",
        "sticky(inner=round-robin)",
        "sticky(by=table,inner=least-conn)",
        "sticky(by=table,capacity=3,idle=1ms,inner=p2c)");
  }

  private static String pick(Bench bench, long key, String pinned) {
    Picked picked = (Picked) bench.proxy.dispatcher.pick(new PickContext(key, pinned));
    picked.complete(Outcome.SUCCEEDED);
    return picked.backend().id();
  }

  @Test
  void aCookieIsObeyed() {
    Bench bench = Bench.of("sticky(inner=round-robin)", 1, 1, 1);

    assertThat(bench.proxy.picks(1)).isEqualTo("a");
    assertThat(pick(bench, 0, "c") + pick(bench, 0, "c") + pick(bench, 9, "a")).isEqualTo("cca");
    assertThat(bench.proxy.picks(3)).isEqualTo("bca");
  }

  @Test
  void aCookieForABackendThatIsNotThereIsNone() {
    Bench bench = Bench.of("sticky(inner=round-robin)", 1, 1, 1);

    assertThat(pick(bench, 0, "x") + pick(bench, 0, "")).isEqualTo("ab");
    bench.becomes(Bench.weighted(1, 1).toArray(Backend[]::new));
    assertThat(pick(bench, 0, "c")).isEqualTo("a");
  }

  @Test
  void onlyCookiesAreAskedOfTheHost() {
    BackendSet backends = BackendSet.ofSize(2);

    assertThat(Keyed.of("sticky", backends).wants())
        .isEqualTo(new LoadBalancer.Wants(false, 0, true));
    assertThat(Keyed.of("sticky(by=table)", backends).wants())
        .isEqualTo(LoadBalancer.Wants.NOTHING);
  }

  @Test
  void aKeyStaysWhereItWas() {
    Bench bench = Bench.of("sticky(by=table,inner=round-robin)", 1, 1, 1);

    assertThat(pick(bench, 7, "") + pick(bench, 8, "") + pick(bench, 7, "") + pick(bench, 9, ""))
        .isEqualTo("abac");
    // Without a key: in turn, and not remembered.
    assertThat(bench.proxy.picks(2)).isEqualTo("ab");
    assertThat(pick(bench, 8, "")).isEqualTo("b");
  }

  @Test
  void anIdleSessionIsForgotten() {
    Bench bench = Bench.of("sticky(by=table,idle=10ms,inner=round-robin)", 1, 1, 1);

    assertThat(pick(bench, 7, "")).isEqualTo("a");
    bench.at(9);
    assertThat(pick(bench, 7, "")).isEqualTo("a");
    bench.at(18); // 9 ms after its last use
    assertThat(pick(bench, 7, "")).isEqualTo("a");
    bench.at(28);
    assertThat(pick(bench, 7, "")).isEqualTo("b");
  }

  @Test
  void aFullTableForgetsTheOneThatWasUsedLongestAgo() {
    Bench bench = Bench.of("sticky(by=table,capacity=2,inner=round-robin)", 1, 1, 1, 1);

    assertThat(pick(bench, 1, "") + pick(bench, 2, "") + pick(bench, 1, "")).isEqualTo("aba");
    assertThat(pick(bench, 3, "")).isEqualTo("c"); // in the place of 2
    assertThat(pick(bench, 1, "")).isEqualTo("a");
    assertThat(pick(bench, 2, "")).isEqualTo("d"); // in the place of 3
    assertThat(pick(bench, 1, "")).isEqualTo("a");
  }

  @Test
  void aSessionMovesOnlyIfItsBackendLeaves() {
    Bench bench = Bench.of("sticky(by=table,inner=round-robin)", 1, 1, 1);
    pick(bench, 1, "");
    pick(bench, 2, "");
    pick(bench, 3, "");

    bench.proxy.update(bench.proxy.dispatcher.backends().next(OneProxy.named("xca")));
    assertThat(pick(bench, 1, "") + pick(bench, 3, "")).isEqualTo("ac");
    String moved = pick(bench, 2, "");
    assertThat(moved).isIn("x", "c", "a");
    bench.proxy.update(bench.proxy.dispatcher.backends().next(OneProxy.named("abcx")));
    assertThat(pick(bench, 2, "")).isEqualTo(moved);
  }

  /// 20 000 random steps of a table of 50 against one made of collections.
  @Test
  void tableDoesWhatAListInTheOrderOfUseDoes() {
    SeededRandom random = SeededRandom.of(11, "table", 0);
    SessionTable table = new SessionTable(50, 40);
    Map<Long, long[]> reference = new LinkedHashMap<>();
    for (long now = 0; now < 20_000; now++) {
      long key = (long) random.below(80) << (random.below(2) * 20);
      long[] known = reference.get(key);
      boolean fresh = known != null && now - known[1] < 40;
      assertThat(table.use(key, now)).isEqualTo(fresh && known != null ? (int) known[0] : -1);
      if (fresh || random.below(3) > 0) {
        long backend = fresh && known != null ? known[0] : random.below(9);
        if (!fresh) {
          table.put(key, (int) backend, now);
        }
        reference.remove(key);
        reference.put(key, new long[] {backend, now});
        if (reference.size() > 50) {
          reference.remove(reference.keySet().iterator().next());
        }
      }
      assertThat(table.size()).isEqualTo(reference.size());
    }
  }

  /// 20 000 sessions by a random inner rule: the bound is left once in 10^6 seeds.
  @Test
  void sessionsAreSpreadByTheInnerRule() {
    long[] counts = Keyed.counts(Keyed.of("sticky(by=table)", BackendSet.ofSize(8)), 8, 20_000);

    assertThat(Law.chiSquare(counts)).isLessThan(Law.chiSquareBound(8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sticky(capacity=5) | capacity=5 (expected: by=table with it)",
        "sticky(idle=5s) | idle=5s (expected: by=table with it)",
        "sticky(by=table,capacity=0) | capacity=0 (expected: a whole number from 1 to 10000000)"
      })
  void refusesWhatDoesNotFit(String spec, String message) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1)).hasMessageEndingWith(message);
  }
}
