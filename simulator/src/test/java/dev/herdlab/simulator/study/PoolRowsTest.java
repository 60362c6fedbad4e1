package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.StudentT;
import dev.herdlab.workload.Trace;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The studies `single` and `weights`, whose rows say whether there is a steady state.
class PoolRowsTest {
  private static StudyResult study(String name, Map<String, String> settings) {
    return new Studies(Algorithms.builtIn()).run(name, settings, Progress.NONE);
  }

  private static List<SequencedMap<String, Object>> rows(
      List<SequencedMap<String, Object>> rows, Map<String, Object> which) {
    return rows.stream().filter(row -> row.entrySet().containsAll(which.entrySet())).toList();
  }

  /// The means of the seeds are within t(0.9995, m - 1) standard errors of the formula, which
  /// chance breaks once in a thousand comparisons.
  private static void assertFollowsTheory(List<SequencedMap<String, Object>> seeds) {
    assertThat(seeds).hasSizeGreaterThan(4);
    double[] means = seeds.stream().mapToDouble(row -> (double) row.get("mean")).toArray();
    double mean = 0;
    for (double one : means) {
      mean += one / means.length;
    }
    double squares = 0;
    for (double one : means) {
      squares += (one - mean) * (one - mean);
    }
    double error = Math.sqrt(squares / (means.length - 1) / means.length);
    double theory = (double) seeds.getFirst().get("theory");
    assertThat(theory).isGreaterThan(1);
    assertThat(mean)
        .as("%s", seeds.getFirst())
        .isCloseTo(theory, within(StudentT.quantile(0.9995, means.length - 1) * error));
    // And the interval is narrow enough to mean something.
    assertThat(error).isLessThan(0.05 * theory);
  }

  @Test
  void randomPicksFollowPollaczekAndKhinchineOnEqualAndUnequalBackends() {
    List<SequencedMap<String, Object>> cells =
        study(
                "single",
                Map.of("algorithm", "random", "slowdown", "1,1.2", "rho", "0.8", "seeds", "0..9"))
            .cells()
            .rows();

    assertFollowsTheory(rows(cells, Map.of("slowdown", 1.0)));
    assertFollowsTheory(rows(cells, Map.of("slowdown", 1.2)));
  }

  @Test
  void whoPicksWithoutLookingIsUnstableBesideABackendThreeTimesAsSlow() {
    StudyResult result = study("single", Map.of("slowdown", "3", "rho", "0.8", "seeds", "0..1"));

    for (String algorithm : List.of("random", "round-robin")) {
      assertThat(rows(result.cells().rows(), Map.of("algorithm", algorithm)))
          .hasSize(2)
          .allSatisfy(
              row -> {
                assertThat(row).containsEntry("state", "unstable");
                assertThat(row).containsEntry("p50", Double.NaN).containsEntry("p99", Double.NaN);
                assertThat(row)
                    .containsEntry("mean", Double.NaN)
                    .containsEntry("theory", Double.NaN);
                // Backend 0 gets 0.8 a unit and does 1 / (3 x 1.00125); standard deviation 0.007.
                assertThat((double) row.get("growth")).isCloseTo(0.4671, within(0.03));
                assertThat((double) row.get("load")).isCloseTo(2.403, within(0.06));
              });
    }
    for (String algorithm : List.of("least-conn", "least-time", "p2c")) {
      assertThat(rows(result.cells().rows(), Map.of("algorithm", algorithm)))
          .hasSize(2)
          .allSatisfy(
              row -> {
                assertThat(row).containsEntry("state", "stable");
                assertThat((double) row.get("growth")).isCloseTo(0, within(0.01));
                assertThat((double) row.get("p99")).isGreaterThan((double) row.get("p50"));
              });
    }
    assertThat(result.summary().rows()).hasSize(5);
  }

  @Test
  void oneAFifthSlowerAndAHighLoadAreStable() {
    List<SequencedMap<String, Object>> slow =
        study("single", Map.of("slowdown", "1.2", "rho", "0.8", "seeds", "0")).cells().rows();
    List<SequencedMap<String, Object>> high =
        study("single", Map.of("slowdown", "1", "rho", "0.95", "seeds", "0")).cells().rows();

    assertThat(slow).hasSize(5).allSatisfy(row -> assertThat(row).containsEntry("state", "stable"));
    assertThat(high).hasSize(5).allSatisfy(row -> assertThat(row).containsEntry("state", "stable"));
  }

  @Test
  void randomPicksByWeightFollowTheFormulaAndRightWeightsAreBest() {
    List<SequencedMap<String, Object>> cells =
        study("weights", Map.of("sessions", "5000", "session-requests", "20", "seeds", "0..7"))
            .cells()
            .rows();

    for (String weights : List.of("2:1", "1:1", "3:2")) {
      assertFollowsTheory(rows(cells, Map.of("algorithm", "random-by-weight", "weights", weights)));
    }
    double right = p99(cells, "2:1");
    double low = p99(cells, "3:2");
    double none = p99(cells, "1:1");
    assertThat(low).isGreaterThan(right);
    assertThat(none).isGreaterThan(1.3 * low);
  }

  private static double p99(List<SequencedMap<String, Object>> cells, String weights) {
    return (double)
        rows(cells, Map.of("algorithm", "smooth-weighted-round-robin", "weights", weights))
            .getFirst()
            .get("p99");
  }

  @Test
  void theFewerSessionsTheWorse() {
    List<SequencedMap<String, Object>> rows =
        study("weights", Map.of("session-requests", "20", "weights", "1:1")).summary().rows();

    double independent = mean(rows, Map.of("algorithm", "random-by-weight"));
    double many = mean(rows, Map.of("sessions", 5000));
    double some = mean(rows, Map.of("sessions", 500));
    double few = mean(rows, Map.of("sessions", 50));
    assertThat(many).isGreaterThan(independent);
    assertThat(some).isGreaterThan(many);
    assertThat(few).isGreaterThan(some);
  }

  private static double mean(List<SequencedMap<String, Object>> rows, Map<String, Object> which) {
    return (double) rows(rows, which).getFirst().get("mean");
  }

  /// A session of one request is an independent request to a random backend.
  @Test
  void sessionsOfOneRequestFollowTheFormulaOfRandomPicks() {
    List<SequencedMap<String, Object>> cells =
        study(
                "weights",
                Map.of(
                    "sessions", "50", "session-requests", "1", "weights", "1:1", "seeds", "0..7"))
            .cells()
            .rows();
    List<SequencedMap<String, Object>> sticky = rows(cells, Map.of("algorithm", "sticky-sessions"));
    double theory =
        (double) rows(cells, Map.of("algorithm", "random-by-weight")).getFirst().get("theory");
    sticky.forEach(row -> row.put("theory", theory));

    assertFollowsTheory(sticky);
  }

  @Test
  void sessionsWithoutEndHaveNoSteadyStateButAGrowth() {
    List<SequencedMap<String, Object>> rows =
        study("weights", Map.of("session-requests", "inf", "weights", "2:1")).summary().rows();

    assertThat(rows(rows, Map.of("algorithm", "sticky-sessions")))
        .hasSize(3)
        .allSatisfy(
            row ->
                assertThat(row)
                    .containsEntry("state", "unstable")
                    .containsEntry("session_requests", "inf")
                    .containsEntry("p99", Double.NaN));
    assertThat((double) rows(rows, Map.of("sessions", 50)).getFirst().get("growth"))
        .isGreaterThan(0.5);
  }

  /// Two backends of speed 1: one request a unit of two units, all to backend 0.
  @Test
  void growthAndLoadAreCounted() {
    int requests = 101;
    Trace trace =
        Trace.of(
            1,
            IntStream.range(0, requests).mapToLong(i -> i * Studies.UNIT_NANOS).toArray(),
            new int[requests],
            IntStream.range(0, requests).mapToLong(i -> 2 * Studies.UNIT_NANOS).toArray());
    List<Double> speeds = List.of(1.0, 1.0);

    PoolRun run = PoolRun.of(Served.assigned(trace, speeds, i -> 0), speeds, 0);

    // At 100 units 101 have come and 50 are done, the 50th just now; at 0 there was one.
    assertThat(run.growth()).isEqualTo(0.5);
    assertThat(run.load()).isCloseTo(2.02, within(1e-9));
  }

  @Test
  void moreFastBackendsThanBackendsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> study("weights", Map.of("fast", "17")))
        .withMessage("fast: 17 (expected: no more than the backends, 16)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> study("weights", Map.of("weights", "2:0")))
        .withMessageStartingWith("weights: 2:0 (expected: two whole numbers from 1 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> study("weights", Map.of("session-requests", "0.5")))
        .withMessageStartingWith("session-requests: 0.5 (expected: a number, 1.0 or more, or inf");
  }
}
