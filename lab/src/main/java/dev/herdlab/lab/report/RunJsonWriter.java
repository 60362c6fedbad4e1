package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.util.List;
import java.util.Map;

/// Writes a [RunDocument] as JSON. Its counterpart is [RunJsonReader]. Owner thread: any.
final class RunJsonWriter {
  private RunJsonWriter() {}

  static String write(RunDocument document) {
    ObjectNode root = Json.document(RunDocument.FORMAT);
    root.put("experiment", document.experiment());
    root.put("description", document.description());
    ObjectNode environment = root.putObject("environment");
    document
        .environment()
        .forEach(
            (name, value) -> {
              switch (value) {
                case Integer whole -> environment.put(name, whole);
                case Long whole -> environment.put(name, whole);
                case Double number -> environment.put(name, number);
                case Boolean truth -> environment.put(name, truth);
                default -> environment.put(name, value.toString());
              }
            });
    ArrayNode cells = root.putArray("cells");
    document.cells().forEach(cell -> cells.add(cell(cell)));
    return Json.text(root);
  }

  private static ObjectNode cell(CellResult cell) {
    ObjectNode json = plan(cell.plan());
    json.put("utilisation", cell.utilisation());
    cell.comparison().ifPresent(comparison -> addComparison(json, comparison));
    cell.model().ifPresent(model -> json.set("model", model(model)));
    if (!cell.tried().isEmpty()) {
      json.put("attempts", cell.tried().size());
      ArrayNode tried = json.putArray("tried");
      for (CellResult.Attempt attempt : cell.tried()) {
        ObjectNode one = tried.addObject();
        one.set("measured", quantiles(attempt.measured()));
        one.set("verdict", verdict(attempt.verdict()));
      }
    }
    return json;
  }

  private static ObjectNode plan(CellPlan plan) {
    ObjectNode json = Json.object();
    json.put("algorithm", plan.algorithm());
    json.put("view", plan.view());
    json.put("proxies", plan.proxies());
    json.put("backends", plan.backends());
    json.put("rho", plan.rho());
    json.put("unit_seconds", plan.unitNanos() / 1e9);
    json.put("seed", plan.seed());
    json.put("requests", plan.requests());
    json.put("warmup", plan.warmup());
    json.put("service", plan.service());
    json.put("arrivals", plan.arrivals());
    addNumbers(json.putArray("speeds"), plan.speeds());
    ArrayNode weights = json.putArray("weights");
    plan.weights().forEach(weights::add);
    return json;
  }

  private static void addNumbers(ArrayNode array, List<Double> numbers) {
    numbers.forEach(array::add);
  }

  private static void addComparison(ObjectNode json, CellResult.Comparison comparison) {
    json.set("measured", quantiles(comparison.measured()));
    json.set("replay", quantiles(comparison.replay()));
    json.set("replay_sent", quantiles(comparison.replaySent()));
    json.putObject("excess")
        .put("p50", comparison.excess().p50())
        .put("p99", comparison.excess().p99())
        .put("negative", comparison.excess().negative());
    CellResult.Twin twin = comparison.twin();
    ObjectNode spreads = json.putObject("twin").put("seeds", twin.seeds());
    spreads.set("p50", spread(twin.p50()));
    spreads.set("p95", spread(twin.p95()));
    spreads.set("p99", spread(twin.p99()));
    spreads.set("mean", spread(twin.mean()));
    json.putObject("audit")
        .put("picks", comparison.audit().picks())
        .put("different", comparison.audit().different());
    ObjectNode budget = json.putObject("budget");
    comparison
        .budget()
        .forEach(
            (name, part) ->
                budget
                    .putObject(name)
                    .put("mean", part.mean())
                    .put("p50", part.p50())
                    .put("p99", part.p99()));
    json.set("instrument", instrument(comparison.instrument()));
    ObjectNode failed =
        json.putObject("accounting")
            .put("sent", comparison.accounting().sent())
            .put("completed", comparison.accounting().completed())
            .putObject("failed");
    for (Map.Entry<String, Long> cause : comparison.accounting().failed().entrySet()) {
      failed.put(cause.getKey(), cause.getValue());
    }
    json.putObject("herding")
        .put("index", comparison.herding().index())
        .put("under_random", comparison.herding().underRandom());
    json.set("verdict", verdict(comparison.verdict()));
  }

  private static ObjectNode instrument(CellResult.Instrument instrument) {
    return Json.object()
        .put("send_lag_p99_seconds", instrument.sendLagP99())
        .put("lateness_p99_seconds", instrument.latenessP99())
        .put("longest_stall_seconds", instrument.longestStall())
        .put("others_cores", instrument.othersCores())
        .put("own_cores", instrument.ownCores())
        .put("gc_pause_seconds", instrument.gcPause())
        .put("achieved_rate", instrument.achievedRate())
        .put("scheduling", instrument.scheduling());
  }

  private static ObjectNode model(CellResult.LongModel model) {
    ObjectNode json = quantiles(model.mean());
    json.put("requests", model.requests());
    json.put("seeds", model.seeds());
    if (model.seeds() > 1) {
      json.set("half_width", quantiles(model.halfWidth()));
    }
    return json;
  }

  private static ObjectNode quantiles(Quantiles quantiles) {
    return Json.object()
        .put("p50", quantiles.p50())
        .put("p95", quantiles.p95())
        .put("p99", quantiles.p99())
        .put("mean", quantiles.mean());
  }

  private static ObjectNode spread(CellResult.Spread spread) {
    return Json.object()
        .put("mean", spread.mean())
        .put("sd", spread.sd())
        .put("agrees", spread.agrees());
  }

  private static ObjectNode verdict(CellResult.Verdict verdict) {
    ObjectNode json = Json.object().put("valid", verdict.valid());
    ArrayNode reasons = json.putArray("reasons");
    verdict.reasons().forEach(reasons::add);
    return json;
  }
}
