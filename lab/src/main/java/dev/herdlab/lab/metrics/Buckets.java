package dev.herdlab.lab.metrics;

import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Upper bounds of classic buckets, for who cannot scrape native histograms.
enum Buckets {
  /// What clients wait for: 100 us to 60 s, six to a decade.
  LATENCY(-4, 1, "1 1.5 2 3 4 6"),
  /// What the machinery takes: 1 us to 5 s, three to a decade.
  OVERHEAD(-6, 0, "1 2 5");

  private static final double LONGEST_SECONDS = 60;

  private final int firstExponent;
  private final int lastExponent;
  private final String mantissas;

  Buckets(int firstExponent, int lastExponent, String mantissas) {
    this.firstExponent = firstExponent;
    this.lastExponent = lastExponent;
    this.mantissas = mantissas;
  }

  double[] seconds() {
    return IntStream.rangeClosed(firstExponent, lastExponent)
        // Parsed, not multiplied: 0.00015 and not 0.00014999999999999999.
        .mapToObj(e -> Stream.of(mantissas.split(" ", -1)).mapToDouble(m -> parse(m, e)))
        .flatMapToDouble(decade -> decade)
        .filter(seconds -> seconds <= LONGEST_SECONDS)
        .toArray();
  }

  private static double parse(String mantissa, int exponent) {
    return Double.parseDouble(mantissa + "E" + exponent);
  }
}
