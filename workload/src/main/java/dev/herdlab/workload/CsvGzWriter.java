package dev.herdlab.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/// A gzipped CSV file being written, field by field; nothing is quoted, so texts may not need it.
///
/// Owner thread: its user's.
final class CsvGzWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final BufferedWriter out;
  private boolean lineStarted;

  CsvGzWriter(Path file, String header) throws IOException {
    out =
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file), BUFFER_BYTES),
                StandardCharsets.UTF_8),
            BUFFER_BYTES);
    out.write(header);
    out.write('\n');
  }

  CsvGzWriter add(long number) throws IOException {
    separate();
    out.write(Long.toString(number));
    return this;
  }

  CsvGzWriter add(String text) throws IOException {
    separate();
    out.write(text);
    return this;
  }

  private void separate() throws IOException {
    if (lineStarted) {
      out.write(',');
    }
    lineStarted = true;
  }

  void endLine() throws IOException {
    out.write('\n');
    lineStarted = false;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
