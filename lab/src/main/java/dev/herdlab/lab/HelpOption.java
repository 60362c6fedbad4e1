package dev.herdlab.lab;

import picocli.CommandLine.Option;

/// The option that every command has; [Main] mixes it in.
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this text.")
  @SuppressWarnings("UnusedVariable") // picocli sets and reads it
  private boolean help;
}
