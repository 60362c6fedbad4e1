package dev.herdlab.balancer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The values of an algorithm's or a view's parameters: complete, and each checked against its
/// declaration.
///
/// A getter throws [IllegalArgumentException] for a name or kind that was not declared, which is a
/// programmer's error. Owner thread: any (immutable).
public final class Parameters {
  private final Map<String, Object> values;
  private final Map<String, String> given;

  private Parameters(Map<String, Object> values, Map<String, String> given) {
    this.values = values;
    this.given = given;
  }

  /// Reads the parameters of `spec` as declared.
  ///
  /// @param unitNanos length of a unit, for durations given in units
  /// @param algorithms what a nested algorithm may name
  /// @throws SpecException for one that is unknown, missing or out of range
  static Parameters bind(
      Spec spec, List<Parameter> declared, long unitNanos, Algorithms algorithms) {
    refuseUnknown(spec, declared);
    Map<String, Object> values = new HashMap<>();
    Map<String, String> givenTexts = new HashMap<>();
    for (Parameter parameter : declared) {
      Spec.Argument given = spec.arguments().get(parameter.name());
      if (given == null && parameter.isRequired()) {
        throw spec.error(
            spec.name().length(), "no " + parameter.name() + "=", parameter.kind().expected());
      }
      // A default is valid (see Parameter), so what is refused here was given.
      Spec.Argument argument =
          given == null ? new Spec.Argument(parameter.defaultValue(), 0, 0) : given;
      Object value =
          read(parameter.kind(), argument.value(), unitNanos)
              .orElseThrow(
                  () ->
                      spec.error(
                          argument.valuePosition(),
                          parameter.name() + "=" + argument.value(),
                          parameter.kind().expected()));
      if (given != null) {
        givenTexts.put(parameter.name(), given.value());
      }
      boolean nested = parameter.kind() instanceof Parameter.Kind.Nested;
      values.put(parameter.name(), nested ? algorithms.parse(argument.value(), unitNanos) : value);
    }
    return new Parameters(values, givenTexts);
  }

  private static void refuseUnknown(Spec spec, List<Parameter> declared) {
    spec.arguments()
        .forEach(
            (name, argument) -> {
              if (declared.stream().noneMatch(parameter -> parameter.name().equals(name))) {
                String expected =
                    declared.isEmpty()
                        ? "no parameters for " + spec.name()
                        : declared.stream().map(Parameter::name).collect(Collectors.joining(", "));
                throw spec.error(argument.keyPosition(), name, expected);
              }
            });
  }

  /// The value of `text`, or empty if a parameter of this kind does not accept it. A nested
  /// algorithm stays text.
  static Optional<Object> read(Parameter.Kind kind, String text, long unitNanos) {
    try {
      return switch (kind) {
        case Parameter.Kind.Whole(int min, int max) -> {
          int value = Integer.parseInt(text);
          yield value >= min && value <= max ? Optional.of(value) : Optional.empty();
        }
        case Parameter.Kind.Decimal(double min, double max) -> {
          double value = number(text);
          yield value >= min && value <= max ? Optional.of(value) : Optional.empty();
        }
        case Parameter.Kind.Wholes(int min, int max) -> wholes(text, min, max);
        case Parameter.Kind.Percent(double min, double max) -> {
          double value = text.endsWith("%") ? number(text.substring(0, text.length() - 1)) : -1;
          yield value >= min && value <= max ? Optional.of(value / 100) : Optional.empty();
        }
        case Parameter.Kind.Choice(List<String> words) ->
            words.contains(text) ? Optional.of(text) : Optional.empty();
        case Parameter.Kind.Time() -> duration(text, unitNanos);
        case Parameter.Kind.Nested() -> Optional.of(text);
      };
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  private static Optional<Object> wholes(String text, int min, int max) {
    String[] parts = text.split("\\+", -1);
    int[] values = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      values[i] = Integer.parseInt(parts[i]);
      if (values[i] < min || values[i] > max) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }

  private static Optional<Object> duration(String text, long unitNanos) {
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    double scale =
        switch (text.substring(end)) {
          case "ns" -> 1;
          case "us" -> 1e3;
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "u", "" -> unitNanos;
          default -> Double.NaN;
        };
    double nanos = number(text.substring(0, end)) * scale;
    return nanos >= 1 && nanos < Long.MAX_VALUE ? Optional.of(Math.round(nanos)) : Optional.empty();
  }

  /// As in Java, without its suffixes d and f, and without the words NaN and Infinity.
  private static double number(String text) {
    if (text.isEmpty() || Character.isLetter(text.charAt(text.length() - 1))) {
      throw new NumberFormatException(text);
    }
    return Double.parseDouble(text);
  }

  /// Its text as it was written; empty if it was not and has its default.
  public Optional<String> given(String name) {
    return Optional.ofNullable(given.get(name));
  }

  /// The value of a whole number.
  public int whole(String name) {
    return value(name, Integer.class);
  }

  /// The values of whole numbers, as written.
  public int[] wholes(String name) {
    return value(name, int[].class).clone();
  }

  /// The value of a number; of a percentage its share, 0.1 for `10%`.
  public double decimal(String name) {
    return value(name, Double.class);
  }

  /// The chosen word.
  public String choice(String name) {
    return value(name, String.class);
  }

  /// The value of a toggle.
  public boolean toggle(String name) {
    return choice(name).equals("true");
  }

  /// The value of a duration, in nanoseconds.
  public long nanos(String name) {
    return value(name, Long.class);
  }

  /// The nested algorithm.
  public ConfiguredAlgorithm algorithm(String name) {
    return value(name, ConfiguredAlgorithm.class);
  }

  private <T> T value(String name, Class<T> type) {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "parameter " + name + ": not declared as " + type.getSimpleName());
    }
    return type.cast(value);
  }
}
