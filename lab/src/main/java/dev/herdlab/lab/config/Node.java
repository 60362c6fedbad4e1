package dev.herdlab.lab.config;

import java.util.List;

/// A value as written, before it has a type: text, a list, or named fields. Owner thread: any
/// (immutable).
sealed interface Node {
  /// Where it was written.
  Origin origin();

  /// One value's text.
  record Scalar(String text, Origin origin) implements Node {}

  /// A list in square brackets or with dashes.
  record Items(List<Node> items, Origin origin) implements Node {
    public Items {
      items = List.copyOf(items);
    }
  }

  /// Named values, in the order written; names are unique.
  record Fields(List<Field> fields, Origin origin) implements Node {
    public Fields {
      fields = List.copyOf(fields);
    }
  }

  /// One of them; the origin is the name's.
  record Field(String name, Node value, Origin origin) {}

  /// What it is, for messages: its text, or that it is a list.
  default String summary() {
    return switch (this) {
      case Scalar(String text, Origin _) -> text;
      case Items(List<Node> items, Origin _) -> "a list of " + items.size();
      case Fields(List<Field> fields, Origin _) -> "a map of " + fields.size() + " keys";
    };
  }
}
