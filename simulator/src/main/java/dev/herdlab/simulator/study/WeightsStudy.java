package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.Workload;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.Trace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// The study `weights`: a pool in which some backends are faster, one proxy, and weights that are
/// right, missing, or too low; and what sticky sessions do to the same pool.
///
/// Beside each pair of weights stands `random-by-weight`: every request to a random backend in
/// proportion to the weights, for which Pollaczek and Khinchine give the mean. A new session is
/// pinned to a uniformly random backend, fast or slow.
///
/// Cost: about 0.1 us a request; the defaults are 60 runs of 300 000. Owner thread: any
/// (immutable).
final class WeightsStudy implements Study {
  private static final String RANDOM = "random-by-weight";
  private static final String STICKY = "sticky-sessions";

  private static final List<Table.Column> KEYS =
      List.of(
          new Table.Column(
              "algorithm", "the proxy's; random-by-weight and sticky-sessions look at no queue"),
          new Table.Column("weights", "of a fast backend : of a slow one; empty for sessions"),
          new Table.Column("sessions", "live sessions; 0 where requests stand alone"),
          new Table.Column("session_requests", "their mean number of requests; empty without"),
          new Table.Column("rho", "arrivals a unit, over the sum of the speeds"),
          CommonSettings.REQUESTS_COLUMN,
          CommonSettings.WARMUP_COLUMN);

  @Override
  public String name() {
    return "weights";
  }

  @Override
  public String summary() {
    return "Unequal backends with right and wrong weights, and with sticky sessions.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list(
            "algorithm",
            new Setting.Type.AlgorithmSpec(),
            "smooth-weighted-round-robin",
            "algorithms that use weights"),
        Setting.list(
            "weights",
            new Setting.Type.Proportion(Backend.MAX_WEIGHT),
            "2:1,1:1,3:2",
            "of a fast backend : of a slow one"),
        Setting.list(
            "sessions",
            new Setting.Type.Whole(1, 10_000_000),
            "5000,500,50",
            "numbers of live sessions"),
        Setting.list(
            "session-requests",
            new Setting.Type.OrInfinite(1),
            "20,inf",
            "mean requests of a session; inf for sessions without end"),
        Setting.whole("fast", 0, 10_000, "4", "number of fast backends"),
        Setting.positive("speed", "2", "speed of a fast backend"),
        CommonSettings.BACKENDS,
        Setting.positive("rho", "0.7", "arrivals a unit, over the sum of the speeds"),
        CommonSettings.SEEDS,
        CommonSettings.REQUESTS,
        CommonSettings.WARMUP,
        CommonSettings.SERVICE);
  }

  /// One way of picking.
  private sealed interface Cell {
    /// An algorithm with weights.
    record Weighted(ConfiguredAlgorithm algorithm, Setting.Ratio weights) implements Cell {}

    /// Random picks in proportion to weights.
    record Random(Setting.Ratio weights) implements Cell {}

    /// Sessions that are pinned.
    record Sticky(int sessions, double meanRequests) implements Cell {}
  }

  /// The pool and its load.
  private record Pool(Settings settings) {
    int size() {
      return settings.whole("backends");
    }

    int fast() {
      return settings.whole("fast");
    }

    List<Double> speeds() {
      return each(settings.decimal("speed"), 1.0);
    }

    List<Integer> weights(Setting.Ratio ratio) {
      return each(ratio.first(), ratio.second());
    }

    private <T> List<T> each(T ofFast, T ofSlow) {
      List<T> all = new ArrayList<>(Collections.nCopies(fast(), ofFast));
      all.addAll(Collections.nCopies(size() - fast(), ofSlow));
      return all;
    }

    double arrivalsPerUnit() {
      return settings.decimal("rho") * speeds().stream().mapToDouble(Double::doubleValue).sum();
    }

    Trace trace(long seed) {
      return new Workload(
              ArrivalProcess.parse("poisson", arrivalsPerUnit(), Studies.UNIT_NANOS),
              settings.service("service"),
              1,
              settings.whole("requests"),
              settings.whole("warmup"),
              Studies.UNIT_NANOS)
          .trace(seed);
    }

    /// Mean latency of random picks in proportion to `ratio`.
    double theory(Setting.Ratio ratio) {
      List<Integer> weights = weights(ratio);
      double sum = weights.stream().mapToInt(Integer::intValue).sum();
      return PoolRows.pollaczekKhinchine(
          arrivalsPerUnit(),
          settings.service("service"),
          speeds(),
          weights.stream().map(weight -> weight / sum).toList());
    }
  }

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    CommonSettings.checkWarmup(settings);
    Pool pool = new Pool(settings);
    if (pool.fast() > pool.size()) {
      throw Settings.wrong(
          "fast", Integer.toString(pool.fast()), "no more than the backends, " + pool.size());
    }
    List<Cell> cells = cells(settings);
    List<Long> seeds = settings.wholes("seeds");
    List<List<PoolRun>> bySeed = Parallel.map(seeds, seed -> runs(pool, cells, seed), progress);
    PoolRows rows = new PoolRows(KEYS);
    for (int c = 0; c < cells.size(); c++) {
      int column = c;
      Cell cell = cells.get(c);
      rows.add(
          key(settings, cell),
          cell instanceof Cell.Sticky sticky && Double.isInfinite(sticky.meanRequests())
              ? PoolRows.Settles.NEVER
              : PoolRows.Settles.IF_LOAD_ALLOWS,
          cell instanceof Cell.Random random ? pool.theory(random.weights()) : Double.NaN,
          seeds,
          bySeed.stream().map(it -> it.get(column)).toList());
    }
    return rows.result(notes());
  }

  private static List<Cell> cells(Settings settings) {
    List<Cell> cells = new ArrayList<>();
    for (Setting.Ratio weights : settings.ratios("weights")) {
      settings.algorithms("algorithm").forEach(it -> cells.add(new Cell.Weighted(it, weights)));
      cells.add(new Cell.Random(weights));
    }
    for (double meanRequests : settings.decimals("session-requests")) {
      for (long sessions : settings.wholes("sessions")) {
        cells.add(new Cell.Sticky(Math.toIntExact(sessions), meanRequests));
      }
    }
    return cells;
  }

  /// All cells of one seed, on the same requests.
  private static List<PoolRun> runs(Pool pool, List<Cell> cells, long seed) {
    Trace trace = pool.trace(seed);
    List<Double> speeds = pool.speeds();
    int warmup = pool.settings().whole("warmup");
    return cells.stream()
        .map(cell -> PoolRun.of(served(pool, cell, trace, seed), speeds, warmup))
        .toList();
  }

  private static Served served(Pool pool, Cell cell, Trace trace, long seed) {
    List<Double> speeds = pool.speeds();
    return switch (cell) {
      case Cell.Weighted(ConfiguredAlgorithm algorithm, Setting.Ratio ratio) -> {
        List<Integer> weights = pool.weights(ratio);
        List<Backend> backends = new ArrayList<>();
        for (int i = 0; i < weights.size(); i++) {
          backends.add(new Backend("b" + i, weights.get(i)));
        }
        Model model = new Model(BackendSet.of(backends), speeds, algorithm, new ViewSpec.Local());
        yield Served.of(model.run(trace, seed));
      }
      case Cell.Random(Setting.Ratio ratio) ->
          Served.assigned(
              trace,
              speeds,
              Served.byWeight(pool.weights(ratio), SeededRandom.of(seed, "coins", 0)));
      case Cell.Sticky(int sessions, double meanRequests) ->
          Served.assigned(trace, speeds, new Sessions(sessions, meanRequests, pool.size(), seed));
    };
  }

  private static SequencedMap<String, Object> key(Settings settings, Cell cell) {
    String algorithm =
        switch (cell) {
          case Cell.Weighted weighted -> weighted.algorithm().spec();
          case Cell.Random random -> RANDOM;
          case Cell.Sticky sticky -> STICKY;
        };
    String weights =
        switch (cell) {
          case Cell.Weighted weighted -> weighted.weights().toString();
          case Cell.Random random -> random.weights().toString();
          case Cell.Sticky sticky -> "";
        };
    Cell.Sticky sticky = cell instanceof Cell.Sticky it ? it : new Cell.Sticky(0, 0);
    return Table.row(
        "algorithm", algorithm,
        "weights", weights,
        "sessions", sticky.sessions(),
        "session_requests", requests(sticky.meanRequests()),
        "rho", settings.decimal("rho"),
        "requests", settings.whole("requests"),
        "warmup", settings.whole("warmup"));
  }

  private static String requests(double mean) {
    if (mean == 0) {
      return "";
    }
    return Double.isInfinite(mean)
        ? "inf"
        : BigDecimal.valueOf(mean).stripTrailingZeros().toPlainString();
  }

  private static List<String> notes() {
    return List.of(
        "unstable: no steady state, and so no quantiles, but the growth. With session-requests=inf"
            + " that holds whatever the growth: the pins of the start are never drawn again, so that"
            + " what a run shows is those pins.",
        "theory is Pollaczek-Khinchine for each backend, which random-by-weight follows exactly.",
        "Herding is over intervals of one unit, because a local view has no refresh.");
  }
}
