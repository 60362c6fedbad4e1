package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.lab.config.AttemptText;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.ThresholdCheck;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import dev.herdlab.workload.Queueing;
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
                case Double number -> environment.set(name, number(number));
                case Boolean truth -> environment.put(name, truth);
                default -> environment.put(name, value.toString());
              }
            });
    ArrayNode cells = root.putArray("cells");
    document.cells().forEach(cell -> cells.add(cell(cell)));
    addThresholds(root, document);
    return Json.text(root);
  }

  private static void addThresholds(ObjectNode root, RunDocument document) {
    if (document.thresholds().isEmpty()) {
      return;
    }
    ArrayNode rules = root.putArray("thresholds");
    document.thresholds().forEach(threshold -> rules.add(threshold.text()));
    ArrayNode checks = root.putArray("checks");
    for (ThresholdCheck check : document.checks()) {
      ObjectNode json = checks.addObject();
      json.put("threshold", check.threshold().text());
      json.put("cell", check.cell());
      json.put("on", check.on().word());
      json.set("value", number(check.value()));
      json.set("limit", number(check.limit()));
      json.put("state", check.state().word());
    }
  }

  private static ObjectNode cell(CellResult cell) {
    ObjectNode json = plan(cell.plan());
    json.put("utilisation", cell.utilisation());
    json.put("trace_sha256", cell.traceSha256());
    cell.comparison().ifPresent(comparison -> addComparison(json, comparison));
    cell.model().ifPresent(model -> json.set("model", model(model)));
    cell.verdict().ifPresent(verdict -> json.set("verdict", verdict(verdict)));
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
    json.put("tenants", plan.tenants());
    json.put("proxy_choice", plan.proxyChoice());
    addNumbers(json.putArray("speeds"), plan.speeds());
    ArrayNode weights = json.putArray("weights");
    plan.weights().forEach(weights::add);
    addServing(json, plan);
    addEvents(json, plan);
    return json;
  }

  /// What is not as usual.
  private static void addServing(ObjectNode json, CellPlan plan) {
    Queueing queueing = plan.serving().queueing();
    if (queueing.discipline() != Queueing.Discipline.FIFO) {
      json.put("discipline", queueing.discipline().label());
    }
    if (queueing.servers() > 1) {
      json.put("servers", queueing.servers());
    }
    if (plan.serving().hasLimit()) {
      json.put("queue", queueing.limit());
    }
    if (plan.serving().hasTimeout()) {
      json.put("timeout", (double) plan.serving().timeoutNanos() / plan.unitNanos());
    }
    AttemptPolicy attempts = plan.serving().attempts();
    if (attempts.retries() > 0) {
      json.put("retries", attempts.retries());
    }
    if (attempts.budget().isLimited()) {
      json.put("retry_budget", attempts.budget().share());
    }
    if (attempts.hedges()) {
      json.put("hedge", AttemptText.hedge(attempts, plan.unitNanos()));
    }
  }

  private static void addEvents(ObjectNode json, CellPlan plan) {
    if (!plan.events().isEmpty()) {
      ArrayNode events = json.putArray("events");
      plan.events().texts().forEach(events::add);
    }
  }

  private static void addNumbers(ArrayNode array, List<Double> numbers) {
    numbers.forEach(array::add);
  }

  private static void addComparison(ObjectNode json, CellResult.Comparison comparison) {
    json.set("measured", quantiles(comparison.measured()));
    json.set("replay", quantiles(comparison.replay()));
    json.set("replay_sent", quantiles(comparison.replaySent()));
    ObjectNode excess = json.putObject("excess");
    excess.set("p50", number(comparison.excess().p50()));
    excess.set("p99", number(comparison.excess().p99()));
    excess.put("negative", comparison.excess().negative());
    CellResult.Twin twin = comparison.twin();
    ObjectNode spreads = json.putObject("twin").put("seeds", twin.seeds());
    spreads.set("p50", spread(twin.p50()));
    spreads.set("p95", spread(twin.p95()));
    spreads.set("p99", spread(twin.p99()));
    spreads.set("mean", spread(twin.mean()));
    twin.failed().ifPresent(failed -> spreads.set("failed", spread(failed)));
    json.putObject("audit")
        .put("picks", comparison.audit().picks())
        .put("different", comparison.audit().different());
    ObjectNode budget = json.putObject("budget");
    comparison.budget().forEach((name, part) -> budget.set(name, part(part)));
    json.set("instrument", instrument(comparison.instrument()));
    ObjectNode failed =
        json.putObject("accounting")
            .put("sent", comparison.accounting().sent())
            .put("completed", comparison.accounting().completed())
            .putObject("failed");
    for (Map.Entry<String, Long> cause : comparison.accounting().failed().entrySet()) {
      failed.put(cause.getKey(), cause.getValue());
    }
    addAttempts(json.withObject("/accounting"), comparison.accounting().attempts());
    ObjectNode herding = json.putObject("herding");
    herding.set("index", number(comparison.herding().index()));
    herding.set("under_random", number(comparison.herding().underRandom()));
    addNumbers(herding.putArray("shares"), comparison.herding().shares());
    json.set("stability", stability(comparison.stability()));
  }

  private static void addAttempts(ObjectNode json, AttemptCounts counts) {
    if (!counts.equals(AttemptCounts.NONE)) {
      json.putObject("attempts")
          .put("made", counts.attempts())
          .put("retries", counts.retries())
          .put("hedges", counts.hedges())
          .put("hedges_won", counts.hedgesWon())
          .put("over_budget", counts.overBudget());
    }
  }

  private static ObjectNode stability(Stability stability) {
    ObjectNode json = Json.object().put("state", stability.settles() ? "stable" : "unstable");
    json.set("load", number(stability.load()));
    json.set("error", number(stability.error()));
    json.set("growth", number(stability.growth()));
    return json;
  }

  /// JSON has no NaN and no infinity: what there is no number for is null.
  private static JsonNode number(double value) {
    return Double.isFinite(value) ? DoubleNode.valueOf(value) : NullNode.getInstance();
  }

  private static ObjectNode part(CellResult.Part part) {
    ObjectNode json = Json.object();
    json.set("mean", number(part.mean()));
    json.set("p50", number(part.p50()));
    json.set("p99", number(part.p99()));
    return json;
  }

  private static ObjectNode instrument(CellResult.Instrument instrument) {
    ObjectNode json = Json.object();
    json.set("send_lag_p99_seconds", number(instrument.sendLagP99()));
    json.set("lateness_p99_seconds", number(instrument.latenessP99()));
    json.set("longest_stall_seconds", number(instrument.longestStall()));
    json.set("others_cores", number(instrument.othersCores()));
    json.set("own_cores", number(instrument.ownCores()));
    json.set("gc_pause_seconds", number(instrument.gcPause()));
    json.set("achieved_rate", number(instrument.achievedRate()));
    json.put("scheduling", instrument.scheduling());
    json.put("connections_opened", instrument.connectionsOpened());
    return json;
  }

  private static ObjectNode model(CellResult.LongModel model) {
    ObjectNode json = quantiles(model.mean());
    json.put("requests", model.requests());
    json.put("seeds", model.seeds());
    addNumbers(json.putArray("shares"), model.shares());
    json.put("refused", model.refused());
    json.set("stability", stability(model.stability()));
    if (model.seeds() > 1) {
      json.set("half_width", quantiles(model.halfWidth()));
    }
    if (!model.failed().isEmpty()) {
      ObjectNode failed = json.putObject("failed");
      model.failed().forEach(failed::put);
    }
    addAttempts(json, model.attempts());
    return json;
  }

  private static ObjectNode quantiles(Quantiles quantiles) {
    ObjectNode json = Json.object();
    json.set("p50", number(quantiles.p50()));
    json.set("p95", number(quantiles.p95()));
    json.set("p99", number(quantiles.p99()));
    json.set("mean", number(quantiles.mean()));
    return json;
  }

  private static ObjectNode spread(CellResult.Spread spread) {
    ObjectNode json = Json.object();
    json.set("mean", number(spread.mean()));
    json.set("sd", number(spread.sd()));
    json.put("agrees", spread.agrees());
    return json;
  }

  private static ObjectNode verdict(CellResult.Verdict verdict) {
    ObjectNode json = Json.object().put("valid", verdict.valid());
    ArrayNode reasons = json.putArray("reasons");
    verdict.reasons().forEach(reasons::add);
    return json;
  }
}
