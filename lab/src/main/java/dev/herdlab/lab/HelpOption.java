package dev.herdlab.lab;

import picocli.CommandLine.Option;

/// The option that every command has.
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  private boolean help;
}
