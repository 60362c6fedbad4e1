package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What the live page shows: what runs now, what comes next, and the last phases. Owner thread: any
/// (synchronized).
final class Status implements PhaseListener {
  /// The value of `format`.
  static final String FORMAT = "herdlab.conduct-state/1";

  private static final int PHASES = 200;
  private static final double NANOS_PER_SECOND = 1e9;

  private final String experiment;
  private final Program program;
  private final List<String> algorithms;
  private final LongSupplier clock;
  private final Deque<Finished> finished = new ArrayDeque<>();
  private @Nullable Playing now;
  private @Nullable Quantiles expected;

  /// @param algorithms names that the page offers
  /// @param clock the lab's, in nanoseconds
  Status(String experiment, Program program, List<String> algorithms, LongSupplier clock) {
    this.experiment = experiment;
    this.program = program;
    this.algorithms = List.copyOf(algorithms);
    this.clock = clock;
  }

  @Override
  public synchronized void begun(Playing phase) {
    now = phase;
    expected = null;
  }

  /// What the proxies pick from now; empty if nothing plays yet.
  synchronized Optional<BackendSet> backends() {
    return Optional.ofNullable(now).map(playing -> playing.crew().backends());
  }

  @Override
  public synchronized void predicted(Playing phase, Quantiles quantiles) {
    if (phase.equals(now)) {
      expected = quantiles;
    }
  }

  @Override
  public synchronized void finished(Finished phase) {
    finished.addLast(phase);
    if (finished.size() > PHASES) {
      finished.removeFirst();
    }
  }

  /// As the JSON object that the page reads.
  synchronized Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("format", FORMAT);
    json.put("experiment", experiment);
    Playing playing = now;
    json.put("unit_seconds", program.cells().getFirst().unitNanos() / NANOS_PER_SECOND);
    json.put("fleet", fleet(playing));
    json.put("now", playing == null ? null : phase(playing));
    json.put("next", program.peek().map(Status::plan).orElse(null));
    json.put("held", program.isHeld());
    json.put("algorithms", algorithms);
    json.put("views", program.cells().stream().map(CellPlan::view).distinct().toList());
    List<Object> phases = new ArrayList<>();
    finished.forEach(phase -> phases.add(phase(phase)));
    json.put("finished", phases);
    return json;
  }

  private static Map<String, Object> fleet(@Nullable Playing playing) {
    Map<String, Object> fleet = new LinkedHashMap<>();
    fleet.put("proxies", playing == null ? 0 : playing.crew().proxies());
    fleet.put("backends", playing == null ? 0 : playing.crew().backends().size());
    fleet.put("generators", playing == null ? 0 : playing.crew().generators().size());
    return fleet;
  }

  private Map<String, Object> phase(Playing playing) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("phase", playing.step().number());
    json.put("cycle", playing.step().cycle());
    json.put("wished", playing.step().wished());
    json.putAll(plan(playing.cell().plan()));
    json.put("length_seconds", playing.lengthNanos() / NANOS_PER_SECOND);
    json.put("elapsed_seconds", (clock.getAsLong() - playing.epochNanos()) / NANOS_PER_SECOND);
    json.put("prediction", expected == null ? null : quantiles(expected));
    return json;
  }

  private static Map<String, Object> plan(CellPlan plan) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("algorithm", plan.algorithm());
    json.put("view", plan.view());
    json.put("rho", plan.rho());
    return json;
  }

  private static Map<String, Object> phase(Finished phase) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("phase", phase.step().number());
    json.put("cycle", phase.step().cycle());
    json.putAll(plan(phase.result().plan()));
    json.put("proxies", phase.result().plan().proxies());
    json.put("backends", phase.result().plan().backends());
    json.put("sent", phase.accounting().sent());
    json.put("completed", phase.accounting().completed());
    json.put("failed", phase.failed());
    Optional<CellResult.Comparison> comparison =
        phase.result().comparison().filter(CellResult.Comparison::hasSample);
    json.put("measured", comparison.map(c -> quantiles(c.measured())).orElse(null));
    json.put("replay", comparison.map(c -> quantiles(c.replay())).orElse(null));
    json.put("twin", comparison.map(c -> twin(c.twin())).orElse(null));
    json.put("model", phase.result().model().map(m -> quantiles(m.mean())).orElse(null));
    json.put("valid", phase.valid());
    json.put(
        "reasons", phase.result().verdict().map(CellResult.Verdict::reasons).orElse(List.of()));
    return json;
  }

  private static Map<String, Object> quantiles(Quantiles quantiles) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("p50", quantiles.p50());
    json.put("p95", quantiles.p95());
    json.put("p99", quantiles.p99());
    json.put("mean", quantiles.mean());
    return json;
  }

  private static Map<String, Object> twin(CellResult.Twin twin) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("p50", twin.p50().mean());
    json.put("p50_agrees", twin.p50().agrees());
    json.put("p95", twin.p95().mean());
    json.put("p95_agrees", twin.p95().agrees());
    json.put("p99", twin.p99().mean());
    json.put("p99_agrees", twin.p99().agrees());
    return json;
  }
}
