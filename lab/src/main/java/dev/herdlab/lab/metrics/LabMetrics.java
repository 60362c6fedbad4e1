package dev.herdlab.lab.metrics;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What the lab tells of a live experiment: the phase that runs now, what the model predicts for
/// it, and how the last phase of each algorithm and view came out.
///
/// Set by the conductor as it learns. Of pairs of algorithm and view, the 16 used last are kept.
/// Owner thread: any.
public final class LabMetrics {
  private static final String ALGORITHM = "algorithm";
  private static final String VIEW = "view";
  private static final String QUANTILE = "quantile";

  private static final Declaration PHASE =
      Declaration.gauge(
          "herdlab_phase_info",
          "",
          "1, with what runs now: the phase's name, its algorithm and view, and how many proxies"
              + " and backends there are.",
          "phase",
          ALGORITHM,
          VIEW,
          "proxies",
          "backends");
  private static final Declaration START =
      Declaration.gauge(
          "herdlab_phase_start_timestamp_seconds",
          "seconds",
          "When the phase that runs now began, since 1970.");
  private static final Declaration SWITCHES =
      Declaration.counter(
          "herdlab_phase_switches_total",
          "phases",
          "Phases that have begun: where it grows, the" + " proxies were switched.");
  private static final Declaration MODEL =
      quantiles(
          "herdlab_model_latency_seconds",
          "seconds",
          "Quantiles of latency that the model predicts for a steady state, on a trace of its own"
              + " that is long.");
  private static final Declaration MEASURED =
      quantiles(
          "herdlab_measured_latency_seconds",
          "seconds",
          "Quantiles of latency in the last finished phase, from raw samples.");
  private static final Declaration REPLAY =
      quantiles(
          "herdlab_replay_latency_seconds",
          "seconds",
          "Quantiles of latency of the last finished phase in the model, with the backends that"
              + " were really picked.");
  private static final Declaration TWIN =
      quantiles(
          "herdlab_twin_latency_seconds",
          "seconds",
          "Quantiles of latency of the last finished phase in the model, with picks of its own;"
              + " the mean over coin seeds.");
  private static final Declaration DIFFERENCE =
      quantiles(
          "herdlab_difference_ratio",
          "share",
          "Measured latency over that of the replay, less 1, in the last finished phase: what"
              + " sockets, timers and scheduling cost.");
  private static final Declaration AGREES =
      quantiles(
          "herdlab_twin_agrees",
          "",
          "1 if the measured quantile of the last finished phase is within what the twin's coins"
              + " explain, or within 1 %; else 0.");
  private static final Declaration VALID =
      Declaration.gauge(
          "herdlab_run_valid",
          "",
          "1 if the last finished phase may be trusted, by its verdict; else 0.",
          ALGORITHM,
          VIEW);
  private static final Declaration REQUESTS =
      Declaration.counter(
          "herdlab_phase_requests_total",
          "requests",
          "Accounting of all finished phases: sent, completed, and each cause of a failure. What"
              + " was sent is the sum of the others.",
          "outcome");
  private static final Declaration UNIT =
      Declaration.gauge(
          "herdlab_unit_seconds", "seconds", "The unit: the mean service time at speed 1.");

  private static final List<String> QUANTILES = List.of("0.5", "0.95", "0.99");
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final MetricsRegistry registry;
  private final Series phase;
  private final Series began;
  private final Series switches;
  private final Map<Declaration, Series> byPair = new LinkedHashMap<>();
  private final Series requests;
  private final Series unit;
  private final RecentPairs recent = new RecentPairs(this::forget);

  /// Adds the metrics to a registry.
  public LabMetrics(MetricsRegistry registry) {
    this.registry = registry;
    phase = registry.series(PHASE);
    began = registry.series(START);
    switches = registry.series(SWITCHES);
    for (Declaration declaration :
        List.of(MODEL, MEASURED, REPLAY, TWIN, DIFFERENCE, AGREES, VALID)) {
      byPair.put(declaration, registry.series(declaration));
    }
    requests = registry.series(REQUESTS);
    unit = registry.series(UNIT);
  }

  static List<Declaration> declared() {
    return List.of(
        PHASE,
        START,
        SWITCHES,
        MODEL,
        MEASURED,
        REPLAY,
        TWIN,
        DIFFERENCE,
        AGREES,
        VALID,
        REQUESTS,
        UNIT);
  }

  private static Declaration quantiles(String name, String unit, String description) {
    return Declaration.untyped(name, unit, description, ALGORITHM, VIEW, QUANTILE);
  }

  /// A phase has begun, and the one before has ended.
  ///
  /// @param name which of the phases, as a person would say it
  public void begin(String name, CellPlan plan, Instant start) {
    registry.update(
        () -> {
          phase.set(
              1,
              name,
              plan.algorithm(),
              plan.view(),
              Integer.toString(plan.proxies()),
              Integer.toString(plan.backends()));
          phase.keepTouched();
          began.set(start.toEpochMilli() / MILLIS_PER_SECOND);
          switches.add(1);
          unit.set(unitSeconds(plan));
        });
  }

  /// What the model predicts for the plan's algorithm and view, in units; kept until another
  /// prediction for them.
  public void predict(CellPlan plan, Quantiles latency) {
    registry.update(
        () -> {
          Pair pair = use(plan);
          set(MODEL, pair, latency, unitSeconds(plan));
        });
  }

  /// How a phase came out; kept until the next phase of its algorithm and view.
  ///
  /// @param result without a comparison if the analysis broke off: what was known then stays
  /// @param accounting every request of the phase
  public void finish(CellResult result, CellResult.Accounting accounting) {
    registry.update(
        () -> {
          Pair pair = use(result.plan());
          boolean valid = result.verdict().map(CellResult.Verdict::valid).orElse(false);
          series(VALID).set(valid ? 1 : 0, pair.algorithm(), pair.view());
          result
              .comparison()
              .filter(CellResult.Comparison::hasSample)
              .ifPresent(comparison -> show(pair, comparison, unitSeconds(result.plan())));
          requests.add(accounting.sent(), "sent");
          requests.add(accounting.completed(), "completed");
          accounting.failed().forEach((cause, count) -> requests.add(count, cause));
        });
  }

  private void show(Pair pair, CellResult.Comparison comparison, double unitSeconds) {
    Quantiles measured = comparison.measured();
    Quantiles replay = comparison.replay();
    CellResult.Twin twin = comparison.twin();
    set(MEASURED, pair, measured, unitSeconds);
    set(REPLAY, pair, replay, unitSeconds);
    set(TWIN, pair, 0, twin.p50().mean() * unitSeconds);
    set(TWIN, pair, 1, twin.p95().mean() * unitSeconds);
    set(TWIN, pair, 2, twin.p99().mean() * unitSeconds);
    set(DIFFERENCE, pair, 0, measured.p50() / replay.p50() - 1);
    set(DIFFERENCE, pair, 1, measured.p95() / replay.p95() - 1);
    set(DIFFERENCE, pair, 2, measured.p99() / replay.p99() - 1);
    set(AGREES, pair, 0, twin.p50().agrees() ? 1 : 0);
    set(AGREES, pair, 1, twin.p95().agrees() ? 1 : 0);
    set(AGREES, pair, 2, twin.p99().agrees() ? 1 : 0);
  }

  private void set(Declaration of, Pair pair, Quantiles units, double unitSeconds) {
    set(of, pair, 0, units.p50() * unitSeconds);
    set(of, pair, 1, units.p95() * unitSeconds);
    set(of, pair, 2, units.p99() * unitSeconds);
  }

  private void set(Declaration of, Pair pair, int quantile, double value) {
    series(of).set(value, pair.algorithm(), pair.view(), QUANTILES.get(quantile));
  }

  private Pair use(CellPlan plan) {
    Pair pair = new Pair(plan.algorithm(), plan.view());
    recent.use(pair);
    return pair;
  }

  private static double unitSeconds(CellPlan plan) {
    return plan.unitNanos() / NANOS_PER_SECOND;
  }

  private void forget(Pair pair) {
    byPair.values().forEach(series -> series.removeIf(pair::isIn));
  }

  private Series series(Declaration of) {
    return Objects.requireNonNull(byPair.get(of));
  }
}
