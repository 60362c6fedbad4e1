package dev.herdlab.lab;

import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// What stdout carries. Owner thread: any (immutable).
enum Format {
  TEXT,
  JSON,
  CSV;

  /// The value of `--format`.
  ///
  /// @throws CommandLine.ParameterException if it is none of `allowed`
  static Format of(CommandSpec spec, String text, Format... allowed) {
    List<String> names = List.of(allowed).stream().map(Format::written).toList();
    for (Format format : allowed) {
      if (format.written().equals(text)) {
        return format;
      }
    }
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "--format: " + text + " (expected: " + String.join(" or ", names) + ")");
  }

  private String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
