package dev.herdlab.lab;

import dev.herdlab.dns.AddressType;
import dev.herdlab.dns.DnsException;
import dev.herdlab.dns.Subnet;
import dev.herdlab.dns.SubnetStudy;
import dev.herdlab.lab.report.DnsSubnetReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Asks on behalf of clients in several subnets.
@Command(
    name = "subnet",
    description = {
      "Asks for a name on behalf of clients in several subnets.",
      "By EDNS Client Subnet (RFC 7871): what each is told, and for how large a part of the network the",
      "answer is good, its scope: so many leading bits of the client's address decide it; 0 means that",
      "it is good for all."
    },
    footer = {
      "",
      "Exit codes: 1 no answer (no subnet has addresses, the server is silent or refuses), 2 bad usage.",
      "",
      "Example:",
      "  herdlab dns subnet www.example.test --server 127.0.0.1:5300 \\",
      "    --subnet 10.0.0.0/8 --subnet 192.0.2.0/24 --subnet 2001:db8::/32"
    })
final class DnsSubnetCommand implements Callable<Integer> {
  /// Four that belong to nobody (RFC 5737 and 3849).
  private static final List<String> DOCUMENTATION =
      List.of("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "The full name.")
  private String name = "";

  @Option(
      names = "--subnet",
      paramLabel = "CIDR",
      description = {
        "Subnet of the clients, several times for several (default: the four of",
        "documentation, 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24 and 2001:db8::/32)."
      })
  private List<String> subnets = new ArrayList<>();

  @Option(
      names = "--server",
      paramLabel = "ADDRESS[:PORT]",
      description = "The server (default: the first of /etc/resolv.conf).")
  private Optional<String> server = Optional.empty();

  @Option(names = "--type", paramLabel = "TYPE", description = "A or AAAA (default: A).")
  private AddressType type = AddressType.A;

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  @Override
  public Integer call() throws InterruptedException {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    List<Subnet> clients = new ArrayList<>();
    for (String text : subnets.isEmpty() ? DOCUMENTATION : subnets) {
      try {
        clients.add(Subnet.parse(text));
      } catch (IllegalArgumentException e) {
        throw DnsCommand.badUsage(spec, "--subnet: " + e.getMessage());
      }
    }
    try {
      SubnetStudy.Result result =
          SubnetStudy.ask(name, type, clients, DnsCommand.server(spec, server));
      spec.commandLine()
          .getOut()
          .print(
              chosen == Format.JSON ? DnsSubnetReport.json(result) : DnsSubnetReport.text(result));
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      throw DnsCommand.badUsage(spec, "NAME: " + e.getMessage());
    } catch (DnsException e) {
      return DnsCommand.noAnswer(spec, e);
    }
  }
}
