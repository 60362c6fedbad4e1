package dev.herdlab.lab.config;

import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Where written requests are: a trace's file, or a run's `requests.csv.gz`, which has several
/// cells.
///
/// Owner thread: any (immutable).
///
/// @param file gzipped CSV
/// @param cell number of the cell in it, from 1; without meaning in a file without cells
public record TraceSource(Path file, int cell) {
  private static final int MAX_CELL_DIGITS = 6;

  /// Reads `FILE` or `FILE#CELL`; empty if it is neither.
  static Optional<TraceSource> of(String text) {
    int hash = text.lastIndexOf('#');
    String number = text.substring(hash + 1);
    boolean numbered = hash > 0 && number.matches("[0-9]{1," + MAX_CELL_DIGITS + "}");
    int cell = numbered ? Integer.parseInt(number) : 1;
    String path = numbered ? text.substring(0, hash) : text;
    return path.isEmpty() || cell == 0
        ? Optional.empty()
        : Optional.of(new TraceSource(Path.of(path), cell));
  }

  /// The requests.
  ///
  /// @throws IllegalArgumentException if the content is wrong, or has no such cell: file, line,
  ///     what was found and expected
  /// @throws IOException if the file cannot be read
  public Trace read() throws IOException {
    return Trace.read(file, cell);
  }

  /// The same from any folder.
  String absolute() {
    return new TraceSource(file.toAbsolutePath(), cell).toString();
  }

  @Override
  public String toString() {
    return cell == 1 ? file.toString() : file + "#" + cell;
  }
}
