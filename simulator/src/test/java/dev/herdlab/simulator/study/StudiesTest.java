package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class StudiesTest {
  private final Studies studies = new Studies(Algorithms.builtIn());

  /// Settings that make each study quick.
  private static final Map<String, Map<String, String>> QUICK =
      Map.of(
          "bins", Map.of("n", "100", "runs", "2"),
          "herd", Map.of("requests", "500", "warmup", "100", "seeds", "0"),
          "shuffle", Map.of("units", "100", "rate", "6"),
          "single", Map.of("requests", "500", "warmup", "100", "seeds", "0"),
          "smooth", Map.of(),
          "weights", Map.of("requests", "500", "warmup", "100", "seeds", "0"),
          "stale", Map.of("requests", "500", "warmup", "100", "seeds", "0,3", "refresh", "0,1"));

  @Test
  void everyStudyExplainsItselfAndGivesRowsOfItsColumns() {
    assertThat(studies.all()).extracting(Study::name).isSorted().containsAll(QUICK.keySet());
    for (Study study : studies.all()) {
      assertThat(study.summary()).endsWith(".");
      assertThat(study.settings()).allSatisfy(it -> assertThat(it.documentation()).isNotBlank());
      studies.bind(study, Map.of());

      StudyResult result =
          studies.run(study.name(), QUICK.getOrDefault(study.name(), Map.of()), Progress.NONE);

      assertThat(result.cells().rows()).isNotEmpty();
      assertThat(result.summary().rows()).isNotEmpty();
    }
  }

  @Test
  void anUnknownStudyIsNamedWithThoseThatThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> studies.run("hird", Map.of(), Progress.NONE))
        .withMessage("study: hird (expected: bins, herd, shuffle, single, smooth, stale, weights)");
  }

  @Test
  void aWarmUpThatLeavesNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> studies.run("stale", Map.of("requests", "10", "warmup", "10"), Progress.NONE))
        .withMessage("warmup: 10 (expected: fewer than the requests, 10)");
  }

  @Test
  void herdRowsHaveThePublishedKeysAndFollowTheSettings() {
    StudyResult result =
        studies.run(
            "herd",
            Map.of(
                "proxies",
                "2,1",
                "algorithm",
                "p2c,random",
                "seeds",
                "4,2",
                "requests",
                "300",
                "warmup",
                "0"),
            Progress.NONE);

    SequencedMap<String, Object> row = result.cells().rows().getFirst();
    assertThat(List.copyOf(row.keySet()).subList(0, 10))
        .containsExactly(
            "algorithm",
            "proxies",
            "backends",
            "rho",
            "requests",
            "warmup",
            "seed",
            "p50",
            "p95",
            "p99");
    assertThat(result.cells().rows())
        .extracting(it -> it.get("proxies") + " " + it.get("algorithm") + " " + it.get("seed"))
        .containsExactly(
            "2 p2c 4",
            "2 p2c 2",
            "2 random 4",
            "2 random 2",
            "1 p2c 4",
            "1 p2c 2",
            "1 random 4",
            "1 random 2");
    assertThat(result.summary().rows()).hasSize(4);
    double p50 = (double) row.get("p50");
    double other = (double) result.cells().rows().get(1).get("p50");
    assertThat(result.summary().rows().getFirst())
        .containsEntry("seeds", 2)
        .containsEntry("p50", (p50 + other) / 2);
  }

  @Test
  void aLoadThatHasNoSteadyStateIsRunWithAWarning() {
    Map<String, String> overload =
        Map.of("rho", "1.2", "requests", "300", "warmup", "0", "seeds", "0", "refresh", "0");

    assertThat(studies.run("stale", overload, Progress.NONE).notes())
        .anyMatch(note -> note.startsWith("Warning: the utilisation is 1.2"));
  }

  @Test
  void progressCountsAllRunsOfStale() {
    List<String> heard = new ArrayList<>();

    studies.run(
        "stale",
        Map.of(
            "requests",
            "100",
            "warmup",
            "0",
            "seeds",
            "0,1",
            "refresh",
            "0",
            "algorithm",
            "p2c",
            "baseline",
            "random"),
        (done, total) -> heard.add(done + "/" + total));

    assertThat(heard).containsExactly("1/6", "2/6", "3/6", "4/6", "5/6", "6/6");
  }
}
