package dev.herdlab.lab.config;

/// One setting, declared: its name, what it accepts, its default, and what it does. From tables of
/// keys come the loader's checks, `--help` and the JSON Schema.
///
/// Owner thread: any (immutable).
///
/// @param name as written: a-z and -
/// @param type what one value is
/// @param shape how many values, and what several mean
/// @param defaultText its text when not given; [#NONE] for no value, [#REQUIRED] if it must be
///     given
/// @param documentation one line
public record Key<T>(
    String name, ValueType<T> type, Shape shape, String defaultText, String documentation) {
  /// The default of a key that has none and may be left out.
  public static final String NONE = "";

  /// The default of a key that must be given.
  public static final String REQUIRED = "(required)";

  /// How many values a key takes.
  public enum Shape {
    /// One.
    ONE,
    /// A list that is one value.
    LIST,
    /// A list of alternatives, each of which is run.
    SWEEP
  }

  /// A key of one value.
  public static <T> Key<T> one(String name, ValueType<T> type, String defaultText, String doc) {
    return new Key<>(name, type, Shape.ONE, defaultText, doc);
  }

  /// A key whose value is a list.
  public static <T> Key<T> list(String name, ValueType<T> type, String defaultText, String doc) {
    return new Key<>(name, type, Shape.LIST, defaultText, doc);
  }

  /// A key that sweeps.
  public static <T> Key<T> sweep(String name, ValueType<T> type, String defaultText, String doc) {
    return new Key<>(name, type, Shape.SWEEP, defaultText, doc);
  }
}
