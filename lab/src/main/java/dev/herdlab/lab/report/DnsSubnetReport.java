package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.dns.SubnetStudy;
import java.util.ArrayList;
import java.util.List;

/// What a server tells clients in different subnets, for people and as `herdlab.dns-subnet/1`.
/// Owner thread: any.
public final class DnsSubnetReport {
  private DnsSubnetReport() {}

  /// For a program.
  public static String json(SubnetStudy.Result result) {
    ObjectNode root = Json.document("herdlab.dns-subnet/1");
    root.put("name", result.name());
    root.put("type", result.type().name());
    root.put("server", result.server());
    root.put("different_answers", result.differentAnswers());
    ArrayNode subnets = root.putArray("subnets");
    for (SubnetStudy.Row row : result.rows()) {
      ObjectNode one = subnets.addObject();
      one.put("subnet", row.subnet().toString());
      ArrayNode addresses = one.putArray("addresses");
      row.addresses().forEach(addresses::add);
      one.put("ttl_seconds", row.ttlSeconds());
      if (row.scope().isPresent()) {
        one.put("scope", row.scope().getAsInt());
      } else {
        one.putNull("scope");
      }
    }
    return Json.text(root);
  }

  /// For a person.
  public static String text(SubnetStudy.Result result) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("subnet", "scope", "TTL", "addresses"));
    for (SubnetStudy.Row row : result.rows()) {
      lines.add(
          List.of(
              row.subnet().toString(),
              row.scope().isPresent() ? "/" + row.scope().getAsInt() : "none",
              row.ttlSeconds() + " s",
              row.addresses().isEmpty() ? "(none)" : String.join(" ", row.addresses())));
    }
    StringBuilder out = new StringBuilder();
    out.append(
        "%s %s, asked of %s for %d subnets: %s\n\n"
            .formatted(
                result.name(),
                result.type(),
                result.server(),
                result.rows().size(),
                result.differentAnswers() == 1
                    ? "the same addresses for all"
                    : result.differentAnswers() + " different answers"));
    out.append(DnsColumns.of(lines));
    boolean silent = result.rows().stream().allMatch(row -> row.scope().isEmpty());
    if (silent) {
      out.append("\nThe server says nothing of subnets: it does not know them, or drops them.\n");
    }
    return out.toString();
  }
}
