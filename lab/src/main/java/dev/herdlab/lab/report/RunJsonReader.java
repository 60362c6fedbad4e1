package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.lab.config.AttemptText;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Events;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.lab.config.Threshold;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import dev.herdlab.workload.Queueing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads a [RunDocument] from JSON. Owner thread: any.
final class RunJsonReader {
  private RunJsonReader() {}

  static RunDocument read(String text) {
    JsonNode root = Json.parse(text);
    String format = text(root, "format");
    if (!format.equals(RunDocument.FORMAT)) {
      throw new IllegalArgumentException(
          "format: " + format + " (expected: " + RunDocument.FORMAT + ")");
    }
    Map<String, Object> environment = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> fact : need(root, "environment").properties()) {
      JsonNode value = fact.getValue();
      environment.put(
          fact.getKey(), value.isIntegralNumber() ? (Object) value.longValue() : value.asText());
    }
    List<CellResult> cells = new ArrayList<>();
    need(root, "cells").forEach(cell -> cells.add(cell(cell)));
    return new RunDocument(
        text(root, "experiment"),
        root.path("description").asText(""),
        environment,
        thresholds(root),
        cells);
  }

  private static List<Threshold> thresholds(JsonNode root) {
    List<Threshold> thresholds = new ArrayList<>();
    for (JsonNode rule : root.path("thresholds")) {
      thresholds.add(
          Threshold.read(rule.asText())
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "thresholds: " + rule.asText() + " (expected: a threshold)")));
    }
    return thresholds;
  }

  private static CellResult cell(JsonNode json) {
    List<CellResult.Attempt> tried = new ArrayList<>();
    json.path("tried")
        .forEach(
            one -> tried.add(new CellResult.Attempt(quantiles(one, "measured"), verdict(one))));
    return new CellResult(
        plan(json),
        number(json, "utilisation"),
        json.path("trace_sha256").asText(""),
        json.has("measured") ? Optional.of(comparison(json)) : Optional.empty(),
        json.has("model") ? Optional.of(model(json)) : Optional.empty(),
        tried);
  }

  private static CellPlan plan(JsonNode json) {
    List<Double> speeds = new ArrayList<>();
    need(json, "speeds").forEach(speed -> speeds.add(speed.asDouble()));
    List<Integer> weights = new ArrayList<>();
    need(json, "weights").forEach(weight -> weights.add(weight.asInt()));
    return new CellPlan(
        Math.round(number(json, "unit_seconds") * 1e9),
        need(json, "backends").asInt(),
        speeds,
        weights,
        text(json, "service"),
        text(json, "arrivals"),
        json.path("tenants").asText("none"),
        need(json, "proxies").asInt(),
        json.path("proxy_choice").asText("uniform"),
        number(json, "rho"),
        need(json, "requests").asInt(),
        need(json, "warmup").asInt(),
        need(json, "seed").asLong(),
        text(json, "algorithm"),
        text(json, "view"),
        serving(json),
        events(json));
  }

  private static Events events(JsonNode json) {
    List<String> events = new ArrayList<>();
    json.path("events").forEach(event -> events.add(event.asText()));
    return Events.of(events);
  }

  /// What is not there is as usual.
  private static Serving serving(JsonNode json) {
    String discipline = json.path("discipline").asText(Queueing.Discipline.FIFO.label());
    Queueing queueing =
        new Queueing(
            Queueing.Discipline.valueOf(discipline.toUpperCase(Locale.ROOT)),
            json.path("servers").asInt(1),
            json.path("queue").asInt(Queueing.UNBOUNDED));
    double unitNanos = number(json, "unit_seconds") * 1e9;
    return new Serving(
        queueing,
        json.has("timeout") ? Math.round(number(json, "timeout") * unitNanos) : Model.NO_TIMEOUT,
        AttemptText.read(
            json.path("retries").asInt(0),
            json.path("retry_budget").asDouble(Double.POSITIVE_INFINITY),
            json.path("hedge").asText("none"),
            Math.round(unitNanos)));
  }

  private static AttemptCounts attempts(JsonNode holder) {
    JsonNode json = holder.path("attempts");
    return json.isMissingNode()
        ? AttemptCounts.NONE
        : new AttemptCounts(
            need(json, "made").asLong(),
            need(json, "retries").asLong(),
            need(json, "hedges").asLong(),
            need(json, "hedges_won").asLong(),
            need(json, "over_budget").asLong());
  }

  private static CellResult.Comparison comparison(JsonNode json) {
    JsonNode excess = need(json, "excess");
    JsonNode twin = need(json, "twin");
    JsonNode audit = need(json, "audit");
    JsonNode herding = need(json, "herding");
    Map<String, CellResult.Part> budget = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> part : need(json, "budget").properties()) {
      JsonNode value = part.getValue();
      budget.put(
          part.getKey(),
          new CellResult.Part(number(value, "mean"), number(value, "p50"), number(value, "p99")));
    }
    return new CellResult.Comparison(
        quantiles(json, "measured"),
        quantiles(json, "replay"),
        quantiles(json, "replay_sent"),
        new CellResult.Excess(
            number(excess, "p50"), number(excess, "p99"), need(excess, "negative").asInt()),
        new CellResult.Twin(
            need(twin, "seeds").asInt(),
            spread(twin, "p50"),
            spread(twin, "p95"),
            spread(twin, "p99"),
            spread(twin, "mean"),
            twin.has("failed") ? Optional.of(spread(twin, "failed")) : Optional.empty()),
        new CellResult.Audit(need(audit, "picks").asLong(), need(audit, "different").asLong()),
        budget,
        instrument(need(json, "instrument")),
        accounting(need(json, "accounting")),
        new CellResult.Herding(
            number(herding, "index"), number(herding, "under_random"), numbers(herding, "shares")),
        verdict(json),
        stability(json));
  }

  private static Stability stability(JsonNode holder) {
    JsonNode json = holder.path("stability");
    return json.isMissingNode()
        ? Stability.UNKNOWN
        : new Stability(number(json, "load"), number(json, "error"), number(json, "growth"));
  }

  private static CellResult.Instrument instrument(JsonNode json) {
    return new CellResult.Instrument(
        number(json, "send_lag_p99_seconds"),
        number(json, "lateness_p99_seconds"),
        number(json, "longest_stall_seconds"),
        number(json, "others_cores"),
        number(json, "own_cores"),
        number(json, "gc_pause_seconds"),
        number(json, "achieved_rate"),
        text(json, "scheduling"),
        need(json, "connections_opened").asInt());
  }

  private static CellResult.Accounting accounting(JsonNode json) {
    return new CellResult.Accounting(
        need(json, "sent").asLong(),
        need(json, "completed").asLong(),
        counts(json, "failed"),
        attempts(json));
  }

  private static Map<String, Long> counts(JsonNode json, String name) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one : need(json, name).properties()) {
      counts.put(one.getKey(), one.getValue().asLong());
    }
    return counts;
  }

  private static CellResult.LongModel model(JsonNode cell) {
    JsonNode json = need(cell, "model");
    return new CellResult.LongModel(
        need(json, "requests").asLong(),
        need(json, "seeds").asInt(),
        quantiles(cell, "model"),
        json.has("half_width") ? quantiles(json, "half_width") : Quantiles.NONE,
        numbers(json, "shares"),
        json.path("refused").asLong(0),
        stability(json),
        json.has("failed") ? counts(json, "failed") : Map.of(),
        attempts(json));
  }

  private static CellResult.Verdict verdict(JsonNode holder) {
    List<String> reasons = new ArrayList<>();
    need(need(holder, "verdict"), "reasons").forEach(reason -> reasons.add(reason.asText()));
    return new CellResult.Verdict(reasons);
  }

  private static Quantiles quantiles(JsonNode holder, String name) {
    JsonNode json = need(holder, name);
    return new Quantiles(
        number(json, "p50"), number(json, "p95"), number(json, "p99"), number(json, "mean"));
  }

  private static CellResult.Spread spread(JsonNode holder, String name) {
    JsonNode json = need(holder, name);
    return new CellResult.Spread(
        number(json, "mean"), number(json, "sd"), need(json, "agrees").asBoolean());
  }

  private static String text(JsonNode json, String name) {
    return need(json, name).asText();
  }

  /// None where the key is missing.
  private static List<Double> numbers(JsonNode json, String name) {
    List<Double> numbers = new ArrayList<>();
    json.path(name).forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }

  /// NaN where there is null.
  private static double number(JsonNode json, String name) {
    return need(json, name).asDouble(Double.NaN);
  }

  private static JsonNode need(JsonNode json, String name) {
    JsonNode found = json.path(name);
    if (found.isMissingNode()) {
      throw new IllegalArgumentException(
          name + ": missing (expected: as in " + RunDocument.FORMAT + ")");
    }
    return found;
  }
}
