package dev.herdlab.lab;

import dev.herdlab.lab.report.RunFiles;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Writes the report of a run as HTML.
@Command(
    name = "report",
    description =
        "The report of a run as one HTML file, report.html in the run's folder; prints its path.",
    footer = {"", "Example:", "  herdlab report results/2026-11-30T120000-herd"})
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "DIR", description = "The folder of a run.")
  private Path folder = Path.of("");

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(RunFiles.open(folder).writeReport());
    return ExitCode.OK;
  }
}
