package dev.herdlab.balancer;

import java.util.List;

/// One parameter of an algorithm or view, declared: name, what it accepts, default, and what it
/// does.
///
/// Owner thread: any (immutable).
///
/// @param name as written in a spec: a-z, 0-9 and -
/// @param kind what it accepts
/// @param defaultValue its text when absent, or [#REQUIRED]
/// @param documentation one line
public record Parameter(String name, Kind kind, String defaultValue, String documentation) {
  /// The default of a parameter that must be given.
  public static final String REQUIRED = "";

  public Parameter {
    Spec.checkName("parameter", name);
    // Any length of a unit will do: the value is not kept.
    if (!defaultValue.equals(REQUIRED)
        && Parameters.read(kind, defaultValue, 1_000_000_000).isEmpty()) {
      throw new IllegalArgumentException(
          "default of parameter %s: %s (expected: %s)"
              .formatted(name, defaultValue, kind.expected()));
    }
  }

  /// Whether it must be given.
  public boolean isRequired() {
    return defaultValue.equals(REQUIRED);
  }

  /// What a parameter accepts.
  public sealed interface Kind {
    /// A whole number from `min` to `max`.
    record Whole(int min, int max) implements Kind {}

    /// A number from `min` to `max`.
    record Decimal(double min, double max) implements Kind {}

    /// A percentage from `min` to `max`, with its sign, such as `10%`.
    record Percent(double min, double max) implements Kind {}

    /// Some whole numbers from `min` to `max`, joined by `+`, such as `0+1+3`.
    record Wholes(int min, int max) implements Kind {}

    /// One of some words.
    record Choice(List<String> words) implements Kind {
      public Choice {
        words = List.copyOf(words);
      }
    }

    /// A length of time above 0: `10s`, `5ms`, `20us`, or in units, `4u` or just `4`.
    record Time() implements Kind {}

    /// Another algorithm's spec, for an algorithm that wraps one.
    record Nested() implements Kind {}

    /// What is expected, for error messages and documentation.
    default String expected() {
      return switch (this) {
        case Whole(int min, int max) -> "a whole number from " + min + " to " + max;
        case Decimal(double min, double max) -> "a number from " + min + " to " + max;
        case Wholes(int min, int max) ->
            "whole numbers from " + min + " to " + max + " such as 0+1+3";
        case Percent(double min, double max) -> "a percentage from " + min + "% to " + max + "%";
        case Choice(List<String> words) -> String.join(" or ", words);
        case Time() -> "a duration above 0 such as 10s, 5ms, 20us or 4u (units)";
        case Nested() -> "an algorithm such as p2c(d=3)";
      };
    }
  }

  /// A whole number from `min` to `max`.
  public static Parameter whole(String name, int min, int max, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Whole(min, max), defaultValue, doc);
  }

  /// A number from `min` to `max`.
  public static Parameter decimal(
      String name, double min, double max, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Decimal(min, max), defaultValue, doc);
  }

  /// Some whole numbers from `min` to `max`.
  public static Parameter wholes(String name, int min, int max, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Wholes(min, max), defaultValue, doc);
  }

  /// A percentage; its value is the share, 0.1 for `10%`.
  public static Parameter percent(
      String name, double min, double max, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Percent(min, max), defaultValue, doc);
  }

  /// One of `words`.
  public static Parameter choice(String name, List<String> words, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Choice(words), defaultValue, doc);
  }

  /// `true` or `false`.
  public static Parameter toggle(String name, String defaultValue, String doc) {
    return choice(name, List.of("true", "false"), defaultValue, doc);
  }

  /// A length of time.
  public static Parameter duration(String name, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Time(), defaultValue, doc);
  }

  /// Another algorithm.
  public static Parameter nested(String name, String defaultValue, String doc) {
    return new Parameter(name, new Kind.Nested(), defaultValue, doc);
  }
}
