package dev.herdlab.lab;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.dns.DnsServer;
import dev.herdlab.dns.Rotation;
import dev.herdlab.dns.ServedFiles;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.report.Json;
import dev.herdlab.workload.RandomStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Serves zone files.
@Command(
    name = "serve",
    description = {
      "An authoritative DNS server for zone files.",
      "Over UDP and TCP: rotates addresses, keeps the zone's TTLs, and may answer clients in some subnets",
      "differently (EDNS Client Subnet). Prints one JSON line with its port when it is ready, and runs",
      "until it is ended."
    },
    footer = {
      "",
      "A name that stands in a subnet's file is answered from that file alone for clients in the subnet;",
      "every other name as in the zone. The longest subnet that has the name counts. The client's subnet",
      "is what the query says (EDNS Client Subnet), else where the query comes from.",
      "",
      "It listens to the one address that it is given: 127.0.0.1 serves this machine alone.",
      "",
      "Example:",
      "  herdlab dns serve --listen 127.0.0.1:5300 --zone example.test=examples/dns/example.zone \\",
      "    --subnet 10.0.0.0/8=examples/dns/inside.zone"
    })
final class DnsServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      description = "Where; port 0 for a free one (default: 127.0.0.1:0).")
  private String listen = "127.0.0.1:0";

  @Option(
      names = "--zone",
      paramLabel = "ORIGIN=FILE",
      required = true,
      description = "A zone; several times for several.")
  private List<String> zones = new ArrayList<>();

  @Option(
      names = "--subnet",
      paramLabel = "CIDR=FILE",
      description = {"What clients in a subnet get instead; with several zones CIDR=ORIGIN=FILE."})
  private List<String> subnets = new ArrayList<>();

  @Option(
      names = "--rotation",
      paramLabel = "ORDER",
      description = {
        "Order of a name's records: cyclic, each answer one further; random; or none,",
        "as in the file (default: cyclic)."
      })
  private String rotation = "cyclic";

  @Option(names = "--seed", paramLabel = "N", description = "For a random order (default: 0).")
  private long seed;

  @Option(
      names = "--until",
      paramLabel = "END",
      description = {
        "What ends it: signal, or stdin, when the standard input ends (default: signal)."
      })
  private String until = "signal";

  private final InputStream in;

  DnsServeCommand(InputStream in) {
    this.in = in;
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    Rotation order = rotation();
    if (!until.equals("signal") && !until.equals("stdin")) {
      throw DnsCommand.badUsage(spec, "--until: " + until + " (expected: signal or stdin)");
    }
    ServedFiles files = files();
    RandomStream coins = RandomStream.of(seed, "dns-rotation");
    try (DnsServer server =
        new DnsServer(files, listenAddress(), order, coins::below, System::nanoTime)) {
      start(server);
      PrintWriter out = spec.commandLine().getOut();
      out.println(readyLine(server, files));
      out.flush();
      if (until.equals("stdin")) {
        in.transferTo(OutputStream.nullOutputStream());
      } else {
        server.await();
      }
    }
    return ExitCode.OK;
  }

  private Rotation rotation() {
    List<String> words =
        EnumSet.allOf(Rotation.class).stream()
            .map(order -> order.name().toLowerCase(Locale.ROOT))
            .toList();
    if (!words.contains(rotation)) {
      throw DnsCommand.badUsage(
          spec, "--rotation: " + rotation + " (expected: " + String.join(", ", words) + ")");
    }
    return Rotation.valueOf(rotation.toUpperCase(Locale.ROOT));
  }

  private InetSocketAddress listenAddress() {
    try {
      return DnsServer.listenAddress(listen);
    } catch (IllegalArgumentException e) {
      throw DnsCommand.badUsage(spec, "--listen: " + e.getMessage());
    }
  }

  private ServedFiles files() {
    try {
      return ServedFiles.parse(zones, subnets);
    } catch (IllegalArgumentException e) {
      String option = zones.stream().anyMatch(zone -> said(e).startsWith(zone)) ? "zone" : "subnet";
      throw DnsCommand.badUsage(spec, "--" + option + ": " + said(e));
    }
  }

  private static void start(DnsServer server) {
    try {
      server.start();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(said(e));
    }
  }

  private static String said(IllegalArgumentException e) {
    return String.valueOf(e.getMessage());
  }

  private static String readyLine(DnsServer server, ServedFiles files) {
    ObjectNode ready = Json.object().put("event", "ready").put("component", "dns");
    ready.putArray("ports").add(server.port());
    ArrayNode origins = ready.putArray("zones");
    files.zones().forEach(zone -> origins.add(zone.origin().toString()));
    return ready.toString();
  }
}
