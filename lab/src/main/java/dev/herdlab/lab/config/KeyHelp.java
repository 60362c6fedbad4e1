package dev.herdlab.lab.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The keys of a table as lines for `--help`: name, default, what it is, what it takes.
///
/// Owner thread: any.
public final class KeyHelp {
  private static final int WIDTH = 100;

  private KeyHelp() {}

  /// Two or more lines for each key.
  public static List<String> lines(KeyTable table) {
    List<String> lines = new ArrayList<>();
    for (Key<?> key : table.keys()) {
      String left = String.format(Locale.ROOT, "  %-15s ", key.name());
      for (String part : wrap(key.documentation() + facts(key), WIDTH - left.length())) {
        lines.add(left + part);
        left = " ".repeat(left.length());
      }
    }
    return lines;
  }

  private static String facts(Key<?> key) {
    String values =
        switch (key.shape()) {
          case ONE -> key.type().expected();
          case LIST -> "a list of " + plural(key.type().expected());
          case SWEEP -> key.type().expected() + "; a list sweeps";
        };
    String given =
        switch (key.defaultText()) {
          case Key.NONE -> "none";
          case Key.REQUIRED -> "must be given";
          default -> key.defaultText();
        };
    return " [" + values + "] (default: " + given + ")";
  }

  private static String plural(String expected) {
    return expected.startsWith("a ") ? "values, each " + expected : expected;
  }

  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > width && rest.lastIndexOf(' ', width) > 0) {
      int at = rest.lastIndexOf(' ', width);
      lines.add(rest.substring(0, at));
      rest = rest.substring(at + 1);
    }
    lines.add(rest);
    return lines;
  }
}
