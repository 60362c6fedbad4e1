package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.workload.RunLog;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An experiment with a process for each component.
@Timeout(120)
final class ProcessesRunTest {
  @TempDir private Path folder;

  @Test
  void measuresWhatOneProcessMeasures() throws Exception {
    Path out = folder.resolve("out");

    RunDocument document =
        LiveRun.run(
            Live.experiment(
                folder,
                "proxies=2",
                "algorithm=p2c",
                "view=local,shared-stale(refresh=2)",
                "speeds=1,1,2,2"),
            Live.options(out, RunOptions.Layout.PROCESSES),
            new Heard());

    assertThat(document.cells()).hasSize(2);
    Live.assertSound(document);
    assertThat(document.cells().getFirst().comparison().orElseThrow().instrument().scheduling())
        .contains("a process for each component");
    assertThat(RunLog.read(out.resolve("requests.csv.gz"), 2).entries()).hasSize(300);
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void realTimePriorityIsGrantedOrRefusedInOneLine() throws Exception {
    RunOptions options =
        new RunOptions(
            Optional.of(folder.resolve("out")),
            RunOptions.Layout.PROCESSES,
            RunOptions.Priority.REAL_TIME);
    var experiment = Live.experiment(folder, "model-requests=0");
    try {
      assertThat(
              LiveRun.run(experiment, options, new Heard())
                  .cells()
                  .getFirst()
                  .comparison()
                  .orElseThrow()
                  .instrument()
                  .scheduling())
          .contains("real-time");
    } catch (ConfigException refused) {
      assertThat(refused).message().contains("real-time").hasLineCount(1);
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }
}
