package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
          new Scenario("hung-host", List.of("algorithm=round-robin,p2c")),
          new Scenario("cold-join", List.of("algorithm=least-conn,smooth-weighted-round-robin")),
          new Scenario("fast-failures", List.of("algorithm=least-conn,p2c")),
          new Scenario("weight-change", List.of("algorithm=least-conn(as=envoy)")),
          new Scenario("churn", List.of("algorithm=sticky(inner=least-conn)")),
          new Scenario("reload", List.of("algorithm=round-robin")),
          new Scenario("retry-storm", List.of("retry-budget=none")));

  @TempDir private Path folder;

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

  /// Another way to pass.
  @Test
  void errorsThatCostAttractNothing() {
    Scenario failures = new Scenario("fast-failures", List.of());

    assertThat(run(failures, List.of("algorithm=peak-ewma(failures=penalised)")).exitCode())
        .isZero();
  }

  /// A quarter of the requests, half of the time with a failing backend: on sockets, whatever the
  /// machine does, every pick is explained, and the complaint is there or not.
  @ParameterizedTest
  @CsvSource({
    "outlier-ejection(of=least-conn;interval=10u;base=100u;longest=100u;most=20%;by=failures;failures-volume=5), 0, 6",
    "least-conn, 14, 50"
  })
  void fastFailuresOnSockets(String algorithm, int from, int to) throws IOException {
    JsonNode cell =
        onSockets("fast-failures", "requests=1500", "algorithm=" + algorithm.replace(';', ','));

    double failed = cell.at("/accounting/failed/client-status").asDouble() / 15;
    assertThat(failed).isBetween((double) from, (double) to);
  }

  @ParameterizedTest
  @CsvSource({"round-robin(start=random), 1, 1.5", "round-robin, 3, 5"})
  void reloadOnSockets(String algorithm, double from, double to) throws IOException {
    JsonNode cell = onSockets("reload", "requests=1500", "algorithm=" + algorithm);

    double max = 0;
    for (JsonNode share : cell.at("/herding/shares")) {
      max = Math.max(max, 16 * share.asDouble());
    }
    assertThat(max).isBetween(from, to);
  }

  private JsonNode onSockets(String name, String... sets) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", "--format", "json", "--out"));
    arguments.add(folder.resolve("out").toString());
    for (String set : List.of("attempts=1", "burn-in=1s", "model-requests=0")) {
      arguments.addAll(List.of("--set", set));
    }
    for (String set : sets) {
      arguments.addAll(List.of("--set", set));
    }
    arguments.add(FOLDER.resolve(name + ".yaml").toString());

    Program program = Program.run(arguments.toArray(String[]::new));

    assertThat(program.exitCode()).as("%s", program.err()).isIn(0, 3, 4);
    JsonNode cell = new ObjectMapper().readTree(program.out()).at("/cells/0");
    assertThat(cell.at("/audit/different").asInt()).isZero();
    assertThat(cell.at("/audit/picks").asInt()).isEqualTo(1500);
    return cell;
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
