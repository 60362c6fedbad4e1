package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Backends that are more than a FIFO server, and clients that give up, on real sockets.
@Timeout(120)
final class ServingRunTest {
  @TempDir private Path folder;

  private CellResult run(RunOptions.Layout layout, String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of("unit=20ms", "burn-in=2s", "proxies=2"));
    all.addAll(List.of(sets));
    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, all.toArray(String[]::new)),
            Live.options(folder.resolve("out"), layout),
            new Heard());
    CellResult cell = document.cells().getFirst();
    assertThat(RunDocument.fromJson(document.toJson()).cells().getFirst().plan())
        .isEqualTo(cell.plan());
    assertThat(RunDocument.fromJson(document.toJson()).toJson()).isEqualTo(document.toJson());
    assertSound(cell.comparison().orElseThrow());
    return cell;
  }

  /// Every pick, every stamp of a backend and every request is explained, however late things were.
  private static void assertSound(CellResult.Comparison comparison) {
    List<String> reasons = new ArrayList<>(comparison.verdict().reasons());
    reasons.removeIf(Live::isOfTheMachine);
    assertThat(reasons).isEmpty();
    assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(300, 0));
    long failed =
        comparison.accounting().failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(comparison.accounting().completed()).isEqualTo(300 - failed);
    assertThat(comparison.accounting().sent()).isEqualTo(300);
  }

  /// Half of the requests come within half a unit (10 ms) of their replay, where the machine let
  /// the instrument work.
  private static void assertReplayed(CellResult.Comparison comparison) {
    if (comparison.verdict().valid()) {
      assertThat(comparison.excess().p50()).isBetween(-0.1, 0.5);
    }
  }

  @ParameterizedTest
  @CsvSource({"lifo, 1", "ps, 1", "fifo, 3", "lifo, 2", "ps, 2"})
  void backendsFollowTheirDisciplineToTheNanosecond(String discipline, int servers)
      throws Exception {
    CellResult.Comparison comparison =
        run(
                RunOptions.Layout.ONE_PROCESS,
                "discipline=" + discipline,
                "servers=" + servers,
                "algorithm=p2c")
            .comparison()
            .orElseThrow();

    assertThat(comparison.accounting().failed()).isEmpty();
    assertThat(comparison.twin().failed()).isEmpty();
    assertReplayed(comparison);
  }

  /// Far above the capacity some requests are shed for certain, in either world: n = 300, seed 0.
  @ParameterizedTest
  @EnumSource(RunOptions.Layout.class)
  void fullBackendsShedInBothWorlds(RunOptions.Layout layout) throws Exception {
    CellResult cell = run(layout, "rho=2", "queue=3", "algorithm=random");

    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    assertThat(comparison.accounting().failed()).containsOnlyKeys("shed");
    assertThat(comparison.twin().failed().orElseThrow().mean()).isBetween(0.3, 0.7);
    assertThat(cell.model().orElseThrow().failed()).containsOnlyKeys("shed");
    assertReplayed(comparison);
  }

  /// As above: more than the capacity, and clients with little patience.
  @ParameterizedTest
  @EnumSource(RunOptions.Layout.class)
  void impatientClientsGiveUpInBothWorlds(RunOptions.Layout layout) throws Exception {
    CellResult cell = run(layout, "rho=1.5", "timeout=6", "algorithm=random");

    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    assertThat(comparison.accounting().failed()).containsOnlyKeys("deadline-exceeded");
    assertThat(comparison.twin().failed().orElseThrow().mean()).isBetween(0.1, 0.7);
    assertThat(cell.model().orElseThrow().failed()).containsOnlyKeys("deadline-exceeded");
    assertReplayed(comparison);
  }

  /// A request that never ends keeps its server for six units and fails, in either world.
  @Test
  void requestsThatNeverEndAreGivenUpAndFreeTheirServers() throws Exception {
    CellResult cell =
        run(
            RunOptions.Layout.ONE_PROCESS,
            "service=exponential(never=0.1)",
            "rho=0.3",
            "timeout=6",
            "algorithm=round-robin");

    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    assertThat(comparison.accounting().failed()).containsOnlyKeys("deadline-exceeded");
    assertThat(comparison.accounting().failed().get("deadline-exceeded")).isGreaterThan(10);
    assertThat(cell.model().orElseThrow().failed()).containsOnlyKeys("deadline-exceeded");
    assertReplayed(comparison);
  }
}
