package dev.herdlab.lab.config;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.PluginException;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes an [Experiment] of what was written. Owner thread: any.
final class ExperimentLoader {
  /// A trace carries no unit. One whose mean service time is off by more than this factor was most
  /// likely made with another; a law as heavy as any here scatters less from a hundred requests on.
  private static final double UNIT_TOLERANCE = 2;

  private final Sources sources;
  private final Settings whole;
  private final Algorithms algorithms;
  private final Set<String> warnings = new LinkedHashSet<>();

  private ExperimentLoader(Sources sources, Settings whole, Algorithms algorithms) {
    this.sources = sources;
    this.whole = whole;
    this.algorithms = algorithms;
  }

  static Experiment load(Sources sources, KeyTable beside) {
    Map<String, Node> base = new LinkedHashMap<>();
    List<Map<String, Node>> variants = List.of(Map.of());
    if (sources.file().isPresent()) {
      Node.Fields fields = sources.file().get();
      variants = variants(fields);
      base.putAll(Settings.fields(withoutCells(fields), ExperimentKeys.ALL));
    }
    Map<String, Node> overrides = sources.overrides(ExperimentKeys.ALL.and(beside));
    Settings whole =
        Settings.bind(ExperimentKeys.WHOLE, merged(ExperimentKeys.WHOLE, base, overrides));
    return new ExperimentLoader(sources, whole, algorithms(whole))
        .experiment(base, variants, overrides, beside);
  }

  private static Node.Fields withoutCells(Node.Fields fields) {
    return new Node.Fields(
        fields.fields().stream()
            .filter(field -> !field.name().equals(ExperimentKeys.CELLS))
            .toList(),
        fields.origin());
  }

  /// What each entry of `cells` overrides; one that overrides nothing if there is no `cells`.
  private static List<Map<String, Node>> variants(Node.Fields fields) {
    String expected = "a list of maps such as - {proxies: 16, view: local}";
    for (Node.Field field : fields.fields()) {
      if (field.name().equals(ExperimentKeys.CELLS)) {
        if (!(field.value() instanceof Node.Items items) || items.items().isEmpty()) {
          throw ConfigException.at(
              field.origin().describe(field.name()), field.value().summary(), expected);
        }
        List<Map<String, Node>> variants = new ArrayList<>();
        for (Node item : items.items()) {
          if (!(item instanceof Node.Fields cell)) {
            throw ConfigException.at(
                item.origin().describe(field.name()), item.summary(), expected);
          }
          variants.add(Settings.fields(cell, ExperimentKeys.CELL));
        }
        return variants;
      }
    }
    return List.of(Map.of());
  }

  @SafeVarargs
  private static Map<String, Node> merged(KeyTable table, Map<String, Node>... layers) {
    Map<String, Node> merged = new LinkedHashMap<>();
    for (Map<String, Node> layer : layers) {
      layer.forEach(
          (name, node) -> {
            if (table.find(name).isPresent()) {
              merged.put(name, node);
            }
          });
    }
    return merged;
  }

  private Experiment experiment(
      Map<String, Node> base,
      List<Map<String, Node>> variants,
      Map<String, Node> overrides,
      KeyTable beside) {
    Set<CellPlan> cells = new LinkedHashSet<>();
    for (Map<String, Node> variant : variants) {
      Map<String, Node> nodes = merged(ExperimentKeys.CELL, base, variant, overrides);
      Settings settings = Settings.bind(ExperimentKeys.CELL, nodes);
      Sweep sweep = new Sweep(settings, algorithms);
      checkLayout(settings);
      cells.addAll(sweep.cells());
      warnings.addAll(sweep.warnings());
    }
    warnings.addAll(sources.warnings(ExperimentKeys.ALL.and(beside)));
    Optional<TraceSource> trace = whole.find(ExperimentKeys.TRACE);
    trace.ifPresent(source -> checkTrace(source, cells));
    checkThresholds(List.copyOf(cells));
    return new Experiment(
        whole.get(ExperimentKeys.NAME),
        whole.find(ExperimentKeys.DESCRIPTION).orElse(""),
        whole.find(ExperimentKeys.COMPLAINT).orElse(""),
        List.copyOf(cells),
        whole.get(ExperimentKeys.MODEL_REQUESTS),
        whole.get(ExperimentKeys.MODEL_SEEDS),
        whole.get(ExperimentKeys.BURN_IN),
        whole.get(ExperimentKeys.TWIN_SEEDS),
        whole.get(ExperimentKeys.ATTEMPTS),
        whole.get(ExperimentKeys.PHASE),
        whole.get(ExperimentKeys.LAYOUT),
        whole.get(ExperimentKeys.PRIORITY),
        trace,
        whole.list(ExperimentKeys.PLUGINS),
        whole.list(ExperimentKeys.THRESHOLDS),
        algorithms,
        List.copyOf(warnings));
  }

  /// The view shared is always fresh: an oracle, which one process with one loop alone can be.
  private void checkLayout(Settings cells) {
    if (whole.get(ExperimentKeys.LAYOUT) == RunOptions.Layout.ONE_PROCESS) {
      return;
    }
    long unitNanos = cells.list(ExperimentKeys.UNIT).getFirst();
    for (Settings.Value<String> view : cells.all(ExperimentKeys.VIEW)) {
      if (ViewSpec.parse(view.value(), unitNanos) instanceof ViewSpec.Shared) {
        throw ConfigException.at(
            view.origin().describe("view"),
            view.text() + " with a process for each component",
            "local or shared-stale(refresh=R); shared is an oracle of one process with one loop");
      }
    }
  }

  /// A complaint needs a rule; a rule about another algorithm needs one cell of that beside each of
  /// the others.
  private void checkThresholds(List<CellPlan> cells) {
    if (whole.find(ExperimentKeys.COMPLAINT).isPresent()
        && whole.list(ExperimentKeys.THRESHOLDS).isEmpty()) {
      throw whole.error(ExperimentKeys.COMPLAINT, "thresholds beside it, such as p99 < 12");
    }
    for (Settings.Value<Threshold> value : whole.all(ExperimentKeys.THRESHOLDS)) {
      if (!(value.value().limit() instanceof Threshold.Limit.OfAlgorithm other)) {
        continue;
      }
      List<CellPlan> others =
          cells.stream().filter(cell -> !cell.algorithm().equals(other.spec())).toList();
      boolean judged =
          !others.isEmpty()
              && others.stream()
                  .allMatch(cell -> Threshold.references(other.spec(), cell, cells).size() == 1);
      if (!judged) {
        throw ConfigException.at(
            value.origin().describe(ExperimentKeys.THRESHOLDS.name()),
            value.text(),
            "beside each other cell one of "
                + other.spec()
                + " that differs in algorithm, or else in view too, alone");
      }
    }
  }

  /// A trace fixes the requests and their proxies, which the cells must say too.
  private void checkTrace(TraceSource source, Set<CellPlan> cells) {
    Trace trace;
    String place = whole.all(ExperimentKeys.TRACE).getFirst().origin().place("trace");
    try {
      trace = source.read();
    } catch (IOException e) {
      throw whole.error(ExperimentKeys.TRACE, "a readable file");
    } catch (IllegalArgumentException e) {
      throw new ConfigException(place + ": trace " + e.getMessage());
    }
    for (CellPlan cell : cells) {
      if (cell.requests() != trace.size() || cell.proxies() < trace.proxies()) {
        throw whole.error(
            ExperimentKeys.TRACE,
            "requests: %d and proxies: %d or more beside it, as in the trace, not %d and %d"
                .formatted(trace.size(), trace.proxies(), cell.requests(), cell.proxies()));
      }
      double units = meanServiceNanos(trace) / cell.unitNanos();
      double expected = ServiceLaw.parse(cell.service()).meanUnits();
      if (!(units > expected / UNIT_TOLERANCE && units < expected * UNIT_TOLERANCE)) {
        warnings.add(
            "%s: %s: its mean service time is %.3g units of %d ns (expected: about %.3g, as the law"
                    .formatted(place, source, units, cell.unitNanos(), expected)
                + " says; is the unit the trace's?)");
      }
    }
  }

  private static double meanServiceNanos(Trace trace) {
    double sum = 0;
    for (int i = 0; i < trace.size(); i++) {
      sum += trace.serviceNanos(i);
    }
    return sum / Math.max(1, trace.size());
  }

  private static Algorithms algorithms(Settings whole) {
    try {
      return Algorithms.withPlugins(whole.list(ExperimentKeys.PLUGINS));
    } catch (PluginException e) {
      List<Settings.Value<Path>> plugins = whole.all(ExperimentKeys.PLUGINS);
      String place = plugins.isEmpty() ? "" : plugins.getFirst().origin().place("plugins") + ": ";
      throw new ConfigException(place + e.getMessage());
    }
  }
}
