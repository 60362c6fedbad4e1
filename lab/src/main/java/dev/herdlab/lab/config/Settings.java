package dev.herdlab.lab.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The values of a table's keys: complete, read and checked, each with its origin.
///
/// A getter for a key that is not in the table is a programmer's error. Owner thread: any
/// (immutable).
public final class Settings {
  private final Map<Key<?>, List<Value<?>>> values;

  /// One value, and where it comes from.
  public record Value<T>(T value, String text, Origin origin) {}

  private Settings(Map<Key<?>, List<Value<?>>> values) {
    this.values = values;
  }

  /// Binds what was written to the keys of a table, e.g. of a component's command.
  ///
  /// @throws ConfigException for the first key that is unknown, missing or of the wrong type
  public static Settings bind(KeyTable table, Sources sources) {
    Map<String, Node> nodes = new LinkedHashMap<>();
    sources.file().ifPresent(fields -> nodes.putAll(fields(fields, table)));
    nodes.putAll(sources.overrides(table));
    return bind(table, nodes);
  }

  /// Binds the keys of a table that stand beside an experiment's: by `--set` and in the
  /// environment, not in its file.
  ///
  /// @throws ConfigException for the first key that is unknown, missing or of the wrong type
  public static Settings bindBeside(KeyTable table, Sources sources) {
    Map<String, Node> nodes = sources.overrides(ExperimentKeys.ALL.and(table));
    nodes.keySet().removeIf(name -> table.find(name).isEmpty());
    return bind(table, nodes);
  }

  /// A file's fields by name.
  ///
  /// @throws ConfigException if one is not in `table`
  static Map<String, Node> fields(Node.Fields fields, KeyTable table) {
    Map<String, Node> nodes = new LinkedHashMap<>();
    for (Node.Field field : fields.fields()) {
      if (table.find(field.name()).isEmpty()) {
        throw ConfigException.at(
            field.origin().describe(field.name()),
            "unknown key",
            table.expectedInsteadOf(field.name()));
      }
      nodes.put(field.name(), field.value());
    }
    return nodes;
  }

  /// Binds nodes whose names are all in `table`.
  static Settings bind(KeyTable table, Map<String, Node> nodes) {
    Map<Key<?>, List<Value<?>>> values = new LinkedHashMap<>();
    for (Key<?> key : table.keys()) {
      Node node = nodes.get(key.name());
      if (node != null) {
        values.put(key, read(key, node));
      } else if (key.defaultText().equals(Key.REQUIRED)) {
        throw ConfigException.at(key.name(), "not given", key.type().expected());
      } else if (key.defaultText().equals(Key.NONE)) {
        values.put(key, List.of());
      } else {
        values.put(key, read(key, new Node.Scalar(key.defaultText(), new Origin.Default())));
      }
    }
    return new Settings(values);
  }

  private static List<Value<?>> read(Key<?> key, Node node) {
    List<Value<?>> values = new ArrayList<>();
    switch (node) {
      case Node.Scalar scalar -> addTexts(values, key, scalar);
      case Node.Items items when key.shape() != Key.Shape.ONE -> {
        for (Node item : items.items()) {
          if (item instanceof Node.Fields fields && key.type().maps()) {
            addValues(values, key, text(key, fields), fields.origin());
            continue;
          }
          if (!(item instanceof Node.Scalar scalar)) {
            throw ConfigException.at(
                item.origin().describe(key.name()), item.summary(), key.type().expected());
          }
          addTexts(values, key, scalar);
        }
      }
      case Node.Fields fields when key.type().maps() ->
          addValues(values, key, text(key, fields), fields.origin());
      case Node.Items _, Node.Fields _ ->
          throw ConfigException.at(
              node.origin().describe(key.name()), node.summary(), key.type().expected());
    }
    if (values.isEmpty()) {
      throw ConfigException.at(
          node.origin().describe(key.name()), "an empty list", key.type().expected());
    }
    return values;
  }

  /// The fields of a map as one text.
  private static String text(Key<?> key, Node.Fields fields) {
    List<String> parts = new ArrayList<>();
    for (Node.Field field : fields.fields()) {
      if (!(field.value() instanceof Node.Scalar(String text, Origin _)) || text.contains(" ")) {
        throw ConfigException.at(
            field.origin().describe(key.name()),
            field.name() + ": " + field.value().summary(),
            key.type().expected());
      }
      parts.add(field.name() + "=" + text);
    }
    return String.join(" ", parts);
  }

  private static void addTexts(List<Value<?>> values, Key<?> key, Node.Scalar scalar) {
    if (key.shape() == Key.Shape.ONE) {
      addValues(values, key, scalar.text(), scalar.origin());
      return;
    }
    for (String text : ListText.split(key.name(), scalar)) {
      addValues(values, key, text, scalar.origin());
    }
  }

  private static <T> void addValues(List<Value<?>> values, Key<T> key, String text, Origin origin) {
    List<T> read =
        key.type()
            .read(text)
            .orElseThrow(
                () -> ConfigException.at(origin.describe(key.name()), text, key.type().expected()));
    for (T value : read) {
      values.add(new Value<>(value, text, origin));
    }
  }

  /// The value of a key that always has one.
  public <T> T get(Key<T> key) {
    List<Value<T>> all = all(key);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("key " + key.name() + ": no value (expected: find)");
    }
    return all.getFirst().value();
  }

  /// The value of a key that may have none.
  public <T> Optional<T> find(Key<T> key) {
    return all(key).stream().findFirst().map(Value::value);
  }

  /// The values of a key that takes a list.
  public <T> List<T> list(Key<T> key) {
    return all(key).stream().map(Value::value).toList();
  }

  /// The values with text and origin.
  @SuppressWarnings("unchecked") // A key's values are read by that key alone: they are of its type.
  public <T> List<Value<T>> all(Key<T> key) {
    List<Value<?>> found = values.get(key);
    if (found == null) {
      throw new IllegalArgumentException("key " + key.name() + ": not in the table");
    }
    return (List<Value<T>>) (List<?>) found;
  }

  /// The error for a value that is readable but does not fit others.
  public <T> ConfigException error(Key<T> key, String expected) {
    List<Value<T>> all = all(key);
    Origin origin = all.isEmpty() ? new Origin.Default() : all.getFirst().origin();
    String text = String.join(",", all.stream().map(Value::text).distinct().toList());
    return ConfigException.at(origin.describe(key.name()), text, expected);
  }
}
