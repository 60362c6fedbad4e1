package dev.herdlab.lab;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The option that sets a key.
final class SetOption {
  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Sets a key; wins over the environment (HERDLAB_<KEY>), which wins over the file.")
  private List<String> sets = new ArrayList<>();

  List<String> values() {
    return List.copyOf(sets);
  }
}
