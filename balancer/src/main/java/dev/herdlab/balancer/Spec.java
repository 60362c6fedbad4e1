package dev.herdlab.balancer;

import java.util.LinkedHashMap;
import java.util.Map;

/// The text `name` or `name(key=value,...)` taken apart; a value may hold balanced parentheses.
///
/// Owner thread: any (immutable).
final class Spec {
  private final String what;
  private final String text;
  private final String name;
  private final Map<String, Argument> arguments;

  /// A parameter's text and where it starts (from 0).
  record Argument(String value, int position) {}

  private Spec(String what, String text, String name, Map<String, Argument> arguments) {
    this.what = what;
    this.text = text;
    this.name = name;
    this.arguments = arguments;
  }

  /// Takes `text` apart; `what` it is ("algorithm", "view") begins error messages.
  static Spec parse(String what, String text) {
    int open = text.indexOf('(');
    String name = (open < 0 ? text : text.substring(0, open)).strip();
    Spec head = new Spec(what, text, name, Map.of());
    int stray = firstUnnamely(name);
    if (stray >= 0 || name.isEmpty()) {
      throw head.error(Math.max(0, stray), name, "a name of a-z, 0-9 and -");
    }
    if (open < 0) {
      return head;
    }
    Map<String, Argument> arguments = new LinkedHashMap<>();
    int at = open + 1;
    int end = text.stripTrailing().length();
    if (end <= at || text.charAt(end - 1) != ')') {
      throw head.error(end, "end of text", ")");
    }
    while (at < end) {
      int stop = argumentEnd(head, at, end);
      String argument = text.substring(at, stop);
      boolean last = stop == end - 1;
      if (argument.isBlank() && last && arguments.isEmpty()) {
        break;
      }
      addArgument(head, arguments, argument, at);
      at = last ? end : stop + 1;
    }
    return new Spec(what, text, name, arguments);
  }

  private static void addArgument(
      Spec head, Map<String, Argument> arguments, String argument, int at) {
    int equals = argument.indexOf('=');
    if (equals < 0) {
      throw head.error(at, argument, "key=value");
    }
    String key = argument.substring(0, equals).strip();
    String value = argument.substring(equals + 1).strip();
    if (key.isEmpty() || firstUnnamely(key) >= 0) {
      throw head.error(at, key, "a parameter's name of a-z, 0-9 and -");
    }
    if (arguments.putIfAbsent(key, new Argument(value, at + equals + 1)) != null) {
      throw head.error(at, key, "each parameter once");
    }
  }

  /// Index of the comma or parenthesis that ends the argument that starts at `at`.
  private static int argumentEnd(Spec head, int at, int end) {
    int depth = 0;
    for (int i = at; i < end; i++) {
      char c = head.text.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')' && depth > 0) {
        depth--;
      } else if (c == ')') {
        if (i != end - 1) {
          throw head.error(i + 1, head.text.substring(i + 1, end), "end of text");
        }
        return i;
      } else if (c == ',' && depth == 0) {
        return i;
      }
    }
    throw head.error(end, "end of text", ")");
  }

  private static int firstUnnamely(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')) {
        return i;
      }
    }
    return -1;
  }

  String name() {
    return name;
  }

  String text() {
    return text;
  }

  /// Parameters in the order written.
  Map<String, Argument> arguments() {
    return arguments;
  }

  /// The error for `found` at `position` (from 0; printed from 1).
  SpecException error(int position, String found, String expected) {
    return new SpecException(
        what
            + " '"
            + text
            + "', column "
            + (position + 1)
            + ": "
            + (found.isEmpty() ? "nothing" : found)
            + " (expected: "
            + expected
            + ")");
  }
}
