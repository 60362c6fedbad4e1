package dev.herdlab.lab.config;

import dev.herdlab.workload.DecimalText;
import java.util.Optional;

/// A part of a total: a count, or a share of it. Owner thread: any (immutable).
///
/// @param value the count, or the share in percent
/// @param kind which of them
public record Portion(double value, Kind kind) {
  /// How it was written.
  public enum Kind {
    COUNT,
    PERCENT
  }

  static Optional<Portion> read(String text) {
    boolean percent = text.endsWith("%");
    String number = (percent ? text.substring(0, text.length() - 1) : text).replace("_", "");
    double value = DecimalText.read(number.strip());
    boolean valid =
        percent
            ? value >= 0 && value < 100
            : value >= 0 && value == Math.rint(value) && value < 1e9;
    return valid
        ? Optional.of(new Portion(value, percent ? Kind.PERCENT : Kind.COUNT))
        : Optional.empty();
  }

  /// The part of `total`, rounded down.
  public int of(int total) {
    return kind == Kind.COUNT ? (int) value : (int) Math.floor(total * value / 100);
  }
}
