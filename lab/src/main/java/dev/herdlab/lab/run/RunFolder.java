package dev.herdlab.lab.run;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Events;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.TraceSource;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.loadgen.RunHistograms;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLogWriter;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// The folder of one run: `experiment.yaml` (loading it repeats the run), `summary.json`,
/// `requests.csv.gz` (every request of every cell's last attempt), and `latency-<cell>.hlog`.
///
/// All of it is whole after each cell, whatever becomes of the program then. What can no longer be
/// written is said once, and does not stop the run. Owner thread: its creator's.
public final class RunFolder implements AutoCloseable {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss");
  private static final String EVENTS = "events.csv";
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final Path path;
  private final Map<String, Object> environment;
  private final RunLogWriter requests;
  private final Consumer<String> notKept;
  private boolean said;

  private RunFolder(Path path, RunLogWriter requests, Consumer<String> notKept) {
    this.path = path;
    this.environment = Environment.read();
    this.requests = requests;
    this.notKept = notKept;
  }

  /// Makes the folder, so that what cannot be written is known before anything is measured.
  ///
  /// @param out where, replacing the files of an earlier run there; empty for a new
  ///     `results/<time>-<name>`
  /// @param notKept hears, once, of a result that could not be written
  /// @throws IOException if it cannot be written: the path and why, in one line
  /// @throws ConfigException if it holds the requests that are to be replayed
  public static RunFolder create(
      Experiment experiment, Optional<Path> out, Consumer<String> notKept) throws IOException {
    Path path = out.orElse(Path.of("results"));
    try {
      Files.createDirectories(path);
      if (out.isPresent()) {
        requireElsewhere(experiment.trace(), path);
      }
      if (out.isEmpty()) {
        path =
            createNew(
                path.resolve(
                    LocalDateTime.now(ZoneId.systemDefault()).format(TIME)
                        + "-"
                        + experiment.name()));
      }
      clear(path);
      Files.writeString(path.resolve("experiment.yaml"), experiment.toYaml());
      return new RunFolder(path, RunLogWriter.create(path.resolve("requests.csv.gz")), notKept);
    } catch (IOException e) {
      throw new IOException(
          "%s: %s (expected: a folder to write results to)".formatted(path, why(e)), e);
    }
  }

  /// Refuses to replace the requests that are to be replayed.
  private static void requireElsewhere(Optional<TraceSource> trace, Path path) throws IOException {
    if (trace.isPresent()) {
      Path holder = trace.get().file().toRealPath().getParent();
      if (path.toRealPath().equals(holder)) {
        throw ConfigException.at(
            "--out", path.toString(), "another folder than that of the trace, " + trace.get());
      }
    }
  }

  /// This folder, or the first of this name with a number behind it that does not exist.
  private static Path createNew(Path wanted) throws IOException {
    Path path = wanted;
    for (int number = 2; ; number++) {
      try {
        return Files.createDirectory(path);
      } catch (FileAlreadyExistsException e) {
        // Another run began in the same second.
        path = wanted.resolveSibling(wanted.getFileName() + "-" + number);
      }
    }
  }

  /// Removes what an earlier run left and this one might not replace.
  private static void clear(Path path) throws IOException {
    Files.deleteIfExists(path.resolve("summary.json"));
    Files.deleteIfExists(path.resolve("report.html"));
    Files.deleteIfExists(path.resolve(EVENTS));
    try (var histograms = Files.newDirectoryStream(path, "latency-*.hlog")) {
      for (Path histogram : histograms) {
        Files.delete(histogram);
      }
    }
  }

  /// Why a file could not be written, without the path.
  private static String why(IOException e) {
    if (e instanceof FileSystemException file) {
      return file.getReason() == null ? e.getClass().getSimpleName() : file.getReason();
    }
    return String.valueOf(e.getMessage());
  }

  private void say(IOException e) {
    if (!said) {
      said = true;
      notKept.accept(
          "%s: results cannot be written any more: %s; the run goes on, and its results are printed"
              .formatted(path, why(e)));
    }
  }

  /// What the run ran on.
  public Map<String, Object> environment() {
    return environment;
  }

  /// Keeps the requests of a cell.
  ///
  /// @param cell its number, from 1
  /// @param started wall time of the run's start
  public void keep(int cell, Trace trace, RunLog run, Instant started) {
    Path histograms = path.resolve("latency-" + cell + ".hlog");
    try {
      requests.append(cell, trace, run);
      RunHistograms.write(trace, run, started, INTERVAL, histograms);
    } catch (IOException e) {
      say(e);
    }
  }

  /// Keeps when the events of a cell took effect, in `events.csv`, which is there if any did.
  ///
  /// @param cell its number, from 1
  /// @param planned in order
  /// @param made the first of them, with the instants from which they held
  public void keep(int cell, List<Change.Timed> planned, List<Change.Timed> made) {
    StringBuilder lines = new StringBuilder();
    Path file = path.resolve(EVENTS);
    try {
      if (!made.isEmpty() && !Files.exists(file)) {
        lines.append("cell,planned_ns,since_ns,event\n");
      }
      for (int i = 0; i < made.size(); i++) {
        lines
            .append(cell)
            .append(',')
            .append(planned.get(i).nanos())
            .append(',')
            .append(made.get(i).nanos())
            .append(',')
            .append(Events.text(made.get(i).change()))
            .append('\n');
      }
      if (!made.isEmpty()) {
        Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
    } catch (IOException e) {
      say(e);
    }
  }

  /// Keeps what is known so far; a reader never sees half of it.
  public void keep(RunDocument document) {
    Path half = path.resolve("summary.json.new");
    try {
      Files.writeString(half, document.toJson());
      Files.move(half, path.resolve("summary.json"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      say(e);
      remove(half);
    }
  }

  private static void remove(Path half) {
    try {
      Files.deleteIfExists(half);
    } catch (IOException e) {
      // It cannot be written to, and that has been said.
    }
  }

  @Override
  public void close() {
    try {
      requests.close();
    } catch (IOException e) {
      say(e);
    }
  }
}
