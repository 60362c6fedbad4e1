package dev.herdlab.lab.config;

import dev.herdlab.workload.DecimalText;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;

/// What a key accepts: how its text is read, what to say when it cannot be, and its JSON Schema.
///
/// One text may stand for several values (`0..4`). Owner thread: any (immutable).
///
/// @param expected for messages and documentation, e.g. `a number above 0`
/// @param schema the JSON Schema of one value, as JSON text
/// @param maps whether a map stands for the text of its fields, `a=1 b=2`
/// @param reader the values of a text; empty if it cannot be read
public record ValueType<T>(
    String expected, String schema, boolean maps, Function<String, Optional<List<T>>> reader) {
  /// One of texts alone.
  public ValueType(String expected, String schema, Function<String, Optional<List<T>>> reader) {
    this(expected, schema, false, reader);
  }

  /// The values of `text`; empty if it cannot be read.
  public Optional<List<T>> read(String text) {
    try {
      return reader.apply(text);
    } catch (NumberFormatException | InvalidPathException unreadable) {
      return Optional.empty();
    }
  }

  private static <T> ValueType<T> single(
      String expected, String schema, Function<String, Optional<T>> reader) {
    return new ValueType<>(expected, schema, text -> reader.apply(text).map(List::of));
  }

  /// A whole number from `min` to `max`; `10_000` is 10000.
  public static ValueType<Integer> whole(int min, int max) {
    return single(
        "a whole number from " + min + " to " + max,
        "{\"type\":\"integer\",\"minimum\":" + min + ",\"maximum\":" + max + "}",
        text -> {
          int value = Integer.parseInt(digits(text));
          return value >= min && value <= max ? Optional.of(value) : Optional.empty();
        });
  }

  /// A whole number of 0 or more, up to 2^63 - 1.
  public static ValueType<Long> natural() {
    return single(
        "a whole number of 0 or more",
        "{\"type\":\"integer\",\"minimum\":0}",
        text -> {
          long value = Long.parseLong(digits(text));
          return value >= 0 ? Optional.of(value) : Optional.empty();
        });
  }

  /// A finite number above 0.
  public static ValueType<Double> positive() {
    return single(
        "a number above 0",
        "{\"type\":\"number\",\"exclusiveMinimum\":0}",
        text -> {
          double value = DecimalText.read(text);
          return value > 0 && value < Double.POSITIVE_INFINITY
              ? Optional.of(value)
              : Optional.empty();
        });
  }

  /// What `type` reads, or `none`.
  public static <T> ValueType<Optional<T>> orNone(ValueType<T> type) {
    return new ValueType<>(
        type.expected() + ", or none",
        "{\"anyOf\":[" + type.schema() + ",{\"const\":\"none\"}]}",
        text ->
            text.equals("none")
                ? Optional.of(List.of(Optional.empty()))
                : type.read(text).map(values -> values.stream().map(Optional::of).toList()));
  }

  /// Any text that is not empty.
  public static ValueType<String> text(String expected) {
    return single(
        expected,
        "{\"type\":\"string\",\"minLength\":1}",
        text -> text.isEmpty() ? Optional.empty() : Optional.of(text));
  }

  /// What is done to a system during a run: a text that [PlannedEvent] reads, a map, or `none`.
  static ValueType<String> event() {
    return new ValueType<>(
        PlannedEvent.EXPECTED,
        "{\"anyOf\":[{\"const\":\"none\"},{\"type\":\"string\",\"pattern\":\"(^| )at=\"},"
            + "{\"type\":\"object\",\"required\":[\"at\"],\"additionalProperties\":false,\"properties\":{"
            + "\"at\":{\"type\":\"number\",\"minimum\":0},"
            + "\"every\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
            + "\"backend\":{\"type\":\"string\",\"pattern\":\"^b[0-9]+$\"},"
            + "\"fault\":{\"type\":\"string\",\"pattern\":\"^(none|refuse|hang|close|status=5[0-9][0-9])$\"},"
            + "\"speed\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
            + "\"weight\":{\"type\":\"integer\",\"minimum\":1},"
            + "\"member\":{\"enum\":[\"leave\",\"join\"]},"
            + "\"proxies\":{\"const\":\"restart\"}}}]}",
        true,
        text -> text.isEmpty() ? Optional.empty() : Optional.of(List.of(text)));
  }

  /// Text of the form that `pattern` (a regular expression) describes.
  public static ValueType<String> matching(String pattern, String expected) {
    return single(
        expected,
        "{\"type\":\"string\",\"pattern\":\"^" + pattern.replace("\\", "\\\\") + "$\"}",
        text -> text.matches(pattern) ? Optional.of(text) : Optional.empty());
  }

  /// A share in percent, such as `20%`, as a fraction.
  public static ValueType<Double> percent(int most) {
    return single(
        "a share from 0% to " + most + "% such as 20%",
        "{\"type\":\"string\",\"pattern\":\"^[0-9]+(\\\\.[0-9]+)?%$\"}",
        text -> {
          double value =
              text.endsWith("%")
                  ? DecimalText.read(text.substring(0, text.length() - 1).strip())
                  : Double.NaN;
          return value >= 0 && value <= most ? Optional.of(value / 100) : Optional.empty();
        });
  }

  /// A percentile such as `p95`, or a number of units above 0.
  public static ValueType<String> hedge() {
    return single(
        "a percentile from p1 to p99, or units above 0",
        "{\"anyOf\":[{\"type\":\"string\",\"pattern\":\"^p[1-9][0-9]?$\"},"
            + "{\"type\":\"number\",\"exclusiveMinimum\":0}]}",
        text ->
            text.matches("p[1-9][0-9]?") || positive().read(text).isPresent()
                ? Optional.of(text)
                : Optional.empty());
  }

  /// A path to a file.
  public static ValueType<Path> path() {
    return single(
        "the path of a file",
        "{\"type\":\"string\",\"minLength\":1}",
        text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));
  }

  /// A file of requests, with the number of a cell in it behind `#`.
  public static ValueType<TraceSource> trace() {
    return single(
        "the path of a file, e.g. requests.csv.gz or requests.csv.gz#2",
        "{\"type\":\"string\",\"minLength\":1}",
        TraceSource::of);
  }

  /// One of `words`.
  public static ValueType<String> choice(List<String> words) {
    return single(
        String.join(" or ", words),
        schemaOf(words),
        text -> words.contains(text) ? Optional.of(text) : Optional.empty());
  }

  /// One of an enum's constants, as its [#word].
  public static <E extends Enum<E>> ValueType<E> constant(Class<E> type) {
    List<E> all = List.copyOf(EnumSet.allOf(type));
    List<String> words = all.stream().map(ValueType::word).toList();
    return single(
        String.join(" or ", words),
        schemaOf(words),
        text -> all.stream().filter(constant -> word(constant).equals(text)).findFirst());
  }

  /// A constant as it is written: `ONE_PROCESS` is `one-process`.
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String schemaOf(List<String> words) {
    return "{\"enum\":[\"" + String.join("\",\"", words) + "\"]}";
  }

  /// A duration of `minNanos` or more, such as `10ms`, in nanoseconds.
  public static ValueType<Long> duration(long minNanos) {
    return single(
        "a duration " + (minNanos > 0 ? "above 0 " : "") + "such as 10ms, 50us or 2s",
        "{\"type\":\"string\",\"pattern\":\"^[0-9]*\\\\.?[0-9]+(ns|us|ms|s)$\"}",
        text -> nanos(text).filter(value -> value >= minNanos));
  }

  /// A count, or a share of a total such as `10%`.
  public static ValueType<Portion> portion() {
    return single(
        "a whole number or a share such as 10%",
        "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0},"
            + "{\"type\":\"string\",\"pattern\":\"^[0-9]+(\\\\.[0-9]+)?%$\"}]}",
        Portion::read);
  }

  /// Whole numbers from 0 on: one, or a range such as `0..4` with both ends.
  public static ValueType<Long> wholes(int maxCount) {
    return new ValueType<>(
        "a whole number, or a range such as 0..4 of at most " + maxCount,
        "{\"anyOf\":[{\"type\":\"integer\",\"minimum\":0},"
            + "{\"type\":\"string\",\"pattern\":\"^[0-9]+\\\\.\\\\.[0-9]+$\"}]}",
        text -> {
          int dots = text.indexOf("..");
          long first = Long.parseLong(digits(dots < 0 ? text : text.substring(0, dots)));
          long last = dots < 0 ? first : Long.parseLong(digits(text.substring(dots + 2)));
          return first >= 0 && last >= first && last - first < maxCount
              ? Optional.of(LongStream.rangeClosed(first, last).boxed().toList())
              : Optional.empty();
        });
  }

  private static String digits(String text) {
    return text.matches("\\d+(_\\d+)*") ? text.replace("_", "") : text;
  }

  private static Optional<Long> nanos(String text) {
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
          default -> Double.NaN;
        };
    double nanos = DecimalText.read(text.substring(0, digits).strip()) * scale;
    return nanos >= 0 && nanos < Long.MAX_VALUE ? Optional.of(Math.round(nanos)) : Optional.empty();
  }
}
