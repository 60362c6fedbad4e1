package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceLawTest {
  /// n = 100 000 with seed 3: three standard deviations of the share are 0.0021; a right law with
  /// another seed fails in 3 of 1000 cases.
  @Test
  void aShareOfRequestsNeverEndsAndTheRestFollowTheLaw() {
    ServiceLaw law = ServiceLaw.parse("exponential(mean=2,never=0.05)");
    RandomStream random = RandomStream.of(3, "service");
    int never = 0;
    double sum = 0;
    for (int i = 0; i < 100_000; i++) {
      long nanos = law.sampleNanos(random, 1_000_000);
      if (nanos == ServiceLaw.NEVER_NANOS) {
        never++;
      } else {
        sum += nanos / 1e6;
      }
    }

    assertThat(never / 1e5).isCloseTo(0.05, within(0.0021));
    assertThat(sum / (100_000 - never)).isCloseTo(2, within(0.02));
    assertThat(law.meanUnits()).isEqualTo(2);
    assertThat(law.neverShare()).isEqualTo(0.05);
    assertThat(ServiceLaw.parse(law.spec())).isEqualTo(law);
    assertThat(ServiceLaw.parse("exponential(never=0)").spec()).isEqualTo("exponential(mean=1.0)");
  }

  private static final int N = 10_000;

  @TempDir private Path folder;

  private static double[] draw(String spec, long seed) {
    ServiceLaw law = ServiceLaw.parse(spec);
    RandomStream random = RandomStream.of(seed, "service");
    return DoubleStream.generate(() -> law.sampleUnits(random)).limit(N).toArray();
  }

  private static void assertFollows(String spec, long seed, DoubleUnaryOperator cdf) {
    KolmogorovSmirnov.assertFollows(draw(spec, seed), cdf);
  }

  @Test
  void lognormalFollowsItsLaw() {
    assertFollows("lognormal", 1, x -> KolmogorovSmirnov.normalCdf((Math.log(x) + 0.36) / 0.85));
  }

  @Test
  void lognormalIsScaledToAMean() {
    double own = Math.exp(0.5 * 0.5 / 2);
    assertFollows(
        "lognormal(mu=0,sigma=0.5,mean=3)",
        2,
        x -> KolmogorovSmirnov.normalCdf(Math.log(x * own / 3) / 0.5));
  }

  @Test
  void exponentialFollowsItsLaw() {
    assertFollows("exponential(mean=2.5)", 3, x -> 1 - Math.exp(-x / 2.5));
  }

  @Test
  void paretoFollowsItsLaw() {
    // Alpha 2 from 1 to 3, unscaled: P(X > x) = (x^-2 - 1/9) / (8/9), mean 2 (1 - 1/3) / (8/9) =
    // 1.5.
    assertFollows(
        "pareto(alpha=2,low=1,high=3)", 4, x -> 1 - (Math.pow(1.5 * x, -2) - 1 / 9.0) / (8 / 9.0));
  }

  @Test
  void paretoStaysWithinItsBounds() {
    for (double x : draw("pareto(alpha=2,low=1,high=3)", 5)) {
      assertThat(x).isBetween(1 / 1.5 - 1e-12, 3 / 1.5 + 1e-12);
    }
  }

  @Test
  void bimodalDrawsTheLongOnesAtTheirShare() {
    // Mean 0.9 * 1 + 0.1 * 11 = 2, so short is 0.5 and long 5.5.
    double[] samples = draw("bimodal(short=1,long=11,share-long=0.1)", 6);
    double longs = DoubleStream.of(samples).filter(x -> x == 5.5).count();
    double shorts = DoubleStream.of(samples).filter(x -> x == 0.5).count();
    assertThat(longs + shorts).isEqualTo(N);
    // Binomial, five deviations: 6e-7.
    assertThat(longs / N).isCloseTo(0.1, within(5 * Math.sqrt(0.09 / N)));
  }

  @Test
  void deterministicIsItsMean() {
    assertThat(draw("deterministic(mean=0.7)", 7)).containsOnly(0.7);
    assertThat(ServiceLaw.parse("deterministic").sampleNanos(RandomStream.of(1, "s"), 10_000_000))
        .isEqualTo(10_000_000);
  }

  @Test
  void empiricalDrawsItsSamplesScaledToTheMean() throws IOException {
    Path file = folder.resolve("samples.txt");
    Files.writeString(file, "# milliseconds\n10\n\n 30 # slow\n2e1\n");
    double[] samples = draw("empirical(file=" + file + ",mean=2)", 8);
    assertThat(samples).containsOnly(1, 2, 3);
    for (double value : new double[] {1, 2, 3}) {
      double share = (double) DoubleStream.of(samples).filter(x -> x == value).count() / N;
      assertThat(share).isCloseTo(1 / 3.0, within(5 * Math.sqrt(2.0 / 9 / N)));
    }
    ServiceLaw law = ServiceLaw.parse("empirical(file=" + file + ")");
    assertThat(law.meanUnits()).isEqualTo(1);
    assertThat(law.secondMomentUnits()).isCloseTo((0.25 + 1 + 2.25) / 3, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lognormal",
        "lognormal(mu=0,sigma=0.5,mean=3)",
        "exponential",
        "deterministic(mean=2)",
        "pareto",
        "pareto(alpha=1,low=1,high=50)",
        "pareto(alpha=2,low=1,high=50)",
        "pareto(alpha=3.5,low=2,high=9,mean=4)",
        "bimodal(short=0,long=3,share-long=0.3)",
        "bimodal(mean=5)"
      })
  void momentsAreThoseOfTheSamples(String spec) {
    ServiceLaw law = ServiceLaw.parse(spec);
    double[] samples = draw(spec, 9);
    double mean = DoubleStream.of(samples).average().orElseThrow();
    double square = DoubleStream.of(samples).map(x -> x * x).average().orElseThrow();
    double fourth = DoubleStream.of(samples).map(x -> x * x * x * x).average().orElseThrow();
    // Five standard errors, estimated from the samples themselves.
    double error = Math.sqrt(Math.max(0, square - mean * mean) / N);
    double squareError = Math.sqrt(Math.max(0, fourth - square * square) / N);
    assertThat(mean).isCloseTo(law.meanUnits(), within(5 * error + 1e-9));
    assertThat(square).isCloseTo(law.secondMomentUnits(), within(5 * squareError + 1e-9));
  }

  @Test
  void theDefaultHasThePublishedMean() {
    ServiceLaw law = ServiceLaw.parse("lognormal");
    assertThat(law.meanUnits()).isCloseTo(1.00125, within(5e-6));
    assertThat(law.secondMomentUnits() / (law.meanUnits() * law.meanUnits()))
        .isCloseTo(Math.exp(0.85 * 0.85), within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(strings = {"exponential", "deterministic", "pareto", "bimodal", "lognormal(mean=1)"})
  void otherLawsHaveMeanOne(String spec) {
    assertThat(ServiceLaw.parse(spec).meanUnits()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lognormal                   | lognormal(mu=-0.36,sigma=0.85)",
        "lognormal( mean = 2 )       | lognormal(mu=-0.36,sigma=0.85,mean=2.0)",
        "exponential()               | exponential(mean=1.0)",
        "deterministic(mean=1e-1)    | deterministic(mean=0.1)",
        "pareto(alpha=2)             | pareto(alpha=2.0,low=1.0,high=1000.0,mean=1.0)",
        "bimodal(long=20)            | bimodal(short=1.0,long=20.0,share-long=0.1,mean=1.0)"
      })
  void theSpecGivesTheSameLawAgain(String text, String spec) {
    ServiceLaw law = ServiceLaw.parse(text);
    assertThat(law.spec()).isEqualTo(spec);
    assertThat(ServiceLaw.parse(law.spec())).isEqualTo(law);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gauss | service 'gauss', column 1: gauss (expected: lognormal, exponential, deterministic,"
            + " pareto, bimodal or empirical)",
        "'' | service '', column 1: nothing (expected: lognormal, exponential, deterministic,"
            + " pareto, bimodal or empirical)",
        "exponential(mean=0) | service 'exponential(mean=0)', column 18: mean=0 (expected: a number"
            + " > 0)",
        "exponential(mean=) | service 'exponential(mean=)', column 18: mean= (expected: a number > 0)",
        "exponential(mean=NaN) | service 'exponential(mean=NaN)', column 18: mean=NaN (expected: a"
            + " number > 0)",
        "exponential(mean=1.2.3) | service 'exponential(mean=1.2.3)', column 18: mean=1.2.3"
            + " (expected: a number > 0)",
        "exponential(mean=0.8f) | service 'exponential(mean=0.8f)', column 18: mean=0.8f (expected: a"
            + " number > 0)",
        "exponential(mean=1e999) | service 'exponential(mean=1e999)', column 18: mean=1e999"
            + " (expected: a number > 0)",
        "lognormal(mu=0,sigm=1) | service 'lognormal(mu=0,sigm=1)', column 16: sigm (expected: mu,"
            + " sigma, mean, never)",
        "exponential(mean=1,mean=2) | service 'exponential(mean=1,mean=2)', column 20: mean"
            + " (expected: each parameter once)",
        "exponential(1) | service 'exponential(1)', column 13: 1 (expected: key=value)",
        "exponential(mean=1,) | service 'exponential(mean=1,)', column 20: nothing (expected:"
            + " key=value)",
        "exponential(mean=1 | service 'exponential(mean=1', column 19: end of text (expected: ))",
        "exponential(mean=1)x | service 'exponential(mean=1)x', column 20: x (expected: end of text)",
        "pareto(low=5,high=5) | service 'pareto(low=5,high=5)', column 19: high=5 (expected: a"
            + " number > low, which is 5.0)",
        "pareto(low=5000) | service 'pareto(low=5000)', column 17: no high (expected: a number >"
            + " low, which is 5000.0)",
        "bimodal(share-long=1.5) | service 'bimodal(share-long=1.5)', column 20: share-long=1.5"
            + " (expected: a number from 0 to 1)",
        "empirical | service 'empirical', column 10: no file (expected: file=...)",
        "empirical(file=/nowhere/x) | service 'empirical(file=/nowhere/x)', column 16:"
            + " file=/nowhere/x (expected: a readable file of samples; there is no such file)"
      })
  void saysWhatIsWrongAndWhere(String spec, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse(spec))
        .withMessage(message);
  }

  @Test
  void saysItInOneLineWhateverIsInTheText() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse("expo\nnential\t(\u0085mean\u001b=1)"))
        .withMessage(
            "service 'expo nential ( mean =1)', column 1: expo nential (expected: lognormal,"
                + " exponential, deterministic, pareto, bimodal or empirical)");
  }

  @Test
  void absoluteSpecNamesTheSameFileFromAnyFolder() {
    String here = Path.of("").toAbsolutePath().toString();
    assertThat(ServiceLaw.absolute("empirical( file = a/b.txt , mean=2)"))
        .isEqualTo("empirical( file = " + here + "/a/b.txt , mean=2)");
    assertThat(ServiceLaw.absolute("empirical(file=/a/b.txt)"))
        .isEqualTo("empirical(file=/a/b.txt)");
    assertThat(ServiceLaw.absolute("exponential(mean=2)")).isEqualTo("exponential(mean=2)");
  }

  @Test
  void namesTheLineOfABadSample() throws IOException {
    Path file = folder.resolve("bad.txt");
    Files.writeString(file, "1\n2\n-3\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse("empirical(file=" + file + ")"))
        .withMessage(file + ":3: -3 (expected: one number >= 0)");
    Files.writeString(file, "1\n2 3\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse("empirical(file=" + file + ")"))
        .withMessage(file + ":2: 2 3 (expected: one number >= 0)");
    Files.writeString(file, "0x1p3\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse("empirical(file=" + file + ")"))
        .withMessage(file + ":1: 0x1p3 (expected: one number >= 0)");
    Files.writeString(file, "# nothing\n0\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceLaw.parse("empirical(file=" + file + ")"))
        .withMessageEndingWith("(expected: samples with a mean > 0)");
  }
}
