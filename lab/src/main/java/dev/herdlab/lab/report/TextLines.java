package dev.herdlab.lab.report;

import java.util.ArrayList;
import java.util.List;

/// Breaks text into lines. Owner thread: any.
final class TextLines {
  private TextLines() {}

  /// Lines of at most `width` characters, broken at spaces, after commas, or where they are too
  /// long; none for blank text.
  static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text.strip();
    while (rest.length() > width) {
      int at = rest.lastIndexOf(' ', width);
      if (at <= 0) {
        at = rest.lastIndexOf(',', width - 1) + 1;
      }
      if (at <= 0) {
        at = width;
      }
      lines.add(rest.substring(0, at).strip());
      rest = rest.substring(at).strip();
    }
    if (!rest.isEmpty()) {
      lines.add(rest);
    }
    return lines;
  }
}
