package dev.herdlab.lab;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The program without a command.
@Command(
    name = "herdlab",
    header =
        "What does a load-balancing algorithm do to latency when several proxies share backends?",
    description = {
      "",
      "Answers twice on the same requests, with real HTTP over real sockets and in an exact model, and",
      "shows the two side by side.",
      ""
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Start with:",
      "  herdlab run              the herd, live: about a minute",
      "  herdlab study herd       the published herd, in the model alone",
      "  herdlab run --help       what an experiment may set",
      "",
      "Results go to stdout, progress and warnings to stderr. Exit codes: 0 fine, 1 internal error,",
      "results that could not be written (a full disk) or no answer from DNS, 2 bad usage or",
      "configuration, 3 the run is not valid, 4 a threshold of the experiment is broken, 130 ended by Ctrl-C,",
      "143 ended by SIGTERM."
    })
final class HerdlabCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "no command (expected: " + String.join(", ", spec.subcommands().keySet()) + ")");
  }
}
