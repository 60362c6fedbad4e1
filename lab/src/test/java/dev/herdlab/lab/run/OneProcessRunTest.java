package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Experiments on real sockets, everything in this process.
@Timeout(60)
final class OneProcessRunTest {
  private static final RunOptions.Layout ONE = RunOptions.Layout.ONE_PROCESS;

  @TempDir private Path folder;

  private RunDocument run(Experiment experiment, Path out) {
    return LiveRun.run(experiment, Live.options(out, ONE), new Heard());
  }

  @Test
  void measuresComparesAndKeepsEveryCell() throws Exception {
    Path out = folder.resolve("out");
    Experiment experiment =
        Live.experiment(
            folder, "proxies=4", "algorithm=least-conn", "view=local,shared-stale(refresh=2)");

    RunDocument document = run(experiment, out);

    assertThat(document.cells()).hasSize(2);
    Live.assertSound(document);
    assertThat(document.environment()).containsKeys("jvm", "os", "cores", "commit");
    String summary = Files.readString(out.resolve("summary.json"));
    assertThat(summary).isEqualTo(document.toJson());
    assertThat(schemaErrors(summary)).isEmpty();
    for (int cell = 1; cell <= 2; cell++) {
      Path requests = out.resolve("requests.csv.gz");
      assertThat(RunLog.read(requests, cell).entries()).hasSize(300).allMatch(RunLog.Entry::ok);
      assertThat(Trace.read(requests, cell).sha256())
          .isEqualTo(document.cells().get(cell - 1).traceSha256());
      assertThat(histogramCounts(out.resolve("latency-" + cell + ".hlog"))).isEqualTo(2 * 300);
    }
  }

  private static Set<ValidationMessage> schemaErrors(String summary) throws IOException {
    String schema = Files.readString(Path.of("..", "docs", "schema", "run.schema.json"));
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(schema)
        .validate(new ObjectMapper().readTree(summary));
  }

  /// Values in all histograms of a log: latency and send lag.
  private static long histogramCounts(Path log) throws IOException {
    long count = 0;
    try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
      for (EncodableHistogram histogram = reader.nextIntervalHistogram();
          histogram != null;
          histogram = reader.nextIntervalHistogram()) {
        count += ((Histogram) histogram).getTotalCount();
      }
    }
    return count;
  }

  @Test
  void isRepeatedFromItsFolderWithTheSameRequests() throws Exception {
    Path out = folder.resolve("out");
    RunDocument first = run(Live.experiment(folder, "proxies=2", "algorithm=p2c", "seeds=7"), out);

    Experiment again =
        Experiment.load(Optional.of(out.resolve("experiment.yaml")), List.of(), Map.of());
    RunDocument second = run(again, folder.resolve("again"));

    assertThat(second.cells()).hasSize(1);
    assertThat(second.cells().getFirst().plan()).isEqualTo(first.cells().getFirst().plan());
    assertThat(second.cells().getFirst().traceSha256())
        .isEqualTo(first.cells().getFirst().traceSha256());
  }

  @Test
  void replaysTheRequestsOfACellOfAnEarlierRun() throws Exception {
    Path out = folder.resolve("out");
    RunDocument first = run(Live.experiment(folder, "seeds=7,8", "proxies=2"), out);

    Experiment replaying =
        Live.experiment(
            folder,
            "trace=" + out.resolve("requests.csv.gz") + "#2",
            "proxies=3", // the third gets no request
            "algorithm=least-conn");
    RunDocument second = run(replaying, folder.resolve("again"));

    Cell cell = Cell.of(replaying.cells().getFirst(), replaying.algorithms());
    assertThat(replaying.trace(cell).proxies()).isEqualTo(3);
    Live.assertSound(second);
    assertThat(second.cells().getFirst().traceSha256())
        .isEqualTo(first.cells().get(1).traceSha256())
        .isNotEqualTo(first.cells().get(0).traceSha256());
  }

  @Test
  void runsAnAlgorithmOfTheUsers() throws Exception {
    Path jar = pluginJar();

    RunDocument document =
        run(
            Live.experiment(folder, "proxies=2", "algorithm=threshold", "plugins=" + jar),
            folder.resolve("out"));

    Live.assertSound(document);
    assertThat(document.cells().getFirst().plan().algorithm()).isEqualTo("threshold");
  }

  /// The jar of `examples/plugin`.
  private Path pluginJar() throws Exception {
    Path example = Path.of("..", "examples", "plugin");
    Path classes = folder.resolve("classes");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this Java has no compiler");
    String source = example.resolve("src/example/Threshold.java").toString();
    String classPath = System.getProperty("java.class.path");
    assertThat(compiler.run(null, null, null, "-cp", classPath, "-d", classes.toString(), source))
        .isZero();
    Path jar = folder.resolve("threshold.jar");
    String service = "META-INF/services/dev.herdlab.balancer.Algorithm";
    Files.createDirectories(classes.resolve(service).getParent());
    Files.copy(example.resolve(service), classes.resolve(service));
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  @Test
  void realTimePriorityIsSaidInTheResultOrRefusedInOneLine() throws Exception {
    Experiment experiment = Live.experiment(folder, "model-requests=0");
    RunOptions options =
        new RunOptions(Optional.of(folder.resolve("out")), ONE, RunOptions.Priority.REAL_TIME);
    try {
      RunDocument document = LiveRun.run(experiment, options, new Heard());

      assertThat(document.cells().getFirst().comparison().orElseThrow().instrument().scheduling())
          .contains("real-time");
    } catch (ConfigException refused) {
      assertThat(refused).message().contains("real-time").doesNotContain("\n");
      assertThat(folder.resolve("out")).doesNotExist();
    }
  }

  @Test
  void folderThatCannotBeMadeIsRefusedBeforeAnythingIsMeasured() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    // A burn-in that long would run into the test's bound.
    Experiment experiment = Live.experiment(folder, "burn-in=1000s");

    assertThatThrownBy(() -> run(experiment, file.resolve("out")))
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith(file.resolve("out") + ": ")
        .endsWith("(expected: a folder to write results to)")
        .hasLineCount(1);
  }

  @Test
  void folderOfTheTraceIsRefusedSinceItsRequestsWouldBeReplaced() throws Exception {
    Path out = folder.resolve("out");
    run(Live.experiment(folder, "proxies=2", "model-requests=0"), out);
    Path requests = out.resolve("requests.csv.gz");
    byte[] before = Files.readAllBytes(requests);
    Experiment replaying = Live.experiment(folder, "trace=" + requests, "proxies=2");

    assertThatThrownBy(() -> run(replaying, out.resolve(".")))
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith("--out: ")
        .endsWith("(expected: another folder than that of the trace, " + requests + ")");
    assertThat(requests).hasBinaryContent(before);
    assertThat(out.resolve("summary.json")).exists();
  }

  @Test
  void unitThatIsTooShortForSocketsIsNotValid() throws Exception {
    RunDocument document =
        run(
            Live.experiment(folder, "unit=50us", "algorithm=p2c", "model-requests=0"),
            folder.resolve("out"));

    assertThat(document.cells().getFirst().verdict().orElseThrow().reasons())
        .anyMatch(reason -> reason.startsWith("The send lag's p99 is "));
  }

  @Test
  void taskThatFailsOnTheLoopIsAReason() throws Exception {
    Cell cell = Live.cell(folder, "proxies=2", "algorithm=p2c");
    Trace trace = cell.trace();
    OneProcess.Sabotage throwsOnce =
        (loop, backends, proxies) -> {
          var _ =
              loop.at(
                  loop.nanos(),
                  () -> {
                    throw new IllegalStateException("of the test");
                  });
        };
    Observation seen;
    try (Testbed testbed = OneProcess.open(Scheduling.DEFAULT, Deadlines.IDEAL, throwsOnce)) {
      seen = testbed.measure(cell, trace, Progress.NONE);
    }

    assertThat(Analyses.of(cell, trace, seen).verdict().reasons())
        .contains(
            "A task of a loop failed: java.lang.IllegalStateException: of the test (bound: none).");
  }

  @Test
  void diskThatIsFullLaterLosesNothingThatIsReturned() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    Path out = Files.createDirectory(folder.resolve("out"));
    Files.createSymbolicLink(out.resolve("summary.json.new"), Path.of("/dev/full"));
    Heard heard = new Heard();

    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, "seeds=1,2", "model-requests=0"),
            Live.options(out, ONE),
            heard);

    assertThat(out.resolve("summary.json.new")).doesNotExist();
    assertThat(document.cells()).hasSize(2);
    assertThat(heard.notKept)
        .singleElement()
        .asString()
        .startsWith(out + ": results cannot be written any more: No space left on device")
        .hasLineCount(1);
    assertThat(RunLog.read(out.resolve("requests.csv.gz"), 2).entries()).hasSize(300);
  }

  @Test
  void stopKeepsTheCellsThatAreFinished() throws Exception {
    Path out = folder.resolve("out");
    Heard heard = new Heard();
    Experiment experiment = Live.experiment(folder, "seeds=1,2,3", "model-requests=0");
    Thread stopper = Thread.ofPlatform().start(() -> stopOnceWritten(heard, out));

    RunDocument document = LiveRun.run(experiment, Live.options(out, ONE), heard);

    stopper.join();
    assertThat(document.cells()).hasSizeBetween(1, 2);
    assertThat(heard.notes)
        .last()
        .isEqualTo("stopped after " + document.cells().size() + " of 3 cells, which are kept");
    assertThat(Files.readString(out.resolve("summary.json"))).isEqualTo(document.toJson());
    assertThat(RunLog.read(out.resolve("requests.csv.gz"), 1).entries()).hasSize(300);
  }

  /// Stops the run when its first cell is in the folder; gives up after a while.
  private static void stopOnceWritten(Heard heard, Path out) {
    long since = System.nanoTime();
    while (!Files.exists(out.resolve("summary.json"))
        && System.nanoTime() - since < TimeUnit.SECONDS.toNanos(30)) {
      LockSupport.parkNanos(1_000_000);
    }
    heard.stop();
  }

  @Test
  void stopBeforeTheFirstCellEndsAtOnce() throws Exception {
    Heard heard = new Heard();
    heard.stop();
    Experiment experiment = Live.experiment(folder, "requests=100000", "burn-in=1000s");

    RunDocument document = LiveRun.run(experiment, Live.options(folder.resolve("out"), ONE), heard);

    assertThat(document.cells()).isEmpty();
    assertThat(heard.notes).containsExactly("stopped after 0 of 1 cells, which are kept");
  }

  @Test
  void requestsThatDieWithTheirBackendAreCountedByCauseAndTheRunIsNotValid() throws Exception {
    Cell cell = Live.cell(folder, "proxies=2", "algorithm=p2c");
    Trace trace = cell.trace();
    OneProcess.Sabotage killsOne =
        (loop, backends, proxies) -> {
          var _ =
              loop.at(
                  loop.nanos() + trace.lastIntendedNanos() / 2 + 100_000_000,
                  () -> backends.kill(1));
        };
    Observation seen;
    try (Testbed testbed = OneProcess.open(Scheduling.DEFAULT, Deadlines.IDEAL, killsOne)) {
      seen = testbed.measure(cell, trace, Progress.NONE);
    }

    CellResult.Comparison comparison = Analyses.of(cell, trace, seen);
    long failed =
        comparison.accounting().failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(comparison.accounting().failed().keySet())
        .isSubsetOf("connect-failed", "backend-closed")
        .isNotEmpty();
    assertThat(comparison.accounting().completed() + failed).isEqualTo(300);
    assertThat(comparison.verdict().reasons())
        .contains(
            failed + " requests failed: " + comparison.accounting().failed() + " (bound: 0).");
    assertThat(seen.readings().inFlight()).isZero();
    assertThat(comparison.audit().different()).isZero();
  }
}
