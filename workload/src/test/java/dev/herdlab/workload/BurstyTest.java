package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BurstyTest {
  private static final double RATE = 12.8;
  private static final long UNIT = 10_000_000;
  private static final String SPEC = "bursty(ratio=4,busy=1,quiet=3)";

  // 1 + 2 (difference of rates)^2 p (1 - p) / (sum of switching rates x mean rate), per unit: rates
  // 29.26 and 7.31, p = 1/4, switching rates 1 and 1/3.
  private static final double DISPERSION = 11.58;

  private static long[] instants(String spec, double rate, long unit, long seed, int count) {
    ArrivalProcess process = ArrivalProcess.parse(spec, rate, unit).begin();
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
  void laterIsLaterEvenWhereArrivalsAreDenserThanTheClock() {
    for (long unit : new long[] {UNIT, 100_000}) {
      long last = 0;
      for (long instant : instants(SPEC, unit == UNIT ? RATE : 1e6, unit, 1, 100_000)) {
        assertThat(instant).isGreaterThan(last);
        last = instant;
      }
    }
  }

  /// Of a million arrivals the time varies by 3400 of them: five deviations, 6e-7.
  @Test
  void theRateOverLongTimesIsTheOneAskedFor() {
    int count = 1_000_000;
    long[] instants = instants(SPEC, RATE, UNIT, 2, count);
    double expected = (double) instants[count - 1] / UNIT * RATE;
    double bound = 5 * Math.sqrt(DISPERSION * count);
    assertThat(expected).isBetween(count - bound, count + bound);
  }

  /// In 780 windows of 100 units, which are long beside the turns (their length takes 0.7 % off):
  /// a deviation of 5 %; five of them.
  @Test
  void countsAreAsDispersedAsTheory() {
    long[] instants = instants(SPEC, RATE, UNIT, 3, 1_000_000);
    int windows = (int) (instants[instants.length - 1] / (100 * UNIT));
    double[] counts = new double[windows];
    for (long instant : instants) {
      int window = (int) (instant / (100 * UNIT));
      if (window < windows) {
        counts[window]++;
      }
    }
    double mean =
        LongStream.range(0, windows).mapToDouble(i -> counts[(int) i]).average().orElse(0);
    double squares = 0;
    for (double count : counts) {
      squares += (count - mean) * (count - mean);
    }
    assertThat(squares / (windows - 1) / mean).isBetween(0.75 * DISPERSION, 1.25 * DISPERSION);
  }

  /// The number in the first unit, over 20 000 seeds: its mean varies by 0.06; five deviations. One
  /// that began quiet would have 9 or so.
  @Test
  void itBeginsInEitherStateByItsPartOfTheTime() {
    double sum = 0;
    int seeds = 20_000;
    for (int seed = 0; seed < seeds; seed++) {
      for (long instant : instants(SPEC, RATE, UNIT, seed, 100)) {
        sum += instant < UNIT ? 1 : 0;
      }
    }
    assertThat(sum / seeds).isBetween(RATE - 0.3, RATE + 0.3);
  }

  @Test
  void ofOneRateItIsPoisson() {
    long[] instants = instants("bursty(ratio=1)", RATE, UNIT, 4, 10_000);
    double[] gaps = new double[instants.length];
    long last = 0;
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = (instants[i] - last) * RATE / UNIT;
      last = instants[i];
    }
    KolmogorovSmirnov.assertFollows(gaps, x -> -Math.expm1(-x));
  }

  @Test
  void aTraceIsTheSeedsAlone() {
    ArrivalProcess arrivals = ArrivalProcess.parse(SPEC, RATE, UNIT);
    ServiceLaw law = ServiceLaw.parse("deterministic");
    for (long seed : new long[] {5, 5, 6}) {
      Trace trace = Trace.generate(seed, 2000, 2, arrivals, law, UNIT);
      assertThat(trace.intendedNanos(1999))
          .isEqualTo(instants(SPEC, RATE, UNIT, seed, 2000)[1999])
          .isNotEqualTo(instants(SPEC, RATE, UNIT, seed + 1, 2000)[1999]);
    }
  }
}
