package dev.herdlab.simulator.study;

import java.util.List;

/// One thing that may be set in a study: its name, what it accepts, its default, and what it does.
///
/// Owner thread: any (immutable).
///
/// @param name as written: a-z and -
/// @param type what one value is
/// @param shape one value, or a list with commas between
/// @param defaultText its text when not given
/// @param documentation one line
public record Setting(
    String name, Type type, Shape shape, String defaultText, String documentation) {

  /// How many values a setting takes.
  public enum Shape {
    ONE,
    /// One or more; commas inside parentheses do not split, and whole numbers may be written as a
    /// range, `0..4`.
    LIST
  }

  /// What one value is.
  public sealed interface Type {
    /// A whole number from `min` to `max`.
    record Whole(long min, long max) implements Type {}

    /// A number, `min` or more.
    record Decimal(double min) implements Type {}

    /// A number above 0.
    record Positive() implements Type {}

    /// One of some words.
    record Choice(List<String> words) implements Type {
      public Choice {
        words = List.copyOf(words);
      }
    }

    /// An algorithm's spec.
    record AlgorithmSpec() implements Type {}

    /// A service law's spec.
    record ServiceSpec() implements Type {}

    /// Two whole numbers with a colon between, each from 1 to `max`; a [Ratio].
    record Proportion(int max) implements Type {}

    /// A number of `min` or more, or `inf`.
    record OrInfinite(double min) implements Type {}

    /// What is expected, for messages and documentation.
    default String expected() {
      return switch (this) {
        case Whole(long min, long max) ->
            max == Long.MAX_VALUE
                ? "a whole number, " + min + " or more"
                : "a whole number from " + min + " to " + max;
        case Decimal(double min) -> "a number, " + min + " or more";
        case Positive() -> "a number above 0";
        case Choice(List<String> words) -> String.join(" or ", words);
        case AlgorithmSpec() -> "an algorithm such as p2c or p2c(d=3)";
        case ServiceSpec() -> "a service law such as exponential(mean=1)";
        case Proportion(int max) -> "two whole numbers from 1 to " + max + ", such as 2:1";
        case OrInfinite(double min) -> "a number, " + min + " or more, or inf";
      };
    }
  }

  /// Two numbers to be seen in proportion, such as 2:1.
  public record Ratio(int first, int second) {
    @Override
    public String toString() {
      return first + ":" + second;
    }
  }

  /// What is expected of the whole text.
  public String expected() {
    return switch (shape) {
      case ONE -> type.expected();
      case LIST -> type.expected() + ", or several with commas between";
    };
  }

  static Setting whole(String name, long min, long max, String defaultText, String doc) {
    return new Setting(name, new Type.Whole(min, max), Shape.ONE, defaultText, doc);
  }

  static Setting positive(String name, String defaultText, String doc) {
    return new Setting(name, new Type.Positive(), Shape.ONE, defaultText, doc);
  }

  static Setting list(String name, Type type, String defaultText, String doc) {
    return new Setting(name, type, Shape.LIST, defaultText, doc);
  }
}
