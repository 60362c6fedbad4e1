package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.conduct.Conduct;
import dev.herdlab.lab.conduct.ConductKeys;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two phases on a running system, from the first look to the folder with the results.
@Timeout(180)
final class ConductTest {
  private static final String TWO_PHASES =
      """
      name: short
      layout: processes
      phase: 5s
      unit: 20ms
      warmup: 10%
      burn-in: 0s
      cells:
        - algorithm: round-robin
          view: local
        - algorithm: least-conn
          view: shared-stale(refresh=4)
      twin-seeds: 20
      model-requests: 2000
      model-seeds: 2
      attempts: 1
      """;

  private final List<String> notes = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void switchesBetweenPhasesWithoutLosingARequestAndExplainsEveryPick() throws Exception {
    try (Running stubs = Running.backend("backends=4", "unit=20ms");
        Running proxies = Running.proxy("instances=2", "backends=" + named(stubs.data()));
        Running generator = Running.generator("proxies=127.0.0.1:1");
        Running another = Running.generator("proxies=127.0.0.1:1")) {
      RunDocument document =
          conduct(
              "fleet-proxies=" + proxies.adminPlace(),
              "fleet-backends=" + stubs.adminPlace(),
              "fleet-generators=" + generator.adminPlace() + "," + another.adminPlace());

      assertThat(document.cells())
          .extracting(cell -> cell.plan().algorithm() + " " + cell.plan().view())
          .containsExactly("round-robin local", "least-conn shared-stale(refresh=4)");
      for (CellResult cell : document.cells()) {
        CellResult.Comparison comparison = cell.comparison().orElseThrow();
        long sent = comparison.accounting().sent();
        // 0.8 x 4 requests a unit for 250 units; five standard deviations are 141.
        assertThat(sent).isBetween(800L - 141, 800L + 141);
        assertThat(comparison.accounting())
            .isEqualTo(new CellResult.Accounting(sent, sent, Map.of()));
        // A switch is a little late, and so are requests: some of this phase the balancer before
        // picked, and some of the phase before this one did.
        assertThat(comparison.audit().picks()).isBetween(sent - sent / 20, sent + sent / 20);
        assertThat(comparison.audit().different()).isZero();
        assertThat(comparison.replay().p50()).isPositive();
      }
      assertThat(proxies.state().path("algorithm").asText()).isEqualTo("least-conn");
      assertThat(proxies.state().path("in_flight").asInt()).isZero();
      assertThat(notes).filteredOn(note -> note.startsWith("phase ")).hasSize(2);
      try (var kept = Files.walk(folder.resolve("out"))) {
        assertThat(kept).anyMatch(path -> path.endsWith("summary.json"));
      }
    }
  }

  private RunDocument conduct(String... places) throws Exception {
    Path file = Files.writeString(folder.resolve("short.yaml"), TWO_PHASES);
    List<String> sets = new ArrayList<>(List.of("cycles=1", "page=none"));
    sets.addAll(List.of(places));
    Sources sources = Sources.read(Optional.of(file), sets, Map.of());
    return Conduct.conduct(
        Experiment.load(sources, ConductKeys.ALL),
        Settings.bindBeside(ConductKeys.ALL, sources),
        Optional.of(folder.resolve("out")),
        listener(),
        line -> {});
  }

  private static String named(String places) {
    List<String> named = new ArrayList<>();
    for (String place : places.split(",", -1)) {
      named.add("b" + named.size() + "=" + place);
    }
    return String.join(",", named);
  }

  private RunListener listener() {
    return new RunListener() {
      @Override
      public void progress(double done, String what) {}

      @Override
      public void note(String line) {
        notes.add(line);
      }

      @Override
      public void notKept(String line) {
        throw new AssertionError(line);
      }

      @Override
      public boolean stopRequested() {
        return false;
      }

      @Override
      public void onStop(Runnable action) {}
    };
  }
}
