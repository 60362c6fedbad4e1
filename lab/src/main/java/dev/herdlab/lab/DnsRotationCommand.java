package dev.herdlab.lab;

import dev.herdlab.dns.AddressType;
import dev.herdlab.dns.DnsException;
import dev.herdlab.dns.RotationStudy;
import dev.herdlab.lab.report.DnsRotationReport;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Counts how often each address of a name comes first.
@Command(
    name = "rotation",
    description = {
      "Counts how often each address of a name comes first.",
      "Asks a server for the addresses, many times: how many there are, how long an answer may be kept,",
      "and which address comes first, which is the one that most clients take."
    },
    footer = {
      "",
      "Exit codes: 1 no answer (the name does not exist, the server is silent or refuses), 2 bad usage.",
      "",
      "Example:",
      "  herdlab dns rotation www.example.test --server 127.0.0.1:5300 --format json"
    })
final class DnsRotationCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The full name.")
  private String name = "";

  @Option(
      names = "--server",
      paramLabel = "ADDRESS[:PORT]",
      description = "The server (default: the first of /etc/resolv.conf).")
  private Optional<String> server = Optional.empty();

  @Option(names = "--count", paramLabel = "N", description = "How often it is asked (default: 20).")
  private int count = 20;

  @Option(names = "--type", paramLabel = "TYPE", description = "A or AAAA (default: A).")
  private AddressType type = AddressType.A;

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  @Override
  public Integer call() throws InterruptedException {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    if (count < 1 || count > RotationStudy.MAX_QUESTIONS) {
      throw DnsCommand.badUsage(
          spec, "--count: " + count + " (expected: 1 to " + RotationStudy.MAX_QUESTIONS + ")");
    }
    try {
      RotationStudy.Result result =
          RotationStudy.ask(name, type, DnsCommand.server(spec, server), count);
      spec.commandLine()
          .getOut()
          .print(
              chosen == Format.JSON
                  ? DnsRotationReport.json(result)
                  : DnsRotationReport.text(result));
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw DnsCommand.badUsage(spec, "NAME: " + e.getMessage());
    } catch (DnsException e) {
      return DnsCommand.noAnswer(spec, e);
    }
  }
}
