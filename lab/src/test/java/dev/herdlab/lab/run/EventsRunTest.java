package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Events during a run on real sockets: 300 requests in some 94 units of 20 ms on 4 backends. What
/// was done is on record, so that every pick, every stamp of a backend and every request is
/// explained, however late things were.
@Timeout(120)
final class EventsRunTest {
  private static final String MEMBERS =
      "at=0 backend=b1 member=leave,at=30 backend=b1 member=join,at=40 backend=b3 member=leave,"
          + "at=55 backend=b0 weight=3,at=60 backend=b3 member=join,at=70 proxies=restart";
  private static final String SPEEDS =
      "at=20 backend=b0 speed=0.5,at=21 backend=b1 speed=3,at=22.5 backend=b0 speed=0.7,"
          + "at=60 backend=b0 speed=1";

  @TempDir private Path folder;

  private CellResult run(RunOptions.Layout layout, String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of("unit=20ms", "burn-in=1s", "proxies=2"));
    all.addAll(List.of(sets));
    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, all.toArray(String[]::new)),
            Live.options(folder.resolve("out"), layout),
            new Heard());
    CellResult cell = document.cells().getFirst();
    assertThat(RunDocument.fromJson(document.toJson()).toJson()).isEqualTo(document.toJson());
    assertThat(cell.plan().events().isEmpty()).isFalse();
    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    List<String> reasons = new ArrayList<>(comparison.verdict().reasons());
    reasons.removeIf(Live::isOfTheMachine);
    assertThat(reasons).isEmpty();
    assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(300, 0));
    long failed =
        comparison.accounting().failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(comparison.accounting().completed()).isEqualTo(300 - failed);
    return cell;
  }

  /// Nine of ten requests come within half a unit (10 ms) of their replay, where the machine let
  /// the instrument work.
  private static void assertReplayed(CellResult.Comparison comparison) {
    if (comparison.verdict().valid()) {
      assertThat(comparison.excess().p50()).isBetween(-0.1, 0.5);
      assertThat(comparison.measured().p95() - comparison.replay().p95()).isBetween(-0.5, 0.5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "smooth-weighted-round-robin, local",
    "p2c, 'shared-stale(refresh=2,own=true)'",
    "ring-hash, 'shared-stale(refresh=3,phase=random)'"
  })
  void membersWeightsAndRestartsAreAuditedToThePick(String algorithm, String view)
      throws Exception {
    CellResult.Comparison comparison =
        run(
                RunOptions.Layout.ONE_PROCESS,
                "tenants=uniform(n=50)",
                "algorithm=" + algorithm,
                "view=" + view,
                "events=" + MEMBERS)
            .comparison()
            .orElseThrow();

    assertThat(comparison.accounting().failed()).isEmpty();
    assertReplayed(comparison);
  }

  /// Round-robin flips no coins and looks at no load: the twin, told of the instants, makes the
  /// same picks.
  @ParameterizedTest
  @EnumSource(RunOptions.Layout.class)
  void theTwinOfRoundRobinMakesTheSamePicks(RunOptions.Layout layout) throws Exception {
    CellResult.Comparison comparison =
        run(layout, "algorithm=round-robin", "events=" + MEMBERS + "," + SPEEDS)
            .comparison()
            .orElseThrow();

    List<String> kept = Files.readAllLines(folder.resolve("out/events.csv"));
    assertThat(kept).hasSize(11).startsWith("cell,planned_ns,since_ns,event");
    String[] restart = kept.getLast().split(",", -1);
    assertThat(restart).hasSize(4).startsWith("1", "1400000000").endsWith("proxies=restart");
    assertThat(Long.parseLong(restart[2])).as("never early").isGreaterThanOrEqualTo(1_400_000_000);
    assertThat(comparison.twin().hasCoins()).isFalse();
    assertThat(comparison.twin().agrees()).isTrue();
    assertReplayed(comparison);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "ps"})
  void otherSpeedsAreServedToTheNanosecond(String discipline) throws Exception {
    assertReplayed(
        run(
                RunOptions.Layout.ONE_PROCESS,
                "discipline=" + discipline,
                "algorithm=random",
                "events=" + SPEEDS)
            .comparison()
            .orElseThrow());
  }

  /// Each for 20 of 94 units, at one of four backends: some 16 requests.
  @ParameterizedTest
  @CsvSource({"refuse, PROCESSES", "close, ONE_PROCESS", "status=503, ONE_PROCESS"})
  void faultsFailRequestsInBothWorlds(String fault, RunOptions.Layout layout) throws Exception {
    CellResult cell =
        run(
            layout,
            "algorithm=round-robin",
            "events=at=30 backend=b2 fault=" + fault + ",at=50 backend=b2 fault=none");

    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    long failed =
        comparison.accounting().failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(failed).isBetween(8L, 30L);
    assertThat(cell.plan().events().failures())
        .containsAll(comparison.accounting().failed().keySet());
    assertThat(comparison.twin().failed().orElseThrow().mean()).isBetween(8 / 300.0, 30 / 300.0);
    Set<String> inTheModel = cell.model().orElseThrow().failed().keySet();
    assertThat(inTheModel)
        .containsExactly(
            switch (fault) {
              case "refuse" -> "connect-failed";
              case "close" -> "backend-closed";
              default -> "error-status";
            });
    assertReplayed(comparison);
  }

  /// Who waits, waits until it works again, and is served in the order of arrival.
  @ParameterizedTest
  @EnumSource(RunOptions.Layout.class)
  void oneThatHangsServesThemLater(RunOptions.Layout layout) throws Exception {
    CellResult.Comparison comparison =
        run(
                layout,
                "algorithm=round-robin",
                "rho=0.5",
                "events=at=30 backend=b2 fault=hang,at=60 backend=b2 fault=none")
            .comparison()
            .orElseThrow();

    assertThat(comparison.accounting().failed()).isEmpty();
    assertThat(comparison.measured().p99()).isGreaterThan(8);
    assertReplayed(comparison);
  }

  @Test
  void clientsOfOneThatHangsGiveUp() throws Exception {
    CellResult.Comparison comparison =
        run(
                RunOptions.Layout.ONE_PROCESS,
                "algorithm=round-robin",
                "rho=0.5",
                "timeout=10",
                "events=at=30 backend=b2 fault=hang,at=100 backend=b2 fault=none")
            .comparison()
            .orElseThrow();

    assertThat(comparison.accounting().failed()).containsOnlyKeys("deadline-exceeded");
    assertThat(comparison.accounting().failed().get("deadline-exceeded")).isBetween(20L, 60L);
    assertReplayed(comparison);
  }
}
