package dev.herdlab.lab.report;

import java.util.List;

/// Lines of a table with their columns under each other, two spaces apart. Owner thread: any.
final class DnsColumns {
  private DnsColumns() {}

  /// The lines as text, left-aligned.
  ///
  /// @param lines of equal numbers of columns
  static String of(List<List<String>> lines) {
    int columns = lines.isEmpty() ? 0 : lines.getFirst().size();
    StringBuilder out = new StringBuilder();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        text.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
      }
      out.append(text.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
