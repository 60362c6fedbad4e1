package dev.herdlab.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CommandsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"run", "study", "algorithms", "report", "selftest", "proxy", "backend", "loadgen"})
  void everyCommandHasHelp(String command) {
    Program program = Program.run(command, "--help");

    assertThat(program.exitCode()).isZero();
    assertThat(program.err()).isEmpty();
    assertThat(program.out()).contains("Usage: herdlab " + command, "--help");
    assertThat(program.out().lines())
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(120));
  }

  @Test
  void helpOfRunNamesEveryKeyAndItsDefault() {
    assertThat(Program.run("run", "--help").out())
        .contains("rho ", "(default: 0.8)", "twin-seeds", "(default: 10%)");
  }

  @Test
  void sameModelRunGivesTheSameBytes() {
    String[] arguments = {"run", "--model", "--format", "json", "--set", "requests=400"};

    assertThat(Program.run(arguments).out()).isEqualTo(Program.run(arguments).out());
  }

  @Test
  void modelRunIsRepeatedFromItsFolder() {
    String out = folder.resolve("run").toString();
    Program first =
        Program.run(
            "run",
            "--model",
            "--format",
            "json",
            "--out",
            out,
            "--set",
            "requests=400",
            "--set",
            "seeds=3,5");

    Program again = Program.run("run", out, "--model", "--format", "json");

    assertThat(again.exitCode()).isZero();
    assertThat(again.out()).isEqualTo(first.out());
  }

  @Test
  void modelRunHasAReport() {
    String out = folder.resolve("run").toString();
    Program.run("run", "--model", "--out", out, "--set", "requests=400");

    Program report = Program.run("report", out);

    assertThat(report.exitCode()).isZero();
    assertThat(report.out().strip()).isEqualTo(Path.of(out, "report.html").toString());
    assertThat(Path.of(out, "report.html")).exists();
  }

  @Test
  void overloadIsWarnedOfOnStderrAndRuns() {
    Program program = Program.run("run", "--model", "--set", "rho=1.2", "--set", "requests=400");

    assertThat(program.exitCode()).isZero();
    assertThat(program.err())
        .isEqualToIgnoringNewLines(
            "herdlab: warning: --set rho: 1.2 x the mean of service lognormal(mu=-0.36,sigma=0.85),"
                + " 1.00125 units, is a load of 1.20150: no steady state exists, latency grows as"
                + " long as it runs");
  }

  @Test
  void traceMustFitItsCells() throws IOException {
    Path trace = folder.resolve("trace.csv");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(trace))) {
      out.write(
          "i,intended_ns,proxy,service_ns\n0,10,0,5\n1,20,1,5\n"
              .getBytes(StandardCharsets.US_ASCII));
    }
    String set = "trace=" + trace;

    Program refused = Program.run("run", "--model", "--set", set);
    Program taken =
        Program.run(
            "run",
            "--model",
            "--set",
            set,
            "--set",
            "requests=2",
            "--set",
            "proxies=2",
            "--set",
            "warmup=0",
            "--set",
            "view=local",
            "--set",
            "algorithm=p2c");

    assertThat(refused.err())
        .isEqualToIgnoringNewLines(
            "herdlab: --set trace: "
                + trace
                + " (expected: requests: 2 and proxies: 2 or more beside it, as in the trace, not"
                + " 5000 and 1)");
    assertThat(taken.exitCode()).isZero();
  }

  @Test
  void traceOfAnotherUnitIsWarnedOf() throws IOException {
    Path trace = folder.resolve("trace.csv.gz");
    Trace.of(1, new long[] {10, 20}, new int[2], new long[] {1_000_000, 1_000_000}).write(trace);
    String[] arguments = {
      "run",
      "--model",
      "--set",
      "trace=" + trace,
      "--set",
      "requests=2",
      "--set",
      "warmup=0",
      "--set",
      "view=local",
      "--set",
      "algorithm=p2c",
      "--set",
      "proxies=3"
    };

    Program warned = Program.run(arguments);
    Program fitting = Program.run(Map.of("HERDLAB_UNIT", "1ms"), arguments);

    assertThat(warned.exitCode()).isZero();
    assertThat(warned.err())
        .isEqualToIgnoringNewLines(
            "herdlab: warning: --set trace: "
                + trace
                + ": its mean service time is 0.100 units of 10000000 ns (expected: about 1.00, as"
                + " the law says; is the unit the trace's?)");
    assertThat(fitting.err()).isEmpty();
  }

  @Test
  void traceNamesACellThatIsThere() throws IOException {
    Path trace = folder.resolve("requests.csv.gz");
    Files.copy(requestsOfTwoCells(), trace);

    assertThat(Program.run("run", "--model", "--set", "trace=" + trace + "#3").err())
        .isEqualToIgnoringNewLines(
            "herdlab: --set trace: trace " + trace + ":4: end of file (expected: lines of cell 3)");
    assertThat(Program.run("run", "--model", "--set", "trace=" + trace + "#0").err())
        .isEqualToIgnoringNewLines(
            "herdlab: --set trace: "
                + trace
                + "#0 (expected: the path of a file, e.g. requests.csv.gz or requests.csv.gz#2)");
  }

  private Path requestsOfTwoCells() throws IOException {
    Path file = folder.resolve("two.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(
          "i,intended_ns,proxy,service_ns,cell\n0,10,0,5,1\n0,20,1,5,2\n"
              .getBytes(StandardCharsets.US_ASCII));
    }
    return file;
  }

  @Test
  void modelResultsThatCannotBeWrittenArePrintedAllTheSame() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")));
    Path out = Files.createDirectory(folder.resolve("out"));
    Path summary = Files.createSymbolicLink(out.resolve("summary.json.new"), Path.of("/dev/full"));

    Program program =
        Program.run(
            "run", "--model", "--format", "json", "--out", out.toString(), "--set", "requests=400");

    Files.delete(summary);
    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(new ObjectMapper().readTree(program.out()).get("cells")).hasSize(8);
    assertThat(program.err())
        .isEqualToIgnoringNewLines(
            "herdlab: " + out + ": results not written: No space left on device");
  }

  @Test
  void modelRunLeavesNothingOfAnEarlierRun() throws IOException {
    Path out = Files.createDirectory(folder.resolve("out"));
    for (String old : List.of("requests.csv.gz", "latency-1.hlog", "report.html", "summary.json")) {
      Files.writeString(out.resolve(old), "old");
    }

    Program program =
        Program.run("run", "--model", "--out", out.toString(), "--set", "requests=400");

    assertThat(program.exitCode()).isZero();
    try (var files = Files.list(out)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("experiment.yaml", "summary.json");
    }
  }

  @Test
  void modelRunDoesNotRemoveTheTraceThatItReplays() throws IOException {
    Path trace = folder.resolve("requests.csv.gz");
    Files.copy(requestsOfTwoCells(), trace);
    Program program =
        Program.run(
            "run",
            "--model",
            "--out",
            folder.toString(),
            "--set",
            "trace=" + trace,
            "--set",
            "requests=1",
            "--set",
            "warmup=0",
            "--set",
            "proxies=2");

    assertThat(program.err())
        .contains(
            "herdlab: --out "
                + folder
                + ": its requests.csv.gz is the trace (expected: another folder)");
    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(trace).exists();
  }

  @Test
  void modelRunKeepsEachCellWhenItIsDone() {
    Path summary = folder.resolve("out").resolve("summary.json");
    List<Boolean> kept = new ArrayList<>();
    Experiment experiment =
        Experiment.load(Optional.empty(), List.of("requests=400", "proxies=1,2"), Map.of());
    RunListener listener =
        new RunListener() {
          @Override
          public void progress(double done, String what) {
            kept.add(Files.exists(summary));
          }

          @Override
          public void note(String line) {}

          @Override
          public void notKept(String line) {}

          @Override
          public boolean stopRequested() {
            return false;
          }

          @Override
          public void onStop(Runnable action) {}
        };

    ModelCells.run(experiment, Optional.of(summary.getParent()), listener);

    assertThat(kept).containsExactly(false, true);
  }

  @Test
  void componentWarnsOfAVariableThatIsAlmostAKey() {
    StringWriter err = new StringWriter();
    Host host =
        new Host(Map.of("HERDLAB_PORT", "1"), Program.HOME, Host.Device.OTHER, Host.Device.OTHER);
    CommandLine backend =
        ComponentCommand.create(ComponentCommand.Kind.BACKEND, host, InputStream.nullInputStream());
    backend.setOut(new PrintWriter(new StringWriter()));
    backend.setErr(new PrintWriter(err, true));

    int exitCode = backend.execute("--set", "until=stdin", "--set", "backends=1");

    assertThat(exitCode).isZero();
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "herdlab: warning: environment HERDLAB_PORT: ignored (expected: perhaps"
                + " HERDLAB_PORTS)");
  }

  @Test
  void studyAsCsvHasAHeadingAndARowForEachRun() {
    Program program =
        Program.run(
            "study",
            "herd",
            "--format",
            "csv",
            "--set",
            "requests=500",
            "--set",
            "warmup=10",
            "--set",
            "seeds=0..2",
            "--set",
            "proxies=1",
            "--set",
            "algorithm=p2c(d=2,ties=first)");

    assertThat(program.out().lines()).hasSize(4);
    assertThat(program.out())
        .startsWith("algorithm,proxies,")
        .contains("\"p2c(d=2,ties=first)\",1,");
  }

  @Test
  void algorithmsAsTextNameDefaults() throws IOException {
    assertThat(Program.run("algorithms").out())
        .contains(
            "\np2c\n  Draws d", "draws=", "replacement)", "cost:   O(d)", "state:  ", "source: ");
    assertThat(
            new ObjectMapper()
                .readTree(Program.run("algorithms", "--format", "json").out())
                .get("format")
                .asText())
        .isEqualTo("herdlab.algorithms/1");
  }

  @Test
  void progressBarComesOnlyAfterTwoSecondsAndOnlyOnATerminal() {
    AtomicLong clock = new AtomicLong();
    StringWriter err = new StringWriter();
    PrintWriter printer = new PrintWriter(err);
    ProgressBar file = new ProgressBar(printer, Host.Device.OTHER, clock::get);
    ProgressBar bar = new ProgressBar(printer, Host.Device.TERMINAL, clock::get);

    clock.set(1_900_000_000L);
    bar.update(0.3, "cell 1");
    clock.set(2_100_000_000L);
    file.update(0.5, "cell 1");
    assertThat(err.toString()).isEmpty();

    bar.update(0.5, "cell 1");
    assertThat(err.toString()).isEqualTo("\r\u001b[K[###############...............]  50 % cell 1");
    bar.close();
    assertThat(err.toString()).endsWith("\r\u001b[K");
  }
}
