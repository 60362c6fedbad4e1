package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.StudentT;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShuffleStudyTest {
  private static StudyResult study(Map<String, String> settings) {
    return new Studies(Algorithms.builtIn()).run("shuffle", settings, Progress.NONE);
  }

  private static StudyResult.Part part(StudyResult result, String name) {
    return result.parts().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  private static double saturation(String assignment, String bad, String variant) {
    StudyResult result =
        study(Map.of("assignment", assignment, "bad", bad, "variant", variant, "rate", "1"));
    return (double) part(result, "saturation").table().rows().getFirst().get("share_of_capacity");
  }

  /// The values of an independent program, within 0.02 of capacity; seed 0, 20 000 units.
  @ParameterizedTest
  @CsvSource({
    "uniform, none, 0.95",
    "shuffle, none, 0.94",
    "uniform, until-timeout, 0.595",
    "shuffle, until-timeout, 0.75",
    "uniform, forever, 0",
    "shuffle, forever, 0.72"
  })
  void saturationIsThatOfAnIndependentProgram(String assignment, String bad, double expected) {
    assertThat(saturation(assignment, bad, "pull")).isCloseTo(expected, within(0.02));
  }

  private static final double LIMIT = 10;

  /// Share of requests that run out of time in an M/M/1 whose requests have 10 units: its work is
  /// that of a dam of height 10, whose law is M/M/1's cut off there, so that with r = 1 - rho the
  /// share is r e^(-10r) / (1 - rho e^(-10r)).
  private static double errorRate(double rho) {
    double tail = Math.exp(-(1 - rho) * LIMIT);
    return (1 - rho) * tail / (1 - rho * tail);
  }

  /// Quantile q of the latency there, below 10 units.
  private static double quantile(double rho, double q) {
    return -Math.log1p(-q * (1 - rho * Math.exp(-(1 - rho) * LIMIT))) / (1 - rho);
  }

  /// Random pushes split a Poisson stream into twelve of M/M/1 with a limit, sharded or not. 10
  /// seeds of 20 000 units: each of 12 assertions is within t(0.9999, 9) standard errors, which
  /// chance breaks in one of 400 suites.
  @ParameterizedTest
  @ValueSource(doubles = {0.6, 0.85})
  void randomPushesFollowTheFormulaOfAQueueWithALimit(double rho) {
    for (Assignment assignment : Assignment.values()) {
      List<ShuffleTally> tallies =
          LongStream.range(0, 10)
              .mapToObj(
                  seed ->
                      new ShuffleRun(
                              assignment,
                              WorkerPool.Bad.NONE,
                              ShuffleRun.Variant.PUSH_RANDOM,
                              rho * 12,
                              20_000,
                              LIMIT,
                              seed)
                          .run())
              .toList();

      assertMean(tallies, ShuffleTally::errorRate, errorRate(rho));
      assertMean(tallies, it -> it.latencyQuantiles(0.5)[0], quantile(rho, 0.5));
      assertMean(tallies, it -> it.latencyQuantiles(0.9)[0], Math.min(LIMIT, quantile(rho, 0.9)));
    }
  }

  private static void assertMean(
      List<ShuffleTally> tallies, ToDoubleFunction<ShuffleTally> value, double expected) {
    double[] values = tallies.stream().mapToDouble(value).toArray();
    double mean = 0;
    for (double one : values) {
      mean += one / values.length;
    }
    double squares = 0;
    for (double one : values) {
      squares += (one - mean) * (one - mean);
    }
    double error = Math.sqrt(squares / (values.length - 1) / values.length);
    assertThat(mean)
        .isCloseTo(expected, within(StudentT.quantile(0.9999, values.length - 1) * error + 1e-9));
  }

  /// With time enough, pulling from one common queue is M/M/12: mean 1 + C / (12 - rate), with
  /// Erlang's C. 10 seeds of 20 000 units, within t(0.9999, 9) standard errors.
  @Test
  void pullingFromOneQueueIsErlangs() {
    double rate = 0.8 * 12;
    double blocking = 1;
    for (int servers = 1; servers <= 12; servers++) {
      blocking = rate * blocking / (servers + rate * blocking);
    }
    double waiting = blocking / (1 - rate / 12 * (1 - blocking));
    List<ShuffleTally> tallies =
        LongStream.range(0, 10)
            .mapToObj(
                seed ->
                    new ShuffleRun(
                            Assignment.UNIFORM,
                            WorkerPool.Bad.NONE,
                            ShuffleRun.Variant.PULL,
                            rate,
                            20_000,
                            1000,
                            seed)
                        .run())
            .toList();

    assertMean(tallies, ShuffleTally::meanLatency, 1 + waiting / (12 - rate));
    assertMean(tallies, ShuffleTally::utilisation, 0.8);
    assertMean(tallies, ShuffleTally::throughput, rate);
  }

  @Test
  void aBadTypeThatKeepsWorkersForEverTakesAllOfThemOrItsShard() {
    List<SequencedMap<String, Object>> rows =
        study(Map.of("bad", "forever", "variant", "pull", "rate", "6")).cells().rows();

    assertThat(rows.get(0)).containsEntry("assignment", "uniform").containsEntry("error_rate", 1.0);
    assertThat(rows.get(0)).containsEntry("throughput", 0.0).containsEntry("p50", 10.0);
    assertThat((double) rows.get(0).get("utilisation")).isCloseTo(1, within(1e-9));
    assertThat(rows.get(1)).containsEntry("assignment", "shuffle");
    assertThat((double) rows.get(1).get("error_rate")).isLessThan(0.001);
    // Three workers stuck, and nine do the other types' 5.5 a unit: (3 + 5.5) / 12.
    assertThat((double) rows.get(1).get("utilisation")).isCloseTo(8.5 / 12, within(0.01));
  }

  @Test
  void pushingGoesOnToFeedAStuckWorker() {
    assertThat(saturation("shuffle", "forever", "push-random")).isZero();
    assertThat(saturation("shuffle", "forever", "push-least-conn")).isZero();
  }

  @Test
  void aQueueOfItsOwnWastesWhatACommonOneDoesNot() {
    double random = saturation("uniform", "none", "push-random");
    double leastConn = saturation("uniform", "none", "push-least-conn");

    // The rate at which the formula gives 0.1 %.
    assertThat(errorRate(random - 0.02)).isLessThan(0.001);
    assertThat(errorRate(random + 0.02)).isGreaterThan(0.001);
    assertThat(leastConn).isBetween(random + 0.3, 0.95);
  }

  @Test
  void shardsShareOneWorkerAtMost() {
    StudyResult result =
        study(Map.of("bad", "none", "variant", "pull", "rate", "1", "units", "100"));

    assertThat(part(result, "overlap").table().rows().getFirst())
        .containsEntry("max", 1)
        .containsEntry("mean", 6.0 / 11);
    assertThat(part(result, "matrix").table().rows())
        .anySatisfy(
            row ->
                assertThat(row)
                    .containsEntry("assignment", "shuffle")
                    .containsEntry("type", 11)
                    .containsEntry("workers", "x.x........x"));
    for (int worker = 0; worker < Assignment.WORKERS; worker++) {
      assertThat(Assignment.SHUFFLE.types(worker)).hasSize(3);
      assertThat(Assignment.UNIFORM.types(worker)).hasSize(12);
    }
  }
}
