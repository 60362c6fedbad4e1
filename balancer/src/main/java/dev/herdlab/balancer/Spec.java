package dev.herdlab.balancer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text `name` or `name(key=value,...)` taken apart; a value may hold balanced parentheses.
///
/// Only the shape is checked here: whether the name and the keys exist is known to whoever asked.
/// Owner thread: any (not changed after parsing).
final class Spec {
  private static final Pattern REFUSAL = Pattern.compile("([a-z0-9-]+): .* \\(expected: (.*)\\)");

  private final String what;
  private final String text;
  private final String name;
  private final Map<String, Argument> arguments = new LinkedHashMap<>();

  /// A parameter's text, and where it and its key start in the spec's text (from 0).
  record Argument(String value, int valuePosition, int keyPosition) {}

  private Spec(String what, String text, String name) {
    this.what = what;
    this.text = text;
    this.name = name;
  }

  /// Takes `raw` apart; `what` it is ("algorithm", "view") begins error messages.
  static Spec parse(String what, String raw) {
    // Error messages quote the text and must stay on one line.
    String text = raw.strip().replaceAll("\\p{Cntrl}", " ");
    int open = text.indexOf('(');
    Spec spec = new Spec(what, text, open < 0 ? text : text.substring(0, open).stripTrailing());
    if (open >= 0) {
      spec.readArguments(open + 1);
    }
    return spec;
  }

  private void readArguments(int from) {
    int start = from;
    int end;
    do {
      end = argumentEnd(start);
      boolean nothingAtAll =
          start == from && isClosing(end) && text.substring(start, end).isBlank();
      if (!nothingAtAll) {
        readArgument(start, end);
      }
      start = end + 1;
    } while (!isClosing(end));
    if (start < text.length()) {
      throw error(start, text.substring(start), "end of text");
    }
  }

  private boolean isClosing(int at) {
    return text.charAt(at) == ')';
  }

  /// Index of the comma or parenthesis that ends the argument that begins at `start`.
  private int argumentEnd(int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (depth == 0 && (c == ',' || c == ')')) {
        return i;
      }
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      }
    }
    throw error(text.length(), "end of text", "a closing parenthesis");
  }

  private void readArgument(int start, int end) {
    int keyAt = skipBlanks(start, end);
    int equals = text.indexOf('=', start);
    if (equals < 0 || equals >= end) {
      throw error(keyAt, text.substring(start, end).strip(), "key=value");
    }
    int valueAt = skipBlanks(equals + 1, end);
    String key = text.substring(keyAt, Math.max(keyAt, equals)).strip();
    Argument argument = new Argument(text.substring(valueAt, end).strip(), valueAt, keyAt);
    if (arguments.putIfAbsent(key, argument) != null) {
      throw error(keyAt, key + " again", "each parameter once");
    }
  }

  private int skipBlanks(int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) == ' ') {
      at++;
    }
    return at;
  }

  /// Refuses a name that a spec could not hold; `what` it names begins the message.
  static void checkName(String what, String name) {
    if (!name.matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException(
          "%s name: '%s' (expected: a-z, 0-9 and -)".formatted(what, name));
    }
  }

  /// What stands before the parentheses; empty if nothing does.
  String name() {
    return name;
  }

  /// Parameters in the order written.
  Map<String, Argument> arguments() {
    return arguments;
  }

  /// The error of an algorithm that refuses its parameters together, by a message such as `d: 3
  /// (expected: 2 with as=nginx)`: at the parameter that it names, if it was written.
  SpecException refused(String message) {
    Matcher parts = REFUSAL.matcher(message);
    Argument argument = parts.matches() ? arguments.get(parts.group(1)) : null;
    return argument == null
        ? new SpecException("%s '%s': %s".formatted(what, text, message))
        : error(argument.keyPosition(), parts.group(1) + "=" + argument.value(), parts.group(2));
  }

  /// The error for `found` at `position` (from 0; printed from 1).
  SpecException error(int position, String found, String expected) {
    String token = found.isEmpty() ? "nothing" : found;
    return new SpecException(
        "%s '%s', column %d: %s (expected: %s)"
            .formatted(what, text, position + 1, token, expected));
  }
}
