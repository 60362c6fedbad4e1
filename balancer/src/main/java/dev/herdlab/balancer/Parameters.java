package dev.herdlab.balancer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The values of an algorithm's or a view's parameters: complete, and each checked against its declaration.
///
/// A getter throws [IllegalArgumentException] for a name or kind that was not declared, which is a
/// programmer's error. Owner thread: any (immutable).
public final class Parameters {
  private final Map<String, Object> values;

  private Parameters(Map<String, Object> values) {
    this.values = values;
  }

  /// Reads the parameters of `spec` as declared.
  ///
  /// @throws SpecException for one that is unknown, missing or out of range
  static Parameters bind(Spec spec, List<Parameter> declared, long unitNanos) {
    Map<String, Object> values = new HashMap<>();
    for (Parameter parameter : declared) {
      Spec.Argument given = spec.arguments().get(parameter.name());
      if (given == null && parameter.defaultValue().equals(Parameter.REQUIRED)) {
        throw spec.error(
            spec.name().length(), "no " + parameter.name() + "=", parameter.kind().expected());
      }
      String text = given == null ? parameter.defaultValue() : given.value();
      Optional<Object> value = read(parameter.kind(), text, unitNanos);
      values.put(
          parameter.name(),
          value.orElseThrow(
              () ->
                  spec.error(
                      given == null ? 0 : given.position(),
                      parameter.name() + ": " + (text.isEmpty() ? "nothing" : text),
                      parameter.kind().expected())));
    }
    spec.arguments()
        .forEach(
            (name, argument) -> {
              if (!values.containsKey(name)) {
                int at = argument.position() - name.length() - 1;
                throw spec.error(at, name, expectedNames(spec, declared));
              }
            });
    return new Parameters(values);
  }

  private static String expectedNames(Spec spec, List<Parameter> declared) {
    return declared.isEmpty()
        ? "no parameters for " + spec.name()
        : String.join(", ", declared.stream().map(Parameter::name).toList());
  }

  private static Optional<Object> read(Parameter.Kind kind, String text, long unitNanos) {
    try {
      return switch (kind) {
        case Parameter.Kind.Whole(int min, int max) -> {
          int value = Integer.parseInt(text);
          yield value >= min && value <= max ? Optional.of(value) : Optional.empty();
        }
        case Parameter.Kind.Decimal(double min, double max) -> {
          double value = Double.parseDouble(text);
          yield value >= min && value <= max ? Optional.of(value) : Optional.empty();
        }
        case Parameter.Kind.Choice(List<String> words) ->
            words.contains(text) ? Optional.of(text) : Optional.empty();
        case Parameter.Kind.Time() -> nanos(text, unitNanos).map(value -> value);
        case Parameter.Kind.Nested() -> Optional.of(text);
      };
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  private static Optional<Long> nanos(String text, long unitNanos) {
    int digits = text.length();
    while (digits > 0 && Character.isLetter(text.charAt(digits - 1))) {
      digits--;
    }
    double scale =
        switch (text.substring(digits)) {
          case "ns" -> 1;
          case "us" -> 1e3;
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "u", "" -> unitNanos;
          default -> Double.NaN;
        };
    double nanos = Double.parseDouble(text.substring(0, digits)) * scale;
    return nanos >= 1 && nanos < Long.MAX_VALUE
        ? Optional.of(Math.round(nanos))
        : Optional.empty();
  }

  /// The value of a whole number.
  public int whole(String name) {
    return value(name, Integer.class);
  }

  /// The value of a number.
  public double decimal(String name) {
    return value(name, Double.class);
  }

  /// The chosen word, or a nested spec's text.
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

  private <T> T value(String name, Class<T> type) {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "parameter " + name + ": not declared as " + type.getSimpleName());
    }
    return type.cast(value);
  }
}
