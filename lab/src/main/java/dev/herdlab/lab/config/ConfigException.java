package dev.herdlab.lab.config;

/// A configuration that cannot be used: the message is one line that says where, what was found and
/// what was expected. Ends the program with exit code 2.
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// With a line that is complete.
  public ConfigException(String line) {
    super(
        line.lines()
            .map(String::strip)
            .filter(part -> !part.isEmpty())
            .reduce((a, b) -> a + " " + b)
            .orElse(""));
  }

  /// `where: found (expected: expected)`.
  public static ConfigException at(String where, String found, String expected) {
    return new ConfigException(
        where + ": " + (found.isBlank() ? "nothing" : found) + " (expected: " + expected + ")");
  }
}
