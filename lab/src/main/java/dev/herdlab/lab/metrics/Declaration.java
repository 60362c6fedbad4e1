package dev.herdlab.lab.metrics;

import java.util.List;

/// One metric as it is declared: what `docs/metrics.md` shows, and what a scrape must show.
///
/// Owner thread: any (immutable).
///
/// @param name as Prometheus stores it, with unit and `_total`
/// @param unit the base unit, singular or plural as in a sentence: `seconds`, `requests`
/// @param labels their names, in the order of their values
/// @param description one sentence or two
record Declaration(String name, Kind kind, String unit, List<String> labels, String description) {
  private static final String PREFIX = "herdlab_";
  private static final String TOTAL = "_total";

  /// How a metric behaves.
  enum Kind {
    /// Only grows.
    COUNTER,
    /// Goes up and down.
    GAUGE,
    /// A distribution, in native and in classic buckets.
    HISTOGRAM,
    /// A number beside a `quantile` label: not a gauge, which may not have that label, nor a
    /// summary, which says what was observed here.
    UNTYPED
  }

  Declaration {
    labels = List.copyOf(labels);
    if (!name.startsWith(PREFIX) || name.endsWith(TOTAL) != (kind == Kind.COUNTER)) {
      throw new IllegalArgumentException(
          "name: " + name + " (expected: " + PREFIX + "..., with " + TOTAL + " for a counter)");
    }
    if (!description.endsWith(".")) {
      throw new IllegalArgumentException(
          "description: " + description + " (expected: sentences, of " + name + ")");
    }
  }

  static Declaration counter(String name, String unit, String description, String... labels) {
    return new Declaration(name, Kind.COUNTER, unit, List.of(labels), description);
  }

  static Declaration gauge(String name, String unit, String description, String... labels) {
    return new Declaration(name, Kind.GAUGE, unit, List.of(labels), description);
  }

  static Declaration histogram(String name, String description, String... labels) {
    return new Declaration(name, Kind.HISTOGRAM, "seconds", List.of(labels), description);
  }

  static Declaration untyped(String name, String unit, String description, String... labels) {
    return new Declaration(name, Kind.UNTYPED, unit, List.of(labels), description);
  }
}
