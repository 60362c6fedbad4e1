package dev.herdlab.workload;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The text `name` or `name(key=value,...)` taken apart; a value may hold balanced parentheses.
///
/// A law asks for the parameters that it knows; `end` then refuses those that nobody asked for.
/// Owner thread: its parser's.
final class Spec {
  private final String what;
  private final String text;
  private final String name;
  private final Map<String, Argument> arguments = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();

  /// A parameter's text, and where it and its key start (from 0).
  private record Argument(String value, int position, int keyPosition) {}

  /// What a number may be.
  enum Range {
    ANY("a number"),
    AT_LEAST_ZERO("a number >= 0"),
    ABOVE_ZERO("a number > 0"),
    SHARE("a number from 0 to 1");

    private final String words;

    Range(String words) {
      this.words = words;
    }

    private boolean holds(double value) {
      return switch (this) {
        case ANY -> true;
        case AT_LEAST_ZERO -> value >= 0;
        case ABOVE_ZERO -> value > 0;
        case SHARE -> value >= 0 && value <= 1;
      };
    }
  }

  /// Takes `text` apart; `what` it is begins error messages.
  Spec(String what, String text) {
    this.what = what;
    this.text = text.stripTrailing();
    int open = this.text.indexOf('(');
    this.name = (open < 0 ? this.text : this.text.substring(0, open)).strip();
    if (open >= 0) {
      split(open + 1);
    }
  }

  private void split(int start) {
    int end = text.length() - 1;
    int from = start;
    int depth = 0;
    for (int i = start; i <= end; i++) {
      char c = text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (depth == 0 && (c == ',' || c == ')')) {
        boolean none = c == ')' && from == start && text.substring(from, i).isBlank();
        if (!none) {
          add(text.substring(from, i), from);
        }
        from = i + 1;
        if (c == ')') {
          if (i < end) {
            throw error(i + 1, text.substring(i + 1), "end of text");
          }
          return;
        }
      } else if (c == ')') {
        depth--;
      }
    }
    throw error(end + 1, "end of text", ")");
  }

  private void add(String argument, int position) {
    int equals = argument.indexOf('=');
    if (equals < 0) {
      throw error(position, argument, "key=value");
    }
    String key = argument.substring(0, equals).strip();
    String value = argument.substring(equals + 1).strip();
    if (arguments.putIfAbsent(key, new Argument(value, position + equals + 1, position)) != null) {
      throw error(position, key, "each parameter once");
    }
  }

  String name() {
    return name;
  }

  boolean has(String key) {
    return arguments.containsKey(key);
  }

  /// The text of parameter `key`, which must be there.
  String text(String key) {
    asked.add(key);
    Argument argument = arguments.get(key);
    if (argument == null) {
      throw error(text.length(), "no " + key, key + "=...");
    }
    return argument.value;
  }

  /// The number of parameter `key`, which must be there.
  double number(String key, Range range) {
    String value = text(key);
    double number = DecimalText.read(value);
    if (!Double.isFinite(number) || !range.holds(number)) {
      throw error(key, range.words);
    }
    return number;
  }

  double number(String key, double otherwise, Range range) {
    asked.add(key);
    return has(key) ? number(key, range) : otherwise;
  }

  /// The text with another value of parameter `key`; as it is without that parameter, or if a spec
  /// cannot hold the value, because of its commas or parentheses.
  String with(String key, String value) {
    Argument argument = arguments.get(key);
    if (argument == null) {
      return text;
    }
    int from = text.indexOf(argument.value, argument.position);
    String changed =
        text.substring(0, from) + value + text.substring(from + argument.value.length());
    try {
      return new Spec(what, changed).text(key).equals(value) ? changed : text;
    } catch (IllegalArgumentException unwritable) {
      return text;
    }
  }

  /// The text with the absolute path of the file that parameter `file` names; see [#with].
  String withAbsoluteFile() {
    return with("file", Path.of(text("file")).toAbsolutePath().toString());
  }

  /// Refuses parameters that nobody asked for.
  void end() {
    for (Map.Entry<String, Argument> entry : arguments.entrySet()) {
      if (!asked.contains(entry.getKey())) {
        String known = asked.isEmpty() ? "no parameters" : String.join(", ", distinct(asked));
        throw error(entry.getValue().keyPosition, entry.getKey(), known);
      }
    }
  }

  private static List<String> distinct(List<String> keys) {
    return keys.stream().distinct().toList();
  }

  /// The error that parameter `key`, which is there, has the wrong value.
  IllegalArgumentException error(String key, String expected) {
    Argument argument = arguments.get(key);
    return argument == null
        ? error(text.length(), "no " + key, expected)
        : error(argument.position, key + "=" + argument.value, expected);
  }

  /// The error that the name is not one of `known`.
  IllegalArgumentException unknownName(String known) {
    return error(0, name, known);
  }

  /// Of one line, whatever is in the text.
  private IllegalArgumentException error(int position, String found, String expected) {
    String line =
        what
            + " '"
            + text
            + "', column "
            + (position + 1)
            + ": "
            + (found.isBlank() ? "nothing" : found.strip())
            + " (expected: "
            + expected
            + ")";
    return new IllegalArgumentException(line.replaceAll("\\p{Cc}", " "));
  }
}
