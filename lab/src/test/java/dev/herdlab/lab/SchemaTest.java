package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.ExperimentSchema;
import dev.herdlab.lab.report.Json;
import dev.herdlab.lab.report.Samples;
import dev.herdlab.lab.report.SelftestReport;
import dev.herdlab.lab.result.SelftestResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The published schemas fit what is printed, and the experiments fit theirs.
class SchemaTest {
  private static final Path SCHEMAS = Program.HOME.resolve("docs/schema");
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Set<ValidationMessage> errors(String schema, JsonNode document) {
    try {
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
          .getSchema(Files.readString(SCHEMAS.resolve(schema + ".schema.json")))
          .validate(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String text) throws IOException {
    return JSON.readTree(text);
  }

  @Test
  void experimentSchemaIsThePublishedOne() throws IOException {
    Path published = SCHEMAS.resolve("experiment.schema.json");
    String made = Json.text(ExperimentSchema.json());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(published, made);
    }

    assertThat(made).isEqualTo(Files.readString(published));
  }

  static Stream<Path> experiments() throws IOException {
    try (Stream<Path> files = Files.walk(Program.HOME.resolve("experiments"))) {
      // dns-rotation.yaml is for another command, with keys of its own: see DnsCommandsTest.
      return files
          .filter(file -> file.toString().endsWith(".yaml") && !file.endsWith("dns-rotation.yaml"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void experimentFitsTheSchemaAndLoads(Path file) throws IOException {
    assertThat(errors("experiment", new YAMLMapper().readTree(file.toFile()))).isEmpty();
    assertThat(Experiment.load(Optional.of(file), List.of(), Map.of()).cells()).isNotEmpty();
  }

  @Test
  void experimentAsRunFitsTheSchema() throws IOException {
    Path file = Program.HOME.resolve("experiments/herd.yaml");
    String yaml = Experiment.load(Optional.of(file), List.of(), Map.of()).toYaml();

    assertThat(errors("experiment", new YAMLMapper().readTree(yaml))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prxies: 4",
        "rho: fast",
        "rho: 0",
        "unit: 10",
        "seeds: 0-4",
        "cells: 3",
        "cells: [{name: x}]"
      })
  void experimentSchemaRefuses(String yaml) throws IOException {
    assertThat(errors("experiment", new YAMLMapper().readTree(yaml))).isNotEmpty();
  }

  @Test
  void measuredRunFitsItsSchema() throws IOException {
    assertThat(errors("run", json(Samples.run().toJson()))).isEmpty();
  }

  @Test
  void runWithoutNumbersFitsItsSchema() throws IOException {
    assertThat(errors("run", json(Samples.withoutNumbers().toJson()))).isEmpty();
  }

  @Test
  void unstableCellFitsTheSchemaOfRuns() throws IOException {
    assertThat(errors("run", json(Samples.unstable().toJson()))).isEmpty();
  }

  @Test
  void runSchemaRefusesACellWithoutItsVerdict() throws IOException {
    JsonNode run = json(Samples.run().toJson());
    ((ObjectNode) run.get("cells").get(0)).remove("verdict");

    assertThat(errors("run", run)).isNotEmpty();
  }

  @Test
  void modelRunFitsTheSchemaOfRuns() throws IOException {
    Program program = Program.run("run", "--model", "--format", "json", "--set", "requests=500");

    assertThat(program.exitCode()).isZero();
    assertThat(errors("run", json(program.out()))).isEmpty();
    assertThat(json(program.out()).get("cells")).hasSize(8);
  }

  @Test
  void algorithmsFitTheirSchema() throws IOException {
    Program program = Program.run("algorithms", "--format", "json");

    assertThat(program.exitCode()).isZero();
    assertThat(errors("algorithms", json(program.out()))).isEmpty();
    assertThat(json(program.out()).get("algorithms").findValuesAsText("name"))
        .contains("p2c", "least-conn", "round-robin");
  }

  static Stream<List<String>> studies() {
    return Stream.of(
        List.of("herd", "requests=2000", "warmup=100", "seeds=0", "proxies=1,4"),
        List.of("stale", "requests=2000", "warmup=100", "seeds=0", "refresh=0,4"),
        List.of("bins", "n=100", "runs=2"),
        List.of("shuffle", "units=200", "rate=6,11"),
        List.of("single", "requests=3000", "warmup=100", "seeds=0,1"),
        List.of("weights", "requests=3000", "warmup=100", "seeds=0"),
        List.of("smooth"));
  }

  @ParameterizedTest
  @MethodSource("studies")
  void studyFitsItsSchema(List<String> nameAndSettings) throws IOException {
    Stream<String> settings =
        nameAndSettings.stream().skip(1).flatMap(setting -> Stream.of("--set", setting));
    String[] arguments =
        Stream.concat(Stream.of("study", nameAndSettings.getFirst(), "--format", "json"), settings)
            .toArray(String[]::new);

    Program program = Program.run(arguments);

    assertThat(program.exitCode()).isZero();
    assertThat(errors("study", json(program.out()))).isEmpty();
    assertThat(json(program.out()).get("cells")).isNotEmpty();
  }

  @Test
  void selftestFitsItsSchema() throws IOException {
    SelftestResult result =
        new SelftestResult(
            List.of(new SelftestResult.Check("a leak", "one", "refused", true, "1 in flight")));

    assertThat(errors("selftest", json(SelftestReport.json(result)))).isEmpty();
  }
}
