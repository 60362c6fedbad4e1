package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyLawTest {
  private static final int N = 100_000;

  private static RandomStream stream(long seed) {
    return RandomStream.of(seed, "proxy");
  }

  private static int[] counts(String spec, int proxies, long seed) {
    ProxyLaw.Draws draws = ProxyLaw.parse(spec).begin(proxies, stream(seed));
    int[] counts = new int[proxies];
    for (int i = 0; i < N; i++) {
      counts[draws.next()]++;
    }
    return counts;
  }

  /// Five standard deviations of a binomial count of 25 000: 137 each.
  @Test
  void uniformIsEven() {
    for (int count : counts("uniform", 4, 1)) {
      assertThat((double) count).isCloseTo(N / 4.0, within(5 * 137.0));
    }
  }

  @Test
  void uniformDrawsAsBelowDoes() {
    ProxyLaw.Draws draws = ProxyLaw.UNIFORM.begin(7, stream(3));
    RandomStream same = stream(3);
    for (int i = 0; i < 100; i++) {
      assertThat(draws.next()).isEqualTo(same.below(7));
    }
  }

  /// Five standard deviations are at most 790.
  @Test
  void weightedGoesByShares() {
    int[] counts = counts("weighted(shares=3 + 1+0+0.5)", 4, 2);
    double[] expected = {N * 3 / 4.5, N / 4.5, 0, N * 0.5 / 4.5};
    for (int i = 0; i < counts.length; i++) {
      assertThat((double) counts[i]).isCloseTo(expected[i], within(790.0));
    }
    assertThat(counts[2]).isZero();
  }

  @Test
  void stickyGoesByConnections() {
    // Of one connection, all requests reach one proxy, which the seed decides.
    Set<Integer> seen = new HashSet<>();
    for (long seed = 0; seed < 50; seed++) {
      int[] counts = counts("sticky(connections=1)", 4, seed);
      assertThat(counts).containsOnlyOnce(N);
      for (int i = 0; i < 4; i++) {
        if (counts[i] > 0) {
          seen.add(i);
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3);
    // Of eight, each count is a multiple of an eighth, to five deviations of 105 an eighth.
    for (int count : counts("sticky(connections=8)", 4, 9)) {
      assertThat(Math.abs(count - Math.rint(count * 8.0 / N) * N / 8)).isLessThan(5 * 105 * 2);
    }
  }

  @Test
  void aTraceHasTheLawsProxies() {
    Trace trace =
        Trace.generate(
            4,
            1000,
            3,
            ProxyLaw.parse("weighted(shares=0+0+1)"),
            ArrivalProcess.parse("poisson", 1, 1000),
            ServiceLaw.parse("deterministic"),
            TenantLaw.NONE,
            1000);
    for (int i = 0; i < trace.size(); i++) {
      assertThat(trace.proxy(i)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "even | proxy choice 'even', column 1: even (expected: uniform, weighted(shares=3+1+1+1) or"
            + " sticky(connections=64))",
        "weighted | proxy choice 'weighted', column 9: no shares (expected: shares=...)",
        "weighted(shares=1+x) | proxy choice 'weighted(shares=1+x)', column 17: shares=1+x (expected:"
            + " numbers >= 0 with + between them, such as 3+1+1+1, not all 0)",
        "weighted(shares=0+0) | proxy choice 'weighted(shares=0+0)', column 17: shares=0+0 (expected:"
            + " numbers >= 0 with + between them, such as 3+1+1+1, not all 0)",
        "weighted(shares=2+-1) | proxy choice 'weighted(shares=2+-1)', column 17: shares=2+-1"
            + " (expected: numbers >= 0 with + between them, such as 3+1+1+1, not all 0)",
        "sticky(connections=1.5) | proxy choice 'sticky(connections=1.5)', column 20:"
            + " connections=1.5 (expected: a whole number from 1 to 1000000)",
        "uniform(k=2) | proxy choice 'uniform(k=2)', column 9: k (expected: no parameters)"
      })
  void saysWhatIsWrongAndWhere(String spec, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyLaw.parse(spec))
        .withMessage(message);
  }

  @Test
  void refusesAnotherNumberOfProxies() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProxyLaw.parse("weighted(shares=1+1)").begin(3, stream(1)))
        .withMessage("proxy choice: 2 shares (expected: 3, one for each proxy)");
  }
}
