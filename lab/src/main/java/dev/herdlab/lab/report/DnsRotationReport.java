package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.dns.RotationStudy;
import java.util.Locale;

/// How a server rotates a name's addresses, for people and as `herdlab.dns-rotation/1`. Owner
/// thread: any.
public final class DnsRotationReport {
  private static final int BAR_COLUMNS = 40;

  private DnsRotationReport() {}

  /// For a program.
  public static String json(RotationStudy.Result result) {
    ObjectNode root = Json.document("herdlab.dns-rotation/1");
    root.put("name", result.name());
    root.put("type", result.type().name());
    root.put("server", result.server());
    root.put("count", result.questions());
    root.put("addresses", result.first().size());
    root.putObject("addresses_per_answer")
        .put("min", result.leastAddresses())
        .put("max", result.mostAddresses());
    root.putObject("ttl_seconds")
        .put("min", result.leastTtlSeconds())
        .put("max", result.mostTtlSeconds());
    ArrayNode first = root.putArray("first");
    for (RotationStudy.First address : result.first()) {
      first
          .addObject()
          .put("address", address.address())
          .put("count", address.times())
          .put("share", (double) address.times() / result.questions());
    }
    return Json.text(root);
  }

  /// For a person.
  public static String text(RotationStudy.Result result) {
    StringBuilder out = new StringBuilder();
    out.append(
        "%s %s, asked %s of %s\n"
            .formatted(
                result.name(),
                result.type(),
                result.questions() == 1 ? "once" : result.questions() + " times",
                result.server()));
    out.append(
        "%s, %s in an answer; TTL %s s\n\n"
            .formatted(
                result.first().size() == 1 ? "1 address" : result.first().size() + " addresses",
                range(result.leastAddresses(), result.mostAddresses()),
                range(result.leastTtlSeconds(), result.mostTtlSeconds())));
    int width =
        result.first().stream().mapToInt(address -> address.address().length()).max().orElse(0);
    out.append(pad("address", width)).append("  first   share\n");
    for (RotationStudy.First address : result.first()) {
      double share = (double) address.times() / result.questions();
      String bar = "#".repeat((int) Math.round(share * BAR_COLUMNS));
      String line =
          String.format(
              Locale.ROOT,
              "%s  %5d  %4.0f %%  %s",
              pad(address.address(), width),
              address.times(),
              share * 100,
              bar);
      out.append(line.stripTrailing()).append('\n');
    }
    return out.toString();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String range(long least, long most) {
    return least == most ? String.valueOf(least) : least + " to " + most;
  }
}
