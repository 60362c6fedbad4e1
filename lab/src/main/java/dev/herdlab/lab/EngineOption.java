package dev.herdlab.lab;

import java.util.Optional;
import picocli.CommandLine.Option;

/// The option that names what makes the responses of backends.
final class EngineOption {
  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      description = "What makes the responses: herdlab or wiremock; the same as --set engine=.")
  private Optional<String> engine = Optional.empty();

  Optional<String> engine() {
    return engine;
  }
}
