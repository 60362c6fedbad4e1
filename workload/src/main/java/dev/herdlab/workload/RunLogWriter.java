package dev.herdlab.workload;

import java.io.IOException;
import java.nio.file.Path;

/// A file of run logs being written: gzipped CSV, a line for each request of each cell, with the
/// plan's columns from its trace and the number of its cell.
///
/// `attempts` is their number; where it is above 1, backend and stamps are lists with `;` between.
/// `proxy` is the plan's; an attempt's own number, equal to it in a sound run, is not written.
/// Owner thread: its user's.
public final class RunLogWriter implements AutoCloseable {
  private final CsvGzWriter out;

  private RunLogWriter(CsvGzWriter out) {
    this.out = out;
  }

  /// A file with a header and nothing else yet; replaces what was there.
  public static RunLogWriter create(Path csvGz) throws IOException {
    return new RunLogWriter(new CsvGzWriter(csvGz, RunLogFile.header()));
  }

  /// Appends what happened in one cell: it is in the file when this returns.
  ///
  /// @param cell its number, from 1
  /// @throws IOException if it cannot be written, e.g. since the disk is full; the file then holds
  ///     the cells before
  public void append(int cell, Trace trace, RunLog log) throws IOException {
    try {
      for (RunLog.Entry entry : log.entries()) {
        RunLogFile.writeEntry(entry, trace, cell, out);
      }
      out.endPart();
    } catch (IOException e) {
      out.dropPart();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
