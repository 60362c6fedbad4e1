package dev.herdlab.lab.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The numbers of one metric, by the values of its labels: a counter's, a gauge's or an untyped
/// one's.
///
/// Owner thread: whoever holds its registry ([MetricsRegistry#update]); scrapes read the values.
final class Series {
  private final Declaration declaration;
  private final Exposition exposition;
  private final Map<List<String>, Value> values = new HashMap<>();
  private int round;

  Series(Declaration declaration, Exposition exposition) {
    this.declaration = declaration;
    this.exposition = exposition;
  }

  /// Where values become visible.
  interface Exposition {
    void show(List<String> labels, Value value);

    void hide(List<String> labels);
  }

  /// One number.
  static final class Value {
    private volatile double now;
    private int round;

    double now() {
      return now;
    }
  }

  /// Sets what the labels' number is now.
  void set(double value, String... labels) {
    touched(List.of(labels)).now = value;
  }

  /// Sets a number of things; exact below 2^53.
  void set(long value, String... labels) {
    set((double) value, labels);
  }

  /// Adds to a counter.
  void add(long more, String... labels) {
    Value value = touched(List.of(labels));
    double before = value.now;
    value.now = before + more;
  }

  /// Ends a round: removes what was neither set nor added to since the last one ended.
  void keepTouched() {
    keep(labels -> false);
  }

  /// Ends a round: removes what was neither set nor added to since the last one ended, unless its
  /// labels are alive.
  void keep(Predicate<List<String>> alive) {
    List<List<String>> gone = new ArrayList<>();
    values.forEach(
        (labels, value) -> {
          if (value.round != round && !alive.test(labels)) {
            gone.add(labels);
          }
        });
    gone.forEach(this::remove);
    round++;
  }

  /// Removes the series of some labels.
  void removeIf(Predicate<List<String>> gone) {
    List.copyOf(values.keySet()).stream().filter(gone).forEach(this::remove);
  }

  private void remove(List<String> labels) {
    values.remove(labels);
    exposition.hide(labels);
  }

  private Value touched(List<String> labels) {
    Value value = values.get(labels);
    if (value == null) {
      if (labels.size() != declaration.labels().size()) {
        throw new IllegalArgumentException(
            "labels: %s (expected: %s, of %s)"
                .formatted(labels, declaration.labels(), declaration.name()));
      }
      value = new Value();
      values.put(labels, value);
      exposition.show(labels, value);
    }
    value.round = round;
    return value;
  }
}
