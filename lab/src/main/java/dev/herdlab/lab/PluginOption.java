package dev.herdlab.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The option that names jars of algorithms.
final class PluginOption {
  @Option(names = "--plugin", paramLabel = "JAR", description = "A jar with algorithms of yours.")
  private List<Path> jars = new ArrayList<>();

  List<Path> jars() {
    return List.copyOf(jars);
  }
}
