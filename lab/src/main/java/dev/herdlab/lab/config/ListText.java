package dev.herdlab.lab.config;

import java.util.ArrayList;
import java.util.List;

/// Splits a list written as one text at its commas; those inside parentheses do not split.
///
/// Owner thread: any.
final class ListText {
  private ListText() {}

  /// The parts of a value of `key`.
  ///
  /// @throws ConfigException if parentheses do not match, which is what a value looks like that
  ///     YAML or a shell has cut at a comma
  static List<String> split(String key, Node.Scalar scalar) {
    String text = scalar.text();
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      }
      if (depth < 0) {
        throw cut(key, scalar);
      }
    }
    if (depth != 0) {
      throw cut(key, scalar);
    }
    parts.add(text.substring(start).strip());
    return parts;
  }

  private static ConfigException cut(String key, Node.Scalar scalar) {
    return ConfigException.at(
        scalar.origin().describe(key),
        scalar.text(),
        scalar.origin() instanceof Origin.Line
            ? "matching parentheses; if a comma cut the value, quote it or write one value a line"
            : "matching parentheses");
  }
}
