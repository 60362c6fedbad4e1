package dev.herdlab.lab.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The program as a process of its own, as a shell starts it, with its output in files.
final class LabProcess implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(60);

  private final Process process;
  private final Path out;
  private final Path err;

  private LabProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /// Starts `herdlab` with these arguments; `shell` comes before, e.g. a limit, or is empty.
  static LabProcess start(Path folder, String shell, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    if (!shell.isEmpty()) {
      command.addAll(List.of("sh", "-c", shell + "; exec \"$@\"", "sh"));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.herdlab.lab.Main"));
    command.addAll(arguments);
    Path out = folder.resolve("stdout");
    Path err = folder.resolve("stderr");
    return new LabProcess(
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start(),
        out,
        err);
  }

  /// Waits until something is so, while the process runs.
  void await(String what, BooleanSupplier condition) throws IOException {
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > BOUND.toNanos() || !process.isAlive()) {
        throw new AssertionError(
            what + ": not seen" + (process.isAlive() ? "" : ", ended") + "; stderr: " + err());
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /// Ends the process's standard input.
  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /// Sends a signal to the process alone, e.g. `INT`.
  void signal(String name) throws IOException, InterruptedException {
    kill(name, process.toHandle());
  }

  /// Sends a signal.
  static void kill(String name, ProcessHandle to) throws IOException, InterruptedException {
    int failed = new ProcessBuilder("kill", "-" + name, String.valueOf(to.pid())).start().waitFor();
    if (failed != 0) {
      throw new IOException("kill -" + name + " " + to.pid() + ": exit code " + failed);
    }
  }

  /// The child that runs a component; it must be there.
  ProcessHandle child(String component) {
    return child(process.toHandle(), component);
  }

  /// The same of any process.
  static ProcessHandle child(ProcessHandle parent, String component) {
    return parent
        .children()
        .filter(child -> isComponent(child, component))
        .findFirst()
        .orElseThrow();
  }

  /// Number of children that run a component.
  long components() {
    return process.children().filter(child -> isComponent(child, "")).count();
  }

  /// By the whole command line, of which [ProcessHandle.Info] knows the beginning alone.
  private static boolean isComponent(ProcessHandle child, String component) {
    try {
      String line =
          Files.readString(
              Path.of("/proc", String.valueOf(child.pid()), "cmdline"), StandardCharsets.UTF_8);
      return line.contains("\0dev.herdlab.lab.Main\0" + component)
          && line.contains("\0until=stdin\0");
    } catch (IOException ended) {
      return false;
    }
  }

  List<ProcessHandle> children() {
    return process.children().toList();
  }

  /// The exit code, once it has ended.
  int exitCode() throws InterruptedException {
    if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + BOUND);
    }
    return process.exitValue();
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
