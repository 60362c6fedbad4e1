package dev.herdlab.lab.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Writes an [Experiment] as YAML that loads as the same: what all cells share at the top, the rest
/// in `cells`.
///
/// Owner thread: any.
final class ExperimentWriter {
  static final String NONE = "none";

  private ExperimentWriter() {}

  static String yaml(Experiment experiment) {
    StringBuilder yaml = new StringBuilder();
    Map<String, String> whole = new LinkedHashMap<>();
    whole.put("name", quoted(experiment.name()));
    if (!experiment.description().isEmpty()) {
      whole.put("description", quoted(experiment.description()));
    }
    if (!experiment.complaint().isEmpty()) {
      whole.put("complaint", quoted(experiment.complaint()));
    }
    whole.put("model-requests", String.valueOf(experiment.modelRequests()));
    whole.put("model-seeds", String.valueOf(experiment.modelSeeds()));
    whole.put("burn-in", experiment.burnInNanos() + "ns");
    whole.put("twin-seeds", String.valueOf(experiment.twinSeeds()));
    whole.put("attempts", String.valueOf(experiment.attempts()));
    whole.put("phase", duration(experiment.phaseNanos()));
    whole.put("layout", ValueType.word(experiment.layout()));
    whole.put("priority", ValueType.word(experiment.priority()));
    experiment.trace().ifPresent(source -> whole.put("trace", quoted(source.absolute())));
    if (!experiment.plugins().isEmpty()) {
      whole.put("plugins", list(experiment.plugins(), p -> quoted(p.toAbsolutePath().toString())));
    }
    if (!experiment.thresholds().isEmpty()) {
      whole.put("thresholds", list(experiment.thresholds(), t -> quoted(t.text())));
    }
    whole.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    appendCells(yaml, experiment.cells());
    return yaml.toString();
  }

  private static void appendCells(StringBuilder yaml, List<CellPlan> cells) {
    List<Map<String, String>> all = cells.stream().map(ExperimentWriter::fields).toList();
    Map<String, String> shared = new LinkedHashMap<>(all.getFirst());
    all.forEach(fields -> shared.entrySet().retainAll(fields.entrySet()));
    shared.forEach((key, value) -> yaml.append(key).append(": ").append(value).append('\n'));
    if (all.size() == 1) {
      return;
    }
    yaml.append("cells:\n");
    for (Map<String, String> fields : all) {
      List<String> own = new ArrayList<>();
      fields.forEach(
          (key, value) -> {
            if (!shared.containsKey(key)) {
              own.add(key + ": " + value);
            }
          });
      yaml.append("  - ").append(String.join("\n    ", own)).append('\n');
    }
  }

  /// A cell as the keys of [ExperimentKeys#CELL] and their text; the caller may change it.
  static Map<String, String> fields(CellPlan plan) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("unit", duration(plan.unitNanos()));
    fields.put("backends", String.valueOf(plan.backends()));
    fields.put("speeds", list(plan.speeds(), String::valueOf));
    fields.put("weights", list(plan.weights(), String::valueOf));
    fields.put("service", quoted(plan.service()));
    fields.put("arrivals", quoted(plan.arrivals()));
    fields.put("tenants", quoted(plan.tenants()));
    fields.put("discipline", plan.serving().queueing().discipline().label());
    fields.put("servers", String.valueOf(plan.serving().queueing().servers()));
    fields.put("queue", limit(plan.serving()));
    fields.put("timeout", timeout(plan));
    fields.put("retries", String.valueOf(plan.serving().attempts().retries()));
    fields.put("retry-budget", AttemptText.budget(plan.serving().attempts()));
    fields.put("hedge", AttemptText.hedge(plan.serving().attempts(), plan.unitNanos()));
    fields.put(
        "events",
        plan.events().isEmpty() ? NONE : list(plan.events().texts(), ExperimentWriter::quoted));
    fields.put("rho", String.valueOf(plan.rho()));
    fields.put("requests", String.valueOf(plan.requests()));
    fields.put("warmup", String.valueOf(plan.warmup()));
    fields.put("view", quoted(plan.view()));
    fields.put("proxies", String.valueOf(plan.proxies()));
    fields.put("proxy-choice", quoted(plan.proxyChoice()));
    fields.put("algorithm", quoted(plan.algorithm()));
    fields.put("seeds", String.valueOf(plan.seed()));
    return fields;
  }

  private static String limit(Serving serving) {
    return serving.hasLimit() ? String.valueOf(serving.queueing().limit()) : NONE;
  }

  private static String timeout(CellPlan plan) {
    return plan.serving().hasTimeout()
        ? String.valueOf((double) plan.serving().timeoutNanos() / plan.unitNanos())
        : NONE;
  }

  /// One value when all are equal.
  private static <T> String list(List<T> values, Function<T, String> text) {
    List<T> shown = values.stream().distinct().count() == 1 ? values.subList(0, 1) : values;
    return shown.stream().map(text).collect(Collectors.joining(", ", "[", "]"));
  }

  /// In the largest unit that makes it a whole number.
  static String duration(long nanos) {
    if (nanos % 1_000_000_000 == 0) {
      return nanos / 1_000_000_000 + "s";
    }
    if (nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + "ms";
    }
    return nanos % 1000 == 0 ? nanos / 1000 + "us" : nanos + "ns";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
