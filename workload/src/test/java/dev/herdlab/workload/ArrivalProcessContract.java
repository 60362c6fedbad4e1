package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// What every arrival process keeps to; a test class for each inherits it.
abstract class ArrivalProcessContract {
  /// 1280 arrivals a second: 16 backends, rho 0.8, a unit of 10 ms.
  static final double ARRIVALS_PER_UNIT = 12.8;

  static final long UNIT_NANOS = 10_000_000;
  static final int N = 10_000;

  abstract ArrivalProcess process();

  /// The expected number of arrivals from the start to an instant.
  abstract double expectedArrivals(long nanos);

  long[] instants(long seed, int count) {
    ArrivalProcess process = process();
    RandomStream random = RandomStream.of(seed, "arrival");
    long[] instants = new long[count];
    long last = 0;
    for (int i = 0; i < count; i++) {
      last = process.nextNanos(last, random);
      instants[i] = last;
    }
    return instants;
  }

  @Test
  void laterIsAlwaysLater() {
    long last = 0;
    for (long instant : instants(1, 100_000)) {
      assertThat(instant).isGreaterThan(last);
      last = instant;
    }
  }

  @Test
  void laterIsLaterEvenWhereArrivalsAreDenserThanTheClock() {
    ArrivalProcess dense = ArrivalProcess.parse(spec(), 1e6, 100_000);
    RandomStream random = RandomStream.of(2, "arrival");
    long last = 0;
    for (int i = 0; i < 100_000; i++) {
      long next = dense.nextNanos(last, random);
      assertThat(next).isGreaterThan(last);
      last = next;
    }
  }

  abstract String spec();

  @Test
  void instantsFollowTheIntegratedRate() {
    // Up to their last, the arrivals' shares of the integrated rate are uniform (for a Poisson
    // process exactly, for a constant one even more evenly).
    long[] instants = instants(3, N + 1);
    double all = expectedArrivals(instants[N]);
    double[] shares =
        Arrays.stream(instants).limit(N).mapToDouble(t -> expectedArrivals(t) / all).toArray();
    KolmogorovSmirnov.assertFollows(shares, x -> x);
  }

  @Test
  void theRateIsTheOneAskedFor() {
    // The number expected up to the n-th arrival has mean n and a deviation of at most sqrt(n):
    // five of them, 6e-7.
    long[] instants = instants(4, N);
    assertThat(expectedArrivals(instants[N - 1]))
        .isBetween(N - 5 * Math.sqrt(N), N + 5 * Math.sqrt(N));
  }

  @Test
  void sameSeedSameInstants() {
    assertThat(instants(5, 1000)).isEqualTo(instants(5, 1000));
  }
}
