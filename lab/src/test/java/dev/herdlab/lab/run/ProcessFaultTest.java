package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the program does when it is stopped, when its processes die, and when the disk is full: as
/// a process of its own, by real signals.
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class ProcessFaultTest {
  @TempDir private Path folder;

  /// `run` of cells of half a second each, with JSON on stdout and results in `out`.
  private LabProcess run(String shell, String... arguments) throws IOException {
    Path file = folder.resolve("x.yaml");
    Files.writeString(
        file,
        """
        unit: 5ms
        backends: 4
        requests: 300
        warmup: 30
        burn-in: 0s
        attempts: 1
        model-requests: 0
        """);
    List<String> all = new ArrayList<>(List.of("run", file.toString(), "--format", "json"));
    all.addAll(List.of("--out", out().toString()));
    all.addAll(List.of(arguments));
    return LabProcess.start(folder, shell, all);
  }

  private Path out() {
    return folder.resolve("out");
  }

  private boolean isWritten(String file) {
    return Files.exists(out().resolve(file));
  }

  private static void assertGone(List<ProcessHandle> children) throws Exception {
    for (ProcessHandle child : children) {
      assertThat(child.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void signalKeepsAndPrintsTheFinishedCells(String signal) throws Exception {
    try (LabProcess lab = run("", "--set", "seeds=0..50")) {
      lab.await("a cell", () -> isWritten("summary.json"));

      lab.signal(signal);

      assertThat(lab.exitCode()).isEqualTo(signal.equals("INT") ? 130 : 143);
      RunDocument printed = RunDocument.fromJson(lab.out());
      int finished = printed.cells().size();
      assertThat(finished).isBetween(1, 50);
      assertThat(lab.err())
          .contains("herdlab: stopped after " + finished + " of 51 cells, which are kept");
      assertThat(Files.readString(out().resolve("summary.json"))).isEqualTo(lab.out());
      assertThat(RunLog.read(out().resolve("requests.csv.gz"), finished).entries()).hasSize(300);
    }
  }

  @Test
  void signalEndsTheProcessesOfComponentsToo() throws Exception {
    try (LabProcess lab = run("", "--processes", "--set", "requests=100000")) {
      lab.await("the settling run", () -> lab.components() == 3);
      List<ProcessHandle> children = lab.children();

      lab.signal("INT");

      assertThat(lab.exitCode()).isEqualTo(130);
      assertGone(children);
      assertThat(RunDocument.fromJson(lab.out()).cells()).isEmpty();
      assertThat(lab.err()).contains("stopped after 0 of 1 cells").doesNotContain("Exception");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backend", "proxy", "loadgen"})
  void signalEndsTheProcessesThatHangToo(String component) throws Exception {
    try (LabProcess lab = run("", "--processes", "--set", "requests=100000")) {
      lab.await("the components", () -> lab.components() == 3);
      List<ProcessHandle> children = lab.children();
      LabProcess.kill("STOP", lab.child(component));

      long since = System.nanoTime();
      lab.signal("INT");

      assertThat(lab.exitCode()).isEqualTo(130);
      assertThat(System.nanoTime() - since).isLessThan(TimeUnit.SECONDS.toNanos(30));
      assertGone(children);
      assertThat(lab.err()).contains("stopped after 0 of 1 cells").doesNotContain("Exception");
    }
  }

  /// A terminal sends Ctrl-C to all processes in the foreground.
  @Test
  void signalToAllProcessesAtOnceIsNoErrorEither() throws Exception {
    try (LabProcess lab = run("", "--processes", "--set", "requests=100000")) {
      lab.await("the components", () -> lab.components() == 3);
      List<ProcessHandle> children = lab.children();

      lab.signal("INT");
      for (ProcessHandle child : children) {
        LabProcess.kill("INT", child);
      }

      assertThat(lab.exitCode()).isEqualTo(130);
      assertGone(children);
      assertThat(lab.err()).contains("stopped after 0 of 1 cells").doesNotContain("Exception");
    }
  }

  @Test
  void componentsEndWithALabThatIsKilled() throws Exception {
    try (LabProcess lab = run("", "--processes", "--set", "requests=100000")) {
      lab.await("the components", () -> lab.components() == 3);
      List<ProcessHandle> children = lab.children();

      lab.signal("KILL");

      assertThat(lab.exitCode()).isEqualTo(137);
      assertGone(children);
    }
  }

  /// In this very process, whose children the components are then: the lab tells how far it is.
  @Test
  void requestsOfAKilledBackendProcessAreCountedAndTheNextAttemptHasANewOne() throws Exception {
    AtomicBoolean killed = new AtomicBoolean();
    Heard heard =
        new Heard() {
          @Override
          public void progress(double done, String what) {
            // Nothing is heard of the settling run before it.
            if (done > 0.1 && killed.compareAndSet(false, true)) {
              LabProcess.child(ProcessHandle.current(), "backend").destroyForcibly();
            }
          }
        };

    RunDocument document =
        LiveRun.run(
            Live.experiment(folder, "requests=1500", "attempts=2", "model-requests=0"),
            Live.options(out(), RunOptions.Layout.PROCESSES),
            heard);

    CellResult cell = document.cells().getFirst();
    assertThat(cell.tried()).hasSize(2);
    assertThat(cell.tried().getFirst().verdict().reasons())
        .anyMatch(
            reason ->
                reason.matches("[0-9]+ requests failed: .*")
                    && (reason.contains("connect-failed") || reason.contains("backend-closed")));
    assertThat(cell.comparison().orElseThrow().accounting().failed()).isEmpty();
    assertThat(heard.notes).anyMatch(note -> note.startsWith("cell 1, attempt 1 of at most 2"));
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy", "loadgen"})
  void attemptBreaksOffWhenAnotherProcessIsKilled(String component) throws Exception {
    try (LabProcess lab = run("", "--processes", "--set", "requests=100000")) {
      lab.await("the components", () -> lab.components() == 3);
      List<ProcessHandle> children = lab.children();

      LabProcess.kill("KILL", lab.child(component));

      assertThat(lab.exitCode()).isEqualTo(3);
      assertGone(children);
      String reason = "The attempt broke off: " + component + " process: ended with exit code 137";
      CellResult cell = RunDocument.fromJson(lab.out()).cells().getFirst();
      assertThat(cell.verdict().orElseThrow().reasons()).containsExactly(reason);
      assertThat(cell.comparison()).isEmpty();
      assertThat(lab.err())
          .isEqualToIgnoringNewLines(
              "herdlab: cell 1, attempt 1 of at most 1 is not valid: " + reason);
    }
  }

  @Test
  void fullDiskLosesNothingThatIsPrinted() throws Exception {
    // No file may grow beyond 32 KiB: the requests of two cells do not fit.
    try (LabProcess lab = run("trap '' XFSZ; ulimit -f 64", "--set", "seeds=0..2")) {
      int exitCode = lab.exitCode();

      assertThat(exitCode).as(lab.err()).isEqualTo(1);
      assertThat(RunDocument.fromJson(lab.out()).cells()).hasSize(3);
      assertThat(lab.err().lines().filter(line -> line.contains("results cannot be written")))
          .singleElement()
          .asString()
          .startsWith("herdlab: " + out() + ": results cannot be written any more: ");
      assertThat(RunLog.read(out().resolve("requests.csv.gz"), 1).entries()).hasSize(300);
    }
  }

  @Test
  void fullStdoutIsSaid() throws Exception {
    try (LabProcess lab = run("exec >/dev/full", "--model")) {
      assertThat(lab.exitCode()).isEqualTo(1);
      assertThat(lab.err())
          .isEqualToIgnoringNewLines(
              "herdlab: stdout: cannot be written to; the output is not complete");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backend", "proxy"})
  void portInUseIsSaidInOneLine(String component) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> arguments =
          new ArrayList<>(List.of(component, "--set", "ports=" + taken.getLocalPort()));
      arguments.addAll(
          component.equals("proxy")
              ? List.of("--set", "backends=127.0.0.1:1")
              : List.of("--set", "backends=1"));
      try (LabProcess lab = LabProcess.start(folder, "", arguments)) {
        assertThat(lab.exitCode()).isEqualTo(2);
        assertThat(lab.err())
            .startsWith("herdlab: " + component + " ")
            .contains("127.0.0.1:" + taken.getLocalPort() + ": ")
            .contains("in use")
            .hasLineCount(1);
        assertThat(lab.out()).isEmpty();
      }
    }
  }
}
