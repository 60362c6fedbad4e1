package dev.herdlab.lab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Queueing.Discipline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
  @TempDir Path folder;

  private Experiment load(String yaml, Map<String, String> environment, String... sets)
      throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), yaml);
    return Experiment.load(Optional.of(file), List.of(sets), environment);
  }

  private Experiment load(String yaml, String... sets) throws IOException {
    return load(yaml, Map.of(), sets);
  }

  @Test
  void setWinsOverTheEnvironmentWhichWinsOverTheFile() throws IOException {
    String yaml = "rho: 0.5\nbackends: 4\nproxies: 2\n";
    Map<String, String> environment = Map.of("HERDLAB_RHO", "0.6", "HERDLAB_BACKENDS", "8");

    CellPlan cell = load(yaml, environment, "rho=0.7").cells().getFirst();

    assertThat(cell.rho()).isEqualTo(0.7);
    assertThat(cell.backends()).isEqualTo(8);
    assertThat(cell.proxies()).isEqualTo(2);
  }

  @Test
  void ofTwoSetsTheLastWins() throws IOException {
    assertThat(load("rho: 0.5", "rho=0.6", "rho=0.7").cells())
        .extracting(CellPlan::rho)
        .containsExactly(0.7);
  }

  @Test
  void variableOfAKeyWithADash() throws IOException {
    assertThat(load("rho: 0.5", Map.of("HERDLAB_MODEL_REQUESTS", "7")).modelRequests())
        .isEqualTo(7);
  }

  @Test
  void variableThatIsAlmostAKeyIsWarnedOf() throws IOException {
    assertThat(
            load("rho: 0.5", Map.of("HERDLAB_RH0", "1", "HERDLAB_JAVA_OPTS", "-Xmx1g")).warnings())
        .containsExactly("environment HERDLAB_RH0: ignored (expected: perhaps HERDLAB_RHO)");
  }

  @Test
  void listsMakeTheirProductWithSeedsFastestThenAlgorithmsThenProxies() throws IOException {
    Experiment experiment = load("proxies: [1, 4]\nalgorithm: [round-robin, p2c]\nseeds: 0..1\n");

    assertThat(experiment.cells())
        .extracting(CellPlan::proxies, CellPlan::algorithm, CellPlan::seed)
        .containsExactly(
            tuple(1, "round-robin", 0L),
            tuple(1, "round-robin", 1L),
            tuple(1, "p2c", 0L),
            tuple(1, "p2c", 1L),
            tuple(4, "round-robin", 0L),
            tuple(4, "round-robin", 1L),
            tuple(4, "p2c", 0L),
            tuple(4, "p2c", 1L));
  }

  @Test
  void commasInsideParenthesesDoNotSplit() throws IOException {
    assertThat(load("rho: 0.5", "algorithm=p2c(d=3,draws=distinct), least-conn").cells())
        .extracting(CellPlan::algorithm)
        .containsExactly("p2c(d=3,draws=distinct)", "least-conn");
    assertThat(load("algorithm: p2c(d=3,draws=distinct), least-conn").cells()).hasSize(2);
  }

  @Test
  void listInBracketsOnTheCommandLine() throws IOException {
    assertThat(load("rho: 0.5", "proxies=[1, 16]").cells())
        .extracting(CellPlan::proxies)
        .containsExactly(1, 16);
  }

  @Test
  void cellsOverrideAndSweepOnTheirOwn() throws IOException {
    Experiment experiment =
        load(
            """
            proxies: 1
            cells:
              - algorithm: [round-robin, p2c]
              - proxies: 16
                algorithm: p2c
                view: shared-stale(refresh=4)
            """);

    assertThat(experiment.cells())
        .extracting(CellPlan::algorithm, CellPlan::proxies, CellPlan::view)
        .containsExactly(
            tuple("round-robin", 1, "local"),
            tuple("p2c", 1, "local"),
            tuple("p2c", 16, "shared-stale(refresh=4)"));
  }

  @Test
  void setReplacesAKeyInAllCellsAndEqualCellsRunOnce() throws IOException {
    String yaml = "cells:\n  - proxies: [1, 4]\n    rho: 0.5\n  - proxies: 4\n    rho: 0.9\n";

    assertThat(load(yaml, "rho=0.7").cells())
        .extracting(CellPlan::proxies, CellPlan::rho)
        .containsExactly(tuple(1, 0.7), tuple(4, 0.7));
  }

  @Test
  void warmupMayBeAShare() throws IOException {
    assertThat(load("requests: [1000, 55]\nwarmup: 10%\n").cells())
        .extracting(CellPlan::warmup)
        .containsExactly(100, 5);
  }

  @Test
  void oneSpeedIsForAllBackendsAndAListIsOneForEach() throws IOException {
    assertThat(load("backends: 3\nspeeds: 2").cells().getFirst().speeds())
        .containsExactly(2.0, 2.0, 2.0);
    CellPlan mixed = load("backends: 3\nspeeds: [1, 2, 0.5]\nrho: 0.5").cells().getFirst();
    assertThat(mixed.speeds()).containsExactly(1.0, 2.0, 0.5);
    assertThat(mixed.arrivalsPerUnit()).isEqualTo(1.75);
  }

  @Test
  void overloadIsAllowedWithAWarning() throws IOException {
    Experiment experiment = load("proxies: 4\nrho: 1.2");

    assertThat(experiment.cells()).hasSize(1);
    assertThat(experiment.warnings())
        .containsExactly(
            folder.resolve("x.yaml")
                + ":2: rho: 1.2 x the mean of service lognormal(mu=-0.36,sigma=0.85), 1.00125 units,"
                + " is a load of 1.20150: no steady state exists, latency grows as long as it runs");
  }

  @Test
  void meanServiceCountsInTheLoad() throws IOException {
    String yaml = "rho: [0.4, 0.6]\nservice: [exponential, exponential(mean=2)]";

    assertThat(load(yaml).warnings())
        .singleElement()
        .asString()
        .startsWith(
            folder.resolve("x.yaml")
                + ":1: rho: 0.6 x the mean of service exponential(mean=2), 2.00000 units, is a load"
                + " of 1.20000: ");
  }

  @Test
  void unitsOfTimeAreRead() throws IOException {
    assertThat(load("unit: [50us, 1.5ms, 2s, 7ns]").cells())
        .extracting(CellPlan::unitNanos)
        .containsExactly(50_000L, 1_500_000L, 2_000_000_000L, 7L);
  }

  @Test
  void backendsAndClientsAreAsTheyAreToldToBe() throws IOException {
    Experiment experiment =
        load("discipline: [lifo, ps]\nservers: 4\nqueue: [none, 9]\ntimeout: 2.5\nrho: 1.5");

    assertThat(experiment.cells())
        .extracting(CellPlan::serving)
        .containsExactly(
            new Serving(new Queueing(Discipline.LIFO, 4, Queueing.UNBOUNDED), 25_000_000),
            new Serving(new Queueing(Discipline.LIFO, 4, 9), 25_000_000),
            new Serving(new Queueing(Discipline.PS, 4, Queueing.UNBOUNDED), 25_000_000),
            new Serving(new Queueing(Discipline.PS, 4, 9), 25_000_000));
    assertThat(experiment.cells().getFirst().arrivalsPerUnit()).isEqualTo(1.5 * 16 * 4);
    // Clients that give up have a steady state at every load.
    assertThat(experiment.warnings()).isEmpty();
    assertThat(load(experiment.toYaml()))
        .usingRecursiveComparison()
        .ignoringFields("algorithms")
        .isEqualTo(experiment);
  }

  @Test
  void oneFifoServerWithoutLimitsIsTheDefault() throws IOException {
    assertThat(load("rho: 0.5").cells().getFirst().serving()).isEqualTo(Serving.PLAIN);
  }

  @Test
  void writtenExperimentLoadsAsTheSame() throws IOException {
    Path herd = Path.of("../experiments/herd.yaml");
    Experiment experiment =
        Experiment.load(
            Optional.of(herd),
            List.of("seeds=0,2", "speeds=1", "layout=processes", "priority=real-time"),
            Map.of());

    Experiment again = load(experiment.toYaml());

    assertThat(again).usingRecursiveComparison().ignoringFields("algorithms").isEqualTo(experiment);
  }

  @Test
  void writtenExperimentSaysHowItWasRun() throws IOException {
    assertThat(load("rho: 0.5").toYaml()).contains("layout: one-process\n", "priority: default\n");
    assertThat(RunOptions.of(load("layout: processes\npriority: real-time"), Optional.empty()))
        .isEqualTo(
            new RunOptions(
                Optional.empty(), RunOptions.Layout.PROCESSES, RunOptions.Priority.REAL_TIME));
  }

  @Test
  void fileOfSamplesIsFoundFromAnyFolder() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path samples = Files.writeString(folder.resolve("samples.txt"), "1\n2\n");
    Path relative = here.relativize(samples.toAbsolutePath());

    Experiment experiment = load("service: empirical(file=" + relative + ",mean=1)");

    String absolute = "empirical(file=" + here.resolve(relative) + ",mean=1)";
    assertThat(experiment.cells().getFirst().service()).isEqualTo(absolute);
    assertThat(experiment.toYaml()).contains("service: '" + absolute + "'");
  }

  @Test
  void defaultExperimentIsTheUnionOfTwoSweeps() {
    Experiment experiment =
        Experiment.load(Optional.of(Path.of("../experiments/herd.yaml")), List.of(), Map.of());

    assertThat(experiment.cells())
        .extracting(CellPlan::algorithm, CellPlan::proxies, CellPlan::view)
        .containsExactly(
            tuple("round-robin", 1, "local"),
            tuple("least-conn", 1, "local"),
            tuple("p2c", 1, "local"),
            tuple("round-robin", 16, "local"),
            tuple("least-conn", 16, "local"),
            tuple("p2c", 16, "local"),
            tuple("least-conn", 16, "shared-stale(refresh=4)"),
            tuple("p2c", 16, "shared-stale(refresh=4)"));
    assertThat(experiment.modelRequests()).isEqualTo(300_000);
  }

  @Test
  void componentSettingsBindThroughTheSameLoader() {
    Key<Integer> port = Key.one("port", ValueType.whole(0, 65_535), "0", "where to listen");
    Key<Long> idle = Key.one("idle-timeout", ValueType.duration(1), "30s", "idle connections");
    Key<String> peers = Key.list("peers", ValueType.text("a name"), Key.REQUIRED, "whom to ask");
    KeyTable table = KeyTable.of(port, idle, peers);
    Map<String, String> environment = Map.of("HERDLAB_IDLE_TIMEOUT", "5s");

    Settings settings =
        Settings.bind(table, Sources.read(Optional.empty(), List.of("peers=a,b"), environment));

    assertThat(settings.get(port)).isZero();
    assertThat(settings.get(idle)).isEqualTo(5_000_000_000L);
    assertThat(settings.list(peers)).containsExactly("a", "b");
    assertThatThrownBy(
            () -> Settings.bind(table, Sources.read(Optional.empty(), List.of(), Map.of())))
        .isInstanceOf(ConfigException.class)
        .hasMessage("peers: not given (expected: a name)");
  }
}
