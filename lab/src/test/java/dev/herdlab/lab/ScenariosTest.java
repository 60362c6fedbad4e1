package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.Experiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What users complained of, as experiments: each passes as it is, and breaks its rule with what
/// the complaint was about. In the model, which gives the same values on every machine; with three
/// seeds, so that no rule holds by luck.
class ScenariosTest {
  private static final Path FOLDER = Program.HOME.resolve("experiments/scenarios");

  /// A scenario, and what was wrong.
  record Scenario(String name, List<String> wrong) {}

  static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("proxies", List.of("view=local")),
          new Scenario("refresh", List.of("algorithm=least-conn,random")),
          new Scenario("restart", List.of("algorithm=round-robin")),
          new Scenario("two-backends", List.of("algorithm=p2c")),
          new Scenario("weights", List.of("weights=1")),
          new Scenario("slow-backend", List.of("algorithm=round-robin")),
          new Scenario("mixed-costs", List.of("algorithm=p2c(draws=distinct,metric=latency-ewma)")),
          new Scenario("bursts-of-weights", List.of("algorithm=weighted-round-robin")),
          new Scenario("hot-key", List.of("algorithm=ring-hash,maglev")),
          new Scenario("hung-host", List.of("algorithm=round-robin,p2c")));

  private static Program run(Scenario scenario, List<String> sets) {
    List<String> arguments = new ArrayList<>(List.of("run", "--model"));
    sets.forEach(set -> arguments.addAll(List.of("--set", set)));
    arguments.add(FOLDER.resolve(scenario.name() + ".yaml").toString());
    return Program.run(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @FieldSource("SCENARIOS")
  void theRightOnePasses(Scenario scenario) {
    Program program = run(scenario, List.of("seeds=0..2"));

    assertThat(program.exitCode()).as("%s", program.out()).isZero();
    assertThat(program.out()).contains("Thresholds").doesNotContain("BROKEN");
  }

  @ParameterizedTest
  @FieldSource("SCENARIOS")
  void whatTheComplaintWasAboutBreaksTheRule(Scenario scenario) {
    for (int seed = 0; seed < 3; seed++) {
      List<String> sets = new ArrayList<>(scenario.wrong());
      sets.add("seeds=" + seed);

      Program program = run(scenario, sets);

      assertThat(program.exitCode()).as("%s", program.out()).isEqualTo(4);
      assertThat(program.out()).contains("BROKEN");
    }
  }

  @Test
  void everyScenarioIsTestedAndNamesItsComplaint() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(SCENARIOS.stream().map(Scenario::name).toList());
    }
    for (Scenario scenario : SCENARIOS) {
      Experiment experiment =
          Experiment.load(
              Optional.of(FOLDER.resolve(scenario.name() + ".yaml")), List.of(), Map.of());

      assertThat(experiment.name()).isEqualTo(scenario.name());
      assertThat(experiment.complaint()).isNotBlank();
      assertThat(experiment.thresholds()).isNotEmpty();
    }
  }
}
