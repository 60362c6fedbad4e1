package dev.herdlab.lab;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Asks a component's admin port whether it is well. [Main] does the same without this class, which
/// is there for `--help`.
@Command(
    name = HealthCheck.COMMAND,
    description = "Asks a component whether it is well.",
    footer = {"", "Prints one line; exit code 0 if it is well, 1 if not or not to be reached."})
final class HealthCommand implements Callable<Integer> {
  @Parameters(paramLabel = "URL|HOST:PORT", description = "Its admin port.")
  private String place = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  static CommandLine create() {
    return new CommandLine(new HealthCommand());
  }

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    return HealthCheck.check(place, command.getOut(), command.getErr());
  }
}
