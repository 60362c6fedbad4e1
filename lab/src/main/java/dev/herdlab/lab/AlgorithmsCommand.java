package dev.herdlab.lab;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.report.AlgorithmsReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Lists what may be named as an algorithm.
@Command(
    name = "algorithms",
    description =
        "Every algorithm with its parameters, cost, state and sources, and how it differs from those.",
    footer = {"", "Example:", "  herdlab algorithms --format json"})
final class AlgorithmsCommand implements Callable<Integer> {
  @Mixin private final PluginOption plugins = new PluginOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  @Override
  public Integer call() {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    Algorithms algorithms = Main.algorithms(plugins.jars());
    spec.commandLine()
        .getOut()
        .print(
            chosen == Format.JSON
                ? AlgorithmsReport.json(algorithms)
                : AlgorithmsReport.text(algorithms));
    return ExitCode.OK;
  }
}
