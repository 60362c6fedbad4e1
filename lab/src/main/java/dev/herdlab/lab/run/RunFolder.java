package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.loadgen.RunHistograms;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLogWriter;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/// The folder of one run: `experiment.yaml` (loading it repeats the run), `summary.json`,
/// `requests.csv.gz` (every request of every cell's last attempt), and `latency-<cell>.hlog`.
///
/// Owner thread: its creator's.
final class RunFolder implements AutoCloseable {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss");
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Path path;
  private final Map<String, Object> environment;
  private final RunLogWriter requests;

  private RunFolder(Path path, RunLogWriter requests) {
    this.path = path;
    this.environment = Environment.read();
    this.requests = requests;
  }

  /// Makes the folder, so that what cannot be written is known before anything is measured.
  ///
  /// @param out where; empty for `results/<time>-<name>`
  /// @throws IOException if it cannot be written: the path and why, in one line
  static RunFolder create(Experiment experiment, Optional<Path> out) throws IOException {
    Path path =
        out.orElseGet(
            () ->
                Path.of("results", LocalDateTime.now().format(TIME) + "-" + experiment.name()));
    try {
      Files.createDirectories(path);
      Files.writeString(path.resolve("experiment.yaml"), experiment.toYaml());
      return new RunFolder(path, RunLogWriter.create(path.resolve("requests.csv.gz")));
    } catch (IOException e) {
      throw cannotWrite(path, e);
    }
  }

  private static IOException cannotWrite(Path path, IOException e) {
    return new IOException("%s: %s (expected: a folder to write results to)".formatted(path, e), e);
  }

  /// What the run ran on.
  Map<String, Object> environment() {
    return environment;
  }

  /// Keeps the requests of a cell, numbered from 1.
  void keep(int cell, Trace trace, Observation seen) throws IOException {
    try {
      RunLog run = seen.run();
      requests.append(cell, trace, run);
      RunHistograms.write(
          trace, run, seen.started(), INTERVAL, path.resolve("latency-" + cell + ".hlog"));
    } catch (IOException e) {
      throw cannotWrite(path, e);
    }
  }

  /// Keeps what is known so far; a reader never sees half of it.
  void keep(RunDocument document) throws IOException {
    try {
      Path half = path.resolve("summary.json.new");
      Files.writeString(half, document.toJson());
      Files.move(half, path.resolve("summary.json"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw cannotWrite(path, e);
    }
  }

  @Override
  public void close() throws IOException {
    requests.close();
  }
}
