package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// What every Poisson process keeps to, of constant rate or not: independent exponential gaps on
/// the scale of the integrated rate, and so no bunching anywhere.
abstract class PoissonContract extends ArrivalProcessContract {
  private double[] gaps(long[] instants) {
    double[] gaps = new double[instants.length];
    double last = 0;
    for (int i = 0; i < instants.length; i++) {
      double now = expectedArrivals(instants[i]);
      gaps[i] = now - last;
      last = now;
    }
    return gaps;
  }

  @Test
  void gapsAreExponential() {
    KolmogorovSmirnov.assertFollows(gaps(instants(6, N)), x -> 1 - Math.exp(-x));
  }

  @Test
  void gapsAreIndependentOfTheOneBefore() {
    double[] gaps = gaps(instants(7, N));
    double sum = 0;
    for (int i = 1; i < N; i++) {
      sum += (gaps[i] - 1) * (gaps[i - 1] - 1);
    }
    // The correlation of n pairs has a deviation of 1 / sqrt(n): five of them, 6e-7.
    assertThat(sum / N).isCloseTo(0, within(5 / Math.sqrt(N)));
  }

  @Test
  void arrivalsDoNotBunchAtMillisecondEdges() {
    double[] phases = Arrays.stream(instants(8, N)).mapToDouble(t -> t % 1_000_000 / 1e6).toArray();
    KolmogorovSmirnov.assertFollows(phases, x -> x);
  }

  @Test
  void arrivalsDoNotBunchWithinAMillisecond() {
    // Counts in windows of equal expected number have variance over mean 1, with a deviation of
    // sqrt(2 / windows): five of them, 6e-7.
    int windows = N;
    long[] counts = new long[windows];
    for (long instant : instants(9, 2 * windows)) {
      int window = (int) (expectedArrivals(instant) / 1.28);
      if (window < windows) {
        counts[window]++;
      }
    }
    double variance =
        Arrays.stream(counts).mapToDouble(c -> (c - 1.28) * (c - 1.28)).average().orElseThrow();
    assertThat(variance / 1.28).isCloseTo(1, within(5 * Math.sqrt(2.0 / windows)));
  }
}
