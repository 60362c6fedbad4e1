package dev.herdlab.lab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdTest {
  @TempDir private Path folder;

  private static Threshold read(String text) {
    return Threshold.read(text).orElseThrow();
  }

  @Test
  void everyKindOfRuleIsRead() {
    assertThat(read("p99 < 12").limit()).isEqualTo(new Threshold.Limit.Absolute(12));
    assertThat(read("mean<=1.5e1").limit()).isEqualTo(new Threshold.Limit.Absolute(15));
    assertThat(read("errors == 0").operator()).isEqualTo(Threshold.Operator.EQUAL);
    assertThat(read("errors < 0.1%").limit()).isEqualTo(new Threshold.Limit.Percent(0.1));
    assertThat(read("share(max) < 1.3x").limit()).isEqualTo(new Threshold.Limit.OfFairShare(1.3));
    assertThat(read("share(min) > 5 %").limit()).isEqualTo(new Threshold.Limit.Percent(5));
    assertThat(read("p99 < 1.2 x p2c(d=3,draws=distinct)").limit())
        .isEqualTo(new Threshold.Limit.OfAlgorithm(1.2, "p2c(d=3,draws=distinct)"));
    assertThat(read("p50 > 2x random").limit())
        .isEqualTo(new Threshold.Limit.OfAlgorithm(2, "random"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p98 < 12",
        "p99 = 12",
        "p99 < ",
        "p99 < fast",
        "p99 < 12 units",
        "p99 < 1.2x",
        "p99 < 10%",
        "share(max) < 0.3",
        "share < 1.3x",
        "errors < 2x",
        "p99 < 1.2.3",
        "12 > p99"
      })
  void whatIsNoRuleIsRefused(String text) {
    assertThat(Threshold.read(text)).isEmpty();
    assertThatThrownBy(() -> load("thresholds: ['" + text + "']"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "%s:1: thresholds: %s (expected: %s)", file(), text.strip(), Threshold.EXPECTED);
  }

  private Path file() {
    return folder.resolve("e.yaml");
  }

  private Experiment load(String yaml, String... sets) throws IOException {
    Files.writeString(file(), yaml + "\n");
    return Experiment.load(Optional.of(file()), List.of(sets), Map.of());
  }

  @Test
  void rulesOfAnExperimentComeBackFromWhatIsWritten() throws IOException {
    Experiment experiment =
        load("algorithm: [p2c, 'least-conn']\nthresholds: [p99 < 12, 'p99 < 1.2 x p2c']");

    assertThat(experiment.thresholds()).containsExactly(read("p99 < 12"), read("p99 < 1.2 x p2c"));
    assertThat(load(experiment.toYaml()).thresholds()).isEqualTo(experiment.thresholds());
    assertThat(load("proxies: 1", "thresholds=p99 < 12, errors == 0").thresholds())
        .containsExactly(read("p99 < 12"), read("errors == 0"));
  }

  @Test
  void aComplaintWithoutARuleIsRefused() throws IOException {
    assertThatThrownBy(() -> load("rho: 0.8\ncomplaint: slow"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            file() + ":2: complaint: slow (expected: thresholds beside it, such as p99 < 12)");
    Experiment experiment = load("complaint: slow\nthresholds: p99 < 12");
    assertThat(load(experiment.toYaml()).complaint()).isEqualTo("slow");
  }

  @Test
  void anAlgorithmThatNoCellRunsIsRefused() {
    String expected =
        " (expected: beside each other cell one of p2c that differs in algorithm, or else in view"
            + " too, alone)";
    assertThatThrownBy(
            () -> load("algorithm: least-conn\nthresholds:\n  - p50 < 3\n  - p99 < 1.2 x p2c"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(file() + ":4: thresholds: p99 < 1.2 x p2c" + expected);
    // No other cell.
    assertThatThrownBy(() -> load("algorithm: p2c\nthresholds: p99 < 1.2 x p2c"))
        .isInstanceOf(ConfigException.class);
    // Two views of p2c, neither of them this one's.
    assertThatThrownBy(
            () ->
                load(
                    "thresholds: p99 < 1.2 x p2c\ncells:\n  - {algorithm: p2c, view: [local, shared]}\n"
                        + "  - {algorithm: least-conn, view: 'shared-stale(refresh=1)'}"))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void aCellOfTheSameViewIsMeantFirst() throws IOException {
    List<CellPlan> cells =
        load("cells:\n  - {algorithm: [p2c, random], view: [local, shared], proxies: [1, 2]}\n"
                + "  - {algorithm: round-robin, proxies: [1, 2]}")
            .cells();
    CellPlan randomShared =
        cells.stream()
            .filter(it -> it.algorithm().equals("random") && it.view().equals("shared"))
            .filter(it -> it.proxies() == 2)
            .findFirst()
            .orElseThrow();

    assertThat(Threshold.references("p2c", randomShared, cells))
        .singleElement()
        .satisfies(
            at -> {
              assertThat(cells.get(at).algorithm()).isEqualTo("p2c");
              assertThat(cells.get(at).view()).isEqualTo("shared");
              assertThat(cells.get(at).proxies()).isEqualTo(2);
            });
    assertThat(Threshold.references("round-robin", randomShared, cells))
        .singleElement()
        .satisfies(at -> assertThat(cells.get(at).view()).isEqualTo("local"));
  }
}
