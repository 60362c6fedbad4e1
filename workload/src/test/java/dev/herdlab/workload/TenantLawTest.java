package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantLawTest {
  private static final int DRAWS = 100_000;

  private static long[] counts(String spec, int tenants) {
    TenantLaw law = TenantLaw.parse(spec);
    RandomStream random = RandomStream.of(1, "tenant");
    long[] counts = new long[tenants + 1];
    for (int i = 0; i < DRAWS; i++) {
      counts[law.next(random)]++;
    }
    return counts;
  }

  /// Each count of 100 000 draws is within five deviations of its binomial: a false alarm in 6e-7
  /// of the seeds for each tenant, 6e-6 for ten.
  private static void assertShares(long[] counts, double... shares) {
    for (int i = 0; i < shares.length; i++) {
      double deviation = Math.sqrt(DRAWS * shares[i] * (1 - shares[i]));
      assertThat((double) counts[i + 1])
          .as("tenant %d", i + 1)
          .isBetween(DRAWS * shares[i] - 5 * deviation, DRAWS * shares[i] + 5 * deviation);
    }
  }

  @Test
  void uniformGivesEachTenantItsShare() {
    assertShares(counts("uniform(n=4)", 4), 0.25, 0.25, 0.25, 0.25);
  }

  @Test
  void zipfGivesTenantsSharesByTheirRank() {
    // 1 + 1/2 + 1/3 + 1/4 = 25/12.
    assertShares(counts("zipf(n=4,s=1)", 4), 12 / 25.0, 6 / 25.0, 4 / 25.0, 3 / 25.0);
  }

  @Test
  void zipfOfExponentTwoFallsWithTheSquare() {
    // 1 + 1/4 + 1/9 = 49/36.
    assertShares(counts("zipf(n=3,s=2)", 3), 36 / 49.0, 9 / 49.0, 4 / 49.0);
  }

  @Test
  void zipfOfExponentZeroIsUniform() {
    assertShares(counts("zipf(n=2,s=0)", 2), 0.5, 0.5);
  }

  @Test
  void sessionsEndAfterTheirMeanOfRequestsAndTheirPlacesAreTakenByNewOnes() {
    TenantLaw law = TenantLaw.parse("sessions(n=50,requests=20)");
    int[] requests = new int[DRAWS];
    TenantLaw trace = law.begin();
    RandomStream random = RandomStream.of(1, "tenant");
    int last = 0;
    for (int i = 0; i < DRAWS; i++) {
      int session = trace.next(random);
      requests[session]++;
      last = Math.max(last, session);
    }

    // Binomial: 100 000 requests, each a session's last with probability 0.05; five deviations of
    // 69, and the last ones need not have had a request yet.
    assertThat((double) last).isBetween(5050.0 - 5 * 69 - 50, 5050.0 + 5 * 69);
    // Geometric of mean 20 and deviation 19.5, over the first thousand: five errors of 0.62.
    double sum = 0;
    for (int i = 1; i <= 1000; i++) {
      sum += requests[i];
    }
    assertThat(sum / 1000).isBetween(20 - 3.1, 20 + 3.1);
    // Another trace has sessions of its own.
    assertThat(law.begin().next(RandomStream.of(2, "tenant"))).isLessThanOrEqualTo(50);
  }

  @Test
  void noneDrawsNothing() {
    RandomStream random = RandomStream.of(1, "tenant");
    assertThat(TenantLaw.parse("none").next(random)).isEqualTo(Trace.NO_TENANT);
    assertThat(random.nextLong()).isEqualTo(RandomStream.of(1, "tenant").nextLong());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "some | tenants 'some', column 1: some (expected: none, uniform(n=1000),"
            + " zipf(n=1000,s=1) or sessions(n=500,requests=20))",
        "sessions(requests=0.5) | tenants 'sessions(requests=0.5)', column 19: requests=0.5"
            + " (expected: a number from 1 on)",
        "none(n=3) | tenants 'none(n=3)', column 6: n (expected: no parameters)",
        "uniform(n=2.5) | tenants 'uniform(n=2.5)', column 11: n=2.5 (expected: a whole number from"
            + " 1 to 1000000)",
        "zipf(n=1000001) | tenants 'zipf(n=1000001)', column 8: n=1000001 (expected: a whole number"
            + " from 1 to 1000000)",
        "zipf(s=-1) | tenants 'zipf(s=-1)', column 8: s=-1 (expected: a number >= 0)"
      })
  void saysWhatIsWrongAndWhere(String spec, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TenantLaw.parse(spec))
        .withMessage(message);
  }
}
