package dev.herdlab.workload;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// A gzipped CSV file being read, line by line, by its columns' names.
///
/// Wrong content is an `IllegalArgumentException` that begins with file and line. A line is bounded
/// by [#MAX_LINE_CHARS], so that a file of any content is read in little memory. Owner thread: its
/// user's.
final class CsvGzReader implements AutoCloseable {
  /// A line of a log with a hundred attempts has about 15 000 characters.
  static final int MAX_LINE_CHARS = 1 << 16;

  private static final int BUFFER_BYTES = 1 << 16;

  /// The column with the number of a line's cell.
  static final String CELL = "cell";

  private final Path file;
  private final String cell;
  private final int cellColumn;
  private final BufferedReader in;
  private final List<String> columns;
  private final StringBuilder line = new StringBuilder();
  private String[] fields = {};
  private int lineNumber;
  private boolean sawCell;
  private boolean sawOtherCell;

  /// The lines of one cell; all lines where there is no such column.
  CsvGzReader(Path file, int cell) throws IOException {
    this.file = file;
    this.cell = String.valueOf(cell);
    this.in = open(file);
    try {
      columns = readLine() ? Arrays.asList(line.toString().split(",", -1)) : List.of();
      cellColumn = columns.indexOf(CELL);
    } catch (IOException | IllegalArgumentException e) {
      in.close();
      throw e;
    }
  }

  private static BufferedReader open(Path file) throws IOException {
    var bytes = Files.newInputStream(file);
    try {
      var plain = new GZIPInputStream(bytes, BUFFER_BYTES);
      return new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), BUFFER_BYTES);
    } catch (ZipException | EOFException e) {
      bytes.close();
      throw new IllegalArgumentException(file + ": no gzip (expected: gzipped CSV)", e);
    }
  }

  boolean has(String column) {
    return columns.contains(column);
  }

  /// The place of the column of this name.
  int column(String name) {
    int place = columns.indexOf(name);
    if (place < 0) {
      throw error("no column " + name + " (expected: a header with " + name + ")");
    }
    return place;
  }

  String name(int column) {
    return columns.get(column);
  }

  /// Goes to the cell's next line; false at the end.
  boolean next() throws IOException {
    while (readLine()) {
      fields = line.toString().split(",", -1);
      if (fields.length != columns.size()) {
        throw error(fields.length + " fields (expected: " + columns.size() + ")");
      }
      if (cellColumn < 0 || fields[cellColumn].equals(cell)) {
        sawCell = true;
        return true;
      }
      sawOtherCell = true;
    }
    if (sawOtherCell && !sawCell) {
      throw error("end of file (expected: lines of cell " + cell + ")");
    }
    return false;
  }

  private boolean readLine() throws IOException {
    lineNumber++;
    line.setLength(0);
    try {
      for (int c = in.read(); c != '\n'; c = in.read()) {
        if (c < 0) {
          return line.length() > 0;
        }
        if (line.length() == MAX_LINE_CHARS) {
          throw error("a longer line (expected: at most " + MAX_LINE_CHARS + " characters)");
        }
        line.append((char) c);
      }
    } catch (ZipException | EOFException e) {
      throw error("damaged or cut off (expected: gzipped CSV)");
    }
    if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
      line.setLength(line.length() - 1);
    }
    return true;
  }

  String text(int column) {
    return fields[column];
  }

  long number(int column) {
    return number(column, fields[column]);
  }

  /// The number that `text`, a part of the field in `column`, stands for.
  long number(int column, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw error(columns.get(column) + ": " + text + " (expected: a whole number)");
    }
  }

  int smallNumber(int column) {
    long number = number(column);
    if (number != (int) number) {
      throw error(
          columns.get(column) + ": " + number + " (expected: at most " + Integer.MAX_VALUE + ")");
    }
    return (int) number;
  }

  /// The error of the line read last.
  IllegalArgumentException error(String message) {
    return new IllegalArgumentException(file + ":" + lineNumber + ": " + message);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
