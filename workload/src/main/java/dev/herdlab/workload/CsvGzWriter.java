package dev.herdlab.workload;

import java.io.BufferedWriter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// A gzipped CSV file being written, field by field; nothing is quoted, so texts may not need it.
///
/// It consists of parts, each a gzip member of its own, so that the file is whole after each of
/// them, whatever becomes of the program; what cannot be written in full is taken back. Owner
/// thread: its user's.
final class CsvGzWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel file;
  // Of the part that is being written; absent between parts, so that no byte of an empty one is
  // left.
  private @Nullable Writer part;
  private boolean lineStarted;
  private long wholeBytes;

  /// A file with a part for the header; replaces what was there.
  CsvGzWriter(Path path, String header) throws IOException {
    file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    try {
      out().write(header);
      endLine();
      endPart();
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private Writer out() throws IOException {
    if (part == null) {
      part = newPart();
    }
    return part;
  }

  private Writer newPart() throws IOException {
    OutputStream open =
        new FilterOutputStream(Channels.newOutputStream(file)) {
          @Override
          public void write(byte[] bytes, int from, int count) throws IOException {
            super.out.write(bytes, from, count);
          }

          @Override
          public void close() {
            // The file stays open for the next part.
          }
        };
    return new BufferedWriter(
        new OutputStreamWriter(new GZIPOutputStream(open, BUFFER_BYTES), StandardCharsets.UTF_8),
        BUFFER_BYTES);
  }

  CsvGzWriter add(long number) throws IOException {
    separate();
    out().write(Long.toString(number));
    return this;
  }

  CsvGzWriter add(String text) throws IOException {
    separate();
    out().write(text);
    return this;
  }

  private void separate() throws IOException {
    if (lineStarted) {
      out().write(',');
    }
    lineStarted = true;
  }

  void endLine() throws IOException {
    out().write('\n');
    lineStarted = false;
  }

  /// Ends a part: what was written so far is in the file.
  void endPart() throws IOException {
    if (part != null) {
      part.close();
      part = null;
      wholeBytes = file.position();
    }
  }

  /// Takes back what was written since the last part ended.
  void dropPart() throws IOException {
    part = null;
    lineStarted = false;
    file.truncate(wholeBytes);
  }

  @Override
  public void close() throws IOException {
    try {
      endPart();
    } finally {
      file.close();
    }
  }
}
