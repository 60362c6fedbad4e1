package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.workload.DecimalText;
import dev.herdlab.workload.ServiceLaw;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/// The values of a study's settings: complete, and each checked against its declaration.
///
/// A getter throws [IllegalArgumentException] for a name or type that was not declared, which is a
/// programmer's error. Owner thread: any (immutable).
public final class Settings {
  /// Values that one setting may have: a range such as `0..1000000000` is a slip, not a plan.
  static final int MAX_VALUES = 10_000;

  private final Map<String, List<?>> values;

  private Settings(Map<String, List<?>> values) {
    this.values = values;
  }

  /// Reads `given` texts, and the defaults of those that are not given.
  ///
  /// @param declared what may be set
  /// @param given text by name
  /// @param algorithms what an algorithm's spec may name
  /// @param unitNanos length of a unit, for durations in an algorithm's parameters
  /// @throws IllegalArgumentException for an unknown name or a wrong value: one line, name, value,
  ///     expected
  public static Settings bind(
      List<Setting> declared, Map<String, String> given, Algorithms algorithms, long unitNanos) {
    for (String name : given.keySet()) {
      if (declared.stream().noneMatch(setting -> setting.name().equals(name))) {
        throw wrong(
            name,
            given.getOrDefault(name, ""),
            "one of the settings "
                + String.join(", ", declared.stream().map(Setting::name).toList()));
      }
    }
    Map<String, List<?>> values = new HashMap<>();
    for (Setting setting : declared) {
      String text = given.getOrDefault(setting.name(), setting.defaultText());
      List<Object> read = new ArrayList<>();
      for (String part : parts(setting, text)) {
        read.addAll(new Reader(setting, part.strip(), algorithms, unitNanos).values());
        if (read.size() > MAX_VALUES) {
          throw wrong(setting.name(), text, "at most " + MAX_VALUES + " values");
        }
      }
      values.put(setting.name(), List.copyOf(read));
    }
    return new Settings(values);
  }

  private static List<String> parts(Setting setting, String text) {
    if (setting.shape() == Setting.Shape.ONE) {
      return List.of(text);
    }
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',' && depth == 0) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  static IllegalArgumentException wrong(String name, String value, String expected) {
    return new IllegalArgumentException(
        name + ": " + (value.isEmpty() ? "nothing" : value) + " (expected: " + expected + ")");
  }

  /// Reads one text of a setting.
  private record Reader(Setting setting, String text, Algorithms algorithms, long unitNanos) {
    List<?> values() {
      try {
        return switch (setting.type()) {
          case Setting.Type.Whole(long min, long max) -> wholes(min, max);
          case Setting.Type.Decimal(double min) -> List.of(decimal(min));
          case Setting.Type.Positive() -> List.of(decimal(Double.MIN_VALUE));
          case Setting.Type.Choice(List<String> words) -> {
            if (!words.contains(text)) {
              throw wrong();
            }
            yield List.of(text);
          }
          case Setting.Type.AlgorithmSpec() ->
              List.of(spec(() -> algorithms.parse(text, unitNanos)));
          case Setting.Type.ServiceSpec() -> List.of(spec(() -> ServiceLaw.parse(text)));
          case Setting.Type.Proportion(int max) -> List.of(ratio(max));
          case Setting.Type.OrInfinite(double min) ->
              List.of(text.equals("inf") ? Double.POSITIVE_INFINITY : decimal(min));
        };
      } catch (NumberFormatException notANumber) {
        throw wrong();
      }
    }

    /// A spec's own error says where in the text; what is added is which setting it was.
    private <T> T spec(Supplier<T> parse) {
      try {
        return parse.get();
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(setting.name() + ": " + wrong.getMessage(), wrong);
      }
    }

    private List<Long> wholes(long min, long max) {
      int dots = text.indexOf("..");
      boolean range = dots > 0 && setting.shape() == Setting.Shape.LIST;
      long from = Long.parseLong(range ? text.substring(0, dots) : text);
      long to = range ? Long.parseLong(text.substring(dots + 2)) : from;
      if (from < min || to > max || to < from) {
        throw wrong();
      }
      // One more than is allowed is enough to be refused.
      return LongStream.rangeClosed(from, to).limit(MAX_VALUES + 1L).boxed().toList();
    }

    private Setting.Ratio ratio(int max) {
      String[] parts = text.split(":", -1);
      if (parts.length != 2) {
        throw wrong();
      }
      int first = Integer.parseInt(parts[0].strip());
      int second = Integer.parseInt(parts[1].strip());
      if (Math.min(first, second) < 1 || Math.max(first, second) > max) {
        throw wrong();
      }
      return new Setting.Ratio(first, second);
    }

    private double decimal(double min) {
      double value = DecimalText.read(text);
      if (!(value >= min) || Double.isInfinite(value)) {
        throw wrong();
      }
      return value;
    }

    private IllegalArgumentException wrong() {
      return Settings.wrong(setting.name(), text, setting.expected());
    }
  }

  /// The value of a whole number.
  public int whole(String name) {
    return Math.toIntExact(only(name, Long.class));
  }

  /// The values of a list of whole numbers.
  public List<Long> wholes(String name) {
    return list(name, Long.class);
  }

  /// The value of a number.
  public double decimal(String name) {
    return only(name, Double.class);
  }

  /// The values of a list of numbers.
  public List<Double> decimals(String name) {
    return list(name, Double.class);
  }

  /// The proportions.
  public List<Setting.Ratio> ratios(String name) {
    return list(name, Setting.Ratio.class);
  }

  /// The chosen words.
  public List<String> words(String name) {
    return list(name, String.class);
  }

  /// The named algorithms.
  public List<ConfiguredAlgorithm> algorithms(String name) {
    return list(name, ConfiguredAlgorithm.class);
  }

  /// The named service law.
  public ServiceLaw service(String name) {
    return only(name, ServiceLaw.class);
  }

  private <T> T only(String name, Class<T> type) {
    return list(name, type).getFirst();
  }

  private <T> List<T> list(String name, Class<T> type) {
    List<?> list = values.get(name);
    if (list == null || !list.stream().allMatch(type::isInstance)) {
      throw new IllegalArgumentException(
          "setting " + name + ": not declared as " + type.getSimpleName());
    }
    return list.stream().map(type::cast).toList();
  }
}
