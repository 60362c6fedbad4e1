package dev.herdlab.lab.config;

import java.util.Locale;

/// Where a value was written, for messages. Owner thread: any (immutable).
public sealed interface Origin {
  /// A line of a file, from 1.
  record Line(String file, int line) implements Origin {}

  /// The flag `--set`.
  record Flag() implements Origin {}

  /// The environment variable of the key.
  record Environment() implements Origin {}

  /// Nowhere: the key's default.
  record Default() implements Origin {}

  /// Where, without the key: the beginning of a message that names the key itself.
  default String place(String key) {
    return switch (this) {
      case Line(String file, int line) -> file + ":" + line;
      case Flag() -> "--set " + key;
      case Environment() -> "environment " + variable(key);
      case Default() -> "default of " + key;
    };
  }

  /// Where, and for which key, e.g. `herd.yaml:7: rho` or `--set rho`.
  default String describe(String key) {
    return this instanceof Line ? place(key) + ": " + key : place(key);
  }

  /// The environment variable of a key: `HERDLAB_MODEL_REQUESTS` for `model-requests`.
  static String variable(String key) {
    return "HERDLAB_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }
}
