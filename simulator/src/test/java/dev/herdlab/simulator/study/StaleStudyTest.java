package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.GoldenCells;
import dev.herdlab.simulator.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

class StaleStudyTest {
  private static final int SEEDS = 8;
  private static final int GOLDEN_SEEDS = 120;

  private final Studies studies = new Studies(Algorithms.builtIn());

  private List<SequencedMap<String, Object>> summary(Map<String, String> settings) {
    return studies.run("stale", settings, Progress.NONE).summary().rows();
  }

  /// 42 cells of four values each, m = 8 seeds (0 to 7): a right model is within 4 standard errors
  /// of the difference of two means in all of the 168 comparisons with probability 0.99, were they
  /// independent.
  @Test
  void agreesWithAnIndependentModelInEveryCell() {
    List<SequencedMap<String, Object>> rows = new ArrayList<>();
    String seeds = "0.." + (SEEDS - 1);
    rows.addAll(summary(Map.of("phase", "sync", "seeds", seeds)));
    rows.addAll(
        summary(Map.of("phase", "random", "own", "false", "refresh", "1,2,4,8", "seeds", seeds)));
    List<GoldenCells.Cell> golden = GoldenCells.read("stale.json");
    assertThat(golden).hasSize(42);

    SoftAssertions soft = new SoftAssertions();
    for (GoldenCells.Cell cell : golden) {
      SequencedMap<String, Object> row = matching(rows, cell);
      assertThat(row).containsEntry("seeds", SEEDS);
      for (String key : List.of("p50", "p95", "p99", "mean")) {
        double deviation = cell.number(key + "_sd");
        double bound = 4 * deviation * Math.sqrt(1.0 / SEEDS + 1.0 / GOLDEN_SEEDS);
        soft.assertThat(Math.abs((double) row.get(key) - cell.number(key)))
            .as("%s of %s: %s", key, cell.values(), row.get(key))
            .isLessThanOrEqualTo(bound);
      }
    }
    soft.assertAll();
  }

  private static SequencedMap<String, Object> matching(
      List<SequencedMap<String, Object>> rows, GoldenCells.Cell cell) {
    return rows.stream()
        .filter(
            row ->
                row.get("algorithm").equals(cell.text("algorithm"))
                    && row.get("view").equals(cell.text("view"))
                    && row.get("refresh").equals(cell.number("refresh"))
                    && row.get("own").toString().equals(cell.text("own"))
                    && row.get("phase").equals(cell.text("phase")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row for " + cell.values()));
  }

  @Test
  void oldCopiesMakeLeastConnHerdAndP2cHardly() {
    List<SequencedMap<String, Object>> rows =
        summary(
            Map.of(
                "refresh",
                "4",
                "own",
                "false",
                "seeds",
                "0",
                "requests",
                "60000",
                "warmup",
                "10000"));

    double leastConn = excess(rows, "least-conn", "sync");
    assertThat(leastConn).isGreaterThan(2);
    assertThat(excess(rows, "p2c", "sync")).isBetween(1.0, 1.5);
    // Copies at each proxy's own moment dissolve the herd.
    assertThat(excess(rows, "least-conn", "random")).isLessThan(0.7 * leastConn);
  }

  /// The herding index over its expectation under random picks.
  private static double excess(
      List<SequencedMap<String, Object>> rows, String algorithm, String phase) {
    SequencedMap<String, Object> row =
        rows.stream()
            .filter(
                it ->
                    it.get("algorithm").equals(algorithm)
                        && it.get("view").equals("shared-stale")
                        && it.get("phase").equals(phase))
            .findFirst()
            .orElseThrow();
    return (double) row.get("herding") / (double) row.get("herding_random");
  }

  @Test
  void rowsOfAllSeedsAndViewsStandInOrder() {
    List<SequencedMap<String, Object>> rows =
        studies
            .run(
                "stale",
                Map.of(
                    "algorithm",
                    "p2c",
                    "baseline",
                    "random",
                    "refresh",
                    "0,2",
                    "own",
                    "false,true",
                    "phase",
                    "sync",
                    "seeds",
                    "1,0",
                    "requests",
                    "200",
                    "warmup",
                    "0"),
                Progress.NONE)
            .cells()
            .rows();

    assertThat(rows)
        .extracting(
            it ->
                "%s %s %s %s %s"
                    .formatted(
                        it.get("algorithm"),
                        it.get("view"),
                        it.get("refresh"),
                        it.get("own"),
                        it.get("seed")))
        .containsExactly(
            "random local 0.0 false 1",
            "random local 0.0 false 0",
            "p2c local 0.0 false 1",
            "p2c local 0.0 false 0",
            "p2c shared 0.0 false 1",
            "p2c shared 0.0 false 0",
            "p2c shared-stale 2.0 false 1",
            "p2c shared-stale 2.0 false 0",
            "p2c shared-stale 2.0 true 1",
            "p2c shared-stale 2.0 true 0");
  }
}
