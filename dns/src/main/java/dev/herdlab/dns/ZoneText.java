package dev.herdlab.dns;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A zone file's text as a stream that knows how far it has been read.
///
/// dnsjava's reader does not tell in which line a record stood. This stream hands out one line at a
/// time, so that the last line handed out is the one that is being read. It also makes the path of
/// an `$INCLUDE` relative to the file, which dnsjava cannot do for a stream. Owner thread: the
/// reader's.
final class ZoneText extends InputStream {
  private final List<String> lines;
  private final Path file;
  private byte[] current = new byte[0];
  private int next;
  private int line;

  /// @param lines as Latin-1 text, without their ends
  /// @param file where they stand
  ZoneText(List<String> lines, Path file) {
    this.lines = lines;
    this.file = file;
  }

  /// The line that was handed out last, from 1; 0 before the first.
  int line() {
    return line;
  }

  @Override
  public int read() {
    return hasMore() ? current[next++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int count = Math.min(length, current.length - next);
    System.arraycopy(current, next, into, offset, count);
    next += count;
    return count;
  }

  private boolean hasMore() {
    if (next == current.length && line < lines.size()) {
      current = (included(lines.get(line)) + "\n").getBytes(StandardCharsets.ISO_8859_1);
      next = 0;
      line++;
    }
    return next < current.length;
  }

  private String included(String text) {
    String[] words = text.strip().split("\\s+", 3);
    if (words.length < 2 || !words[0].equalsIgnoreCase("$INCLUDE") || text.indexOf('$') != 0) {
      return text;
    }
    String path = words[1].replace("\"", "");
    String origin = words.length > 2 ? " " + words[2] : "";
    return "$INCLUDE \"" + file.resolveSibling(path) + "\"" + origin;
  }
}
