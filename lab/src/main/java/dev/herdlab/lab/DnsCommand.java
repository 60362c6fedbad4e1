package dev.herdlab.lab;

import dev.herdlab.dns.DnsServerAddress;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The DNS studies and their server, each a command of its own below this one.
@Command(
    name = "dns",
    description = "DNS as a load balancer: what servers answer, and what their answers do.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  herdlab dns serve --listen 127.0.0.1:5300 --zone example.test=examples/dns/example.zone",
      "  herdlab dns rotation www.example.test --server 127.0.0.1:5300",
      "  herdlab dns subnet www.example.test --server 127.0.0.1:5300 --subnet 10.0.0.0/8",
      "  herdlab dns skew"
    })
final class DnsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  static CommandLine create(Host host, InputStream in) {
    CommandLine dns = new CommandLine(new DnsCommand());
    dns.addSubcommand(new DnsRotationCommand());
    dns.addSubcommand(new DnsSubnetCommand());
    dns.addSubcommand(new DnsServeCommand(in));
    dns.addSubcommand(DnsSkewCommand.create(host));
    dns.getSubcommands().values().forEach(command -> command.addMixin("help", new HelpOption()));
    return dns;
  }

  @Override
  public Integer call() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "dns: no command (expected: " + String.join(", ", spec.subcommands().keySet()) + ")");
  }

  /// The value of `--server`.
  static Optional<InetSocketAddress> server(CommandSpec spec, Optional<String> text) {
    try {
      return text.map(DnsServerAddress::parse);
    } catch (IllegalArgumentException e) {
      throw badUsage(spec, "--server: " + e.getMessage());
    }
  }

  /// An error of usage, as one line.
  static CommandLine.ParameterException badUsage(CommandSpec spec, String line) {
    return new CommandLine.ParameterException(spec.commandLine(), line);
  }

  /// Prints why there is no result, as one line, and gives the exit code.
  static int noAnswer(CommandSpec spec, Exception e) {
    spec.commandLine().getErr().println("herdlab: " + e.getMessage());
    return ExitCode.INTERNAL;
  }
}
