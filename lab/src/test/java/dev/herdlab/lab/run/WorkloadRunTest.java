package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests that come in bursts or as recorded, to proxies that are reached unevenly, on real
/// sockets: 300 requests on 4 backends.
@Timeout(120)
final class WorkloadRunTest {
  @TempDir private Path folder;

  private CellResult run(String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of("unit=20ms", "burn-in=1s", "algorithm=p2c"));
    all.addAll(List.of(sets));
    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, all.toArray(String[]::new)),
            Live.options(folder.resolve("out"), RunOptions.Layout.ONE_PROCESS),
            new Heard());
    CellResult cell = document.cells().getFirst();
    assertThat(RunDocument.fromJson(document.toJson()).toJson()).isEqualTo(document.toJson());
    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    List<String> reasons = new ArrayList<>(comparison.verdict().reasons());
    reasons.removeIf(Live::isOfTheMachine);
    assertThat(reasons).isEmpty();
    assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(300, 0));
    assertThat(comparison.accounting().completed()).isEqualTo(300);
    return cell;
  }

  @Test
  void burstsReachTheirProxiesOverStickyConnections() throws Exception {
    CellResult cell =
        run("proxies=4", "arrivals=bursty(busy=5,quiet=15)", "proxy-choice=sticky(connections=2)");

    assertThat(cell.plan().arrivals()).isEqualTo("bursty(busy=5,quiet=15)");
    assertThat(cell.plan().proxyChoice()).isEqualTo("sticky(connections=2)");
  }

  @Test
  void recordedArrivalsReachTheirProxiesByShares() throws Exception {
    Path gaps = Files.writeString(folder.resolve("gaps.txt"), "1\n1\n4\n");
    CellResult cell =
        run(
            "proxies=2",
            "arrivals=recorded(file=" + gaps + ")",
            "proxy-choice=weighted(shares=1+0)");

    assertThat(cell.plan().proxyChoice()).isEqualTo("weighted(shares=1+0)");
  }
}
