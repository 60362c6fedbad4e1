package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The results of a conducted experiment: a folder for each cycle, with what `run` keeps of its
/// cells, and only the last so many of them.
///
/// Owner thread: the analyst's; [#document] from any, after it.
final class Cycles implements AutoCloseable {
  private final Experiment experiment;
  private final Path out;
  private final int keep;
  private final Consumer<String> notKept;
  private final Deque<Path> folders = new ArrayDeque<>();
  private final List<CellResult> all = new ArrayList<>();
  private @Nullable RunFolder folder;
  private List<CellResult> results = new ArrayList<>();
  private long cycle;
  private long cyclesBefore;
  private Map<String, Object> environment = Map.of();

  /// @param out what holds the cycles' folders
  /// @param keep how many of them
  /// @param notKept hears of what cannot be written, in one line
  Cycles(Experiment experiment, Path out, int keep, Consumer<String> notKept) {
    this.experiment = experiment;
    this.out = out;
    this.keep = keep;
    this.notKept = notKept;
  }

  /// Makes the folder of the first cycle, so that what cannot be written is known before anything
  /// is played. Numbers go on behind those that an earlier start left there.
  ///
  /// @throws IOException in one line
  void open() throws IOException {
    Files.createDirectories(out);
    try (Stream<Path> left = Files.list(out)) {
      left.filter(path -> path.getFileName().toString().matches("cycle-[0-9]{6}"))
          .sorted()
          .forEach(folders::addLast);
    }
    if (!folders.isEmpty()) {
      cyclesBefore = Long.parseLong(folders.getLast().getFileName().toString().substring(6));
    }
    begin(1);
  }

  private void begin(long number) throws IOException {
    close();
    cycle = number;
    results = new ArrayList<>();
    Path path = out.resolve("cycle-%06d".formatted(cyclesBefore + number));
    RunFolder made = RunFolder.create(experiment, Optional.of(path), notKept);
    environment = made.environment();
    folder = made;
    folders.addLast(path);
    while (folders.size() > keep) {
      remove(folders.removeFirst());
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /// Keeps a phase.
  void keep(Analyst.Kept phase) {
    Finished finished = phase.finished();
    all.add(finished.result());
    if (all.size() > keep * experiment.cells().size()) {
      all.removeFirst();
    }
    try {
      if (finished.step().cycle() != cycle) {
        begin(finished.step().cycle());
      }
    } catch (IOException | ConfigException e) {
      notKept.accept(String.valueOf(e.getMessage()));
      return;
    }
    results.add(finished.result());
    RunFolder open = folder;
    if (open != null) {
      open.keep(
          results.size(),
          phase.requests().trace(),
          phase.requests().run(),
          phase.playing().begins());
      open.keep(document(results));
    }
  }

  /// The last phases, as many as are kept.
  RunDocument document() {
    return document(all);
  }

  private RunDocument document(List<CellResult> cells) {
    return new RunDocument(
        experiment.name(), experiment.description(), environment, experiment.thresholds(), cells);
  }

  @Override
  public void close() {
    if (folder != null) {
      folder.close();
      folder = null;
    }
  }
}
