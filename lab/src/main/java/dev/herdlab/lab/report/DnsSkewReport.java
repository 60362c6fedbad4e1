package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.DnsSkewResult;
import dev.herdlab.simulator.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How unevenly DNS spreads requests, for people and as `herdlab.dns-skew/1`. Owner thread: any.
public final class DnsSkewReport {
  private DnsSkewReport() {}

  /// For a program.
  public static String json(DnsSkewResult result) {
    ObjectNode root = Json.document("herdlab.dns-skew/1");
    root.put("proxies", result.proxies());
    root.put("requests", result.requests());
    root.put("requests_per_unit", result.requestsPerUnit());
    root.put("seed", result.seed());
    root.put("window", result.windowUnits());
    ArrayNode cells = root.putArray("cells");
    for (DnsSkewResult.Row row : result.rows()) {
      ObjectNode cell = cells.addObject();
      cell.put("rotation", row.rotation());
      cell.put("clients", row.clients());
      cell.put("ttl", row.ttl());
      cell.put("questions", row.questions());
      cell.putObject("measured")
          .put("skew", row.measured().largest())
          .put("cv", row.measured().variation())
          .put("window_skew", row.measured().window())
          .put("idle_proxies", row.measured().idle());
      ObjectNode model = cell.putObject("model");
      model.put("runs", row.model().runs());
      model.put("different", row.model().different());
      put(model.putObject("skew"), row.model().largest());
      put(model.putObject("cv"), row.model().variation());
      put(model.putObject("window_skew"), row.model().window());
      cell.put("agrees", row.model().agrees());
      row.http()
          .ifPresent(
              http -> {
                ObjectNode sent = cell.putObject("http");
                put(sent.putObject("measured"), http.measured());
                put(sent.putObject("replay"), http.replay());
                ObjectNode verdict = sent.putObject("verdict");
                verdict.put("valid", http.verdict().valid());
                ArrayNode reasons = verdict.putArray("reasons");
                http.verdict().reasons().forEach(reasons::add);
              });
    }
    return Json.text(root);
  }

  private static void put(ObjectNode to, CellResult.Spread spread) {
    to.put("mean", spread.mean()).put("sd", spread.sd()).put("agrees", spread.agrees());
  }

  private static void put(ObjectNode to, Quantiles latency) {
    to.put("p50", latency.p50()).put("p95", latency.p95());
    to.put("p99", latency.p99()).put("mean", latency.mean());
  }

  /// For a person.
  public static String text(DnsSkewResult result) {
    boolean http = result.rows().stream().anyMatch(row -> row.http().isPresent());
    List<List<String>> lines = new ArrayList<>();
    lines.add(heading(result, http));
    result.rows().forEach(row -> lines.add(line(row, http)));
    StringBuilder out = new StringBuilder();
    out.append(
        String.format(
            Locale.ROOT,
            "%d proxies found through DNS, %d requests, %.1f a unit; a second of TTL is a unit\n\n",
            result.proxies(),
            result.requests(),
            result.requestsPerUnit()));
    out.append(DnsColumns.of(lines));
    List<String> notes = new ArrayList<>();
    notes.add(
        "skew: the largest share of a proxy over the mean share, over the whole run and, as the mean of"
            + " windows, within it; cv: the shares' standard deviation over their mean; idle: proxies"
            + " without a request. Measured by the answers of a real server, then the model: all requests"
            + " at the same proxies where there are no coins, else mean and standard deviation of its"
            + " runs.");
    long apart = result.rows().stream().filter(row -> !row.model().agrees()).count();
    notes.add(
        apart == 0
            ? "The model agrees with every row."
            : "The model does not agree with " + apart + " of " + result.rows().size() + " rows.");
    for (String note : notes) {
      out.append('\n').append(String.join("\n", TextLines.wrap(note, 100))).append('\n');
    }
    for (DnsSkewResult.Row row : result.rows()) {
      List<String> reasons = row.http().map(sent -> sent.verdict().reasons()).orElse(List.of());
      if (!reasons.isEmpty()) {
        out.append(
            "\nNot valid: %s, %d clients, TTL %d:\n  %s\n"
                .formatted(row.rotation(), row.clients(), row.ttl(), String.join("\n  ", reasons)));
      }
    }
    return out.toString();
  }

  private static List<String> heading(DnsSkewResult result, boolean http) {
    List<String> heading =
        new ArrayList<>(
            List.of(
                "rotation",
                "clients",
                "TTL",
                "asked",
                "skew",
                "model",
                "in " + Figures.plain(result.windowUnits()) + " units",
                "model",
                "cv",
                "model",
                "idle",
                "agrees"));
    if (http) {
      heading.addAll(List.of("p50", "replay", "p99", "replay"));
    }
    return heading;
  }

  private static List<String> line(DnsSkewResult.Row row, boolean http) {
    List<String> line =
        new ArrayList<>(
            List.of(
                row.rotation(),
                String.valueOf(row.clients()),
                String.valueOf(row.ttl()),
                String.valueOf(row.questions()),
                number(row.measured().largest()),
                spread(row.model().largest()),
                number(row.measured().window()),
                spread(row.model().window()),
                number(row.measured().variation()),
                spread(row.model().variation()),
                String.valueOf(row.measured().idle()),
                row.model().agrees() ? "yes" : "no"));
    if (http) {
      line.addAll(
          row.http()
              .map(
                  sent ->
                      List.of(
                          Figures.units(sent.measured().p50()),
                          Figures.units(sent.replay().p50()),
                          Figures.units(sent.measured().p99()),
                          Figures.units(sent.replay().p99())))
              .orElse(List.of("-", "-", "-", "-")));
    }
    return line;
  }

  private static String spread(CellResult.Spread spread) {
    String mean = number(spread.mean());
    return spread.sd() == 0 ? mean : mean + " ±" + number(spread.sd());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
