package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// HAProxy's rules against HAProxy 2.6.12 (Debian 12) itself, run with one thread: the picks that
/// it made of sequential requests.
final class HaproxyTest {
  @ParameterizedTest
  @CsvSource({
    "1 1 1 1, abcdabcdabcdabcda",
    "5 1 1, aaabaacaaabaacaaabaacaaaba",
    "3 1 2 1, acabcadacabcadacabcadacabc",
    "1 2 3, cbcacbcbcacbcbcacbcbcac",
    "10 1, aaaaaaaaaabaaaaaaaaaabaaaaaaaaaabaaaaa",
    "7 3 3 2 1, abacadbacaeabdacabacadbacaeabdacabacadbacaeabdacabaca",
  })
  void roundRobinPicksAsHaproxyDoes(String weights, String picks) {
    int[] parsed = Stream.of(weights.split(" ")).mapToInt(Integer::parseInt).toArray();

    assertThat(Bench.of("round-robin(as=haproxy)", parsed).proxy.picks(picks.length()))
        .isEqualTo(picks);
  }

  /// `balance hdr(k)` with `hash-type consistent sdbm`, header values key0, key7919, key15838, ...
  static Stream<Object[]> ringPicks() {
    return Stream.of(
        new Object[] {
          "aefbhfdabhafdefhffdageafdedgdafaefegadeffgabahcdfffdccfheggbdabadbaebeeeabafahcbgehgbchdaafehceeadha",
          new int[] {1, 1, 1, 1, 1, 1, 1, 1}
        },
        new Object[] {
          "accbaaaabbaaaacacaaaaaaaaaaabacacccaaaaccaababcacaaaccaccaccaabaabacbaacabacaaccaababcaaaacaaccaaaaa",
          new int[] {3, 1, 2}
        });
  }

  @ParameterizedTest
  @MethodSource("ringPicks")
  void ringIsHaproxys(String picks, int[] weights) {
    HaproxyRing ring = new HaproxyRing(BackendSet.of(Bench.weighted(weights)), new ScriptedCoins());
    StringBuilder got = new StringBuilder();
    for (int i = 0; i < picks.length(); i++) {
      got.append((char) ('a' + ring.nearest(sdbm("key" + i * 7919))));
    }

    assertThat(got.toString()).isEqualTo(picks);
  }

  private static long sdbm(String text) {
    int hash = 0;
    for (byte b : text.getBytes(StandardCharsets.US_ASCII)) {
      hash = b + (hash << 6) + (hash << 16) - hash;
    }
    return Integer.toUnsignedLong(hash);
  }

  @Test
  void fullHashIsThatOfTheCSource() {
    // The C function compiled with gcc.
    assertThat(HaproxyRing.fullHash(0)).isEqualTo((int) 2_874_071_335L);
    assertThat(HaproxyRing.fullHash(1)).isEqualTo(881_230_262);
    assertThat(HaproxyRing.fullHash(4096)).isEqualTo(1_237_450_891);
  }

  @Test
  void serversKeepTheirNumbersOnTheRing() {
    BackendSet abc = BackendSet.of(Bench.weighted(1, 1, 1));
    HaproxyRing ring = new HaproxyRing(abc, new ScriptedCoins());
    HaproxyRing detoured = new HaproxyRing(abc, new ScriptedCoins());
    BackendSet cxa = abc.next(OneProxy.named("cxa"));
    detoured.update(cxa);
    detoured.update(cxa.next(Bench.weighted(1, 1, 1)));

    for (long place = 0; place < 1L << 32; place += 1L << 24) {
      assertThat(detoured.nearest(place)).isEqualTo(ring.nearest(place));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void leastConnTakesTheIdleFirstAndThenTheLeastLoadAfterThePick(long seed) {
    // HAProxy 2.6.12, weights 7, 4, 2, sixteen requests held: abc aabaaba cba aba. Between the bars
    // the
    // keys are equal (0; 256), and HAProxy 3.x takes them in random order.
    Bench bench = Bench.of("least-conn(as=haproxy)", SeededRandom.of(seed, "coins", 0), 7, 4, 2);

    assertThat(sorted(bench.opens(3))).isEqualTo("abc");
    assertThat(bench.opens(7)).isEqualTo("aabaaba");
    assertThat(sorted(bench.opens(3))).isEqualTo("abc");
    assertThat(bench.opens(3)).isEqualTo("aba");
  }

  private static String sorted(String text) {
    char[] letters = text.toCharArray();
    Arrays.sort(letters);
    return new String(letters);
  }

  @Test
  void leastConnServesAListInTheOrderOfArrival() {
    // All join list 0, and every pick begins at list 0: a queue.
    Bench bench = Bench.of("least-conn(as=haproxy)", zeros(64), 1, 1, 1);
    assertThat(bench.opens(7)).isEqualTo("abcabca");
    bench.ends("b");
    bench.ends("b");

    assertThat(bench.opens(2)).isEqualTo("bb"); // idle, then of key 512 against 768 and more
  }

  @Test
  void leastConnBeginsAtARandomListOfFour() {
    // a, b, c join lists 2, 0, 3; the pick begins at 1, so a's list comes first. It rejoins at 0.
    ScriptedCoins coins = new ScriptedCoins().whole(2, 0, 3, 1, 0);

    assertThat(Bench.of("least-conn(as=haproxy)", coins, 1, 1, 1).opens(1)).isEqualTo("a");
  }

  private static ScriptedCoins zeros(int count) {
    return new ScriptedCoins().whole(new int[count]);
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "100, 0, 0", "1, 1, 512", "3, 1, 170", "256, 3, 4"})
  void leastConnKeyIsTheLoadAfterThePick(int weight, int inFlight, long key) {
    assertThat(HaproxyLeastConn.key(new Backend("a", weight), inFlight)).isEqualTo(key);
  }

  @Test
  void rateIsOfThisSecondAndWhatIsLeftOfTheOneBefore() {
    PickRate rate = new PickRate();
    for (int i = 0; i < 10; i++) {
      rate.add(i * Bench.MS);
    }
    assertThat(rate.perSecond(10 * Bench.MS)).isEqualTo(10);
    assertThat(rate.perSecond(1_500 * Bench.MS)).isEqualTo(5); // half of the second is over
    assertThat(rate.perSecond(2_500 * Bench.MS)).isZero();
    rate.add(1_250 * Bench.MS);
    assertThat(rate.perSecond(1_250 * Bench.MS)).isEqualTo(1 + 7); // 10 · 0.75, rounded down
    rate.add(9_000 * Bench.MS);
    assertThat(rate.perSecond(9_000 * Bench.MS)).isEqualTo(1);
    assertThat(rate.perSecond(10_900 * Bench.MS))
        .isEqualTo(1); // one alone is not forgotten at once
  }
}
