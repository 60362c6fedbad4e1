package dev.herdlab.simulator.study;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.HerdingIndex;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Workload;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/// The study `stale`: what old information does to balancers that all read one shared snapshot, by
/// the age that it reaches, whether they add their own picks to it, and whether all copy it at
/// once.
///
/// All cells of a seed meet the same requests. Cost: 0.1 to 0.2 us a request, more for short
/// refresh intervals with many proxies; the traces are made seed by seed, 24 bytes a request. Owner
/// thread: any (immutable).
final class StaleStudy implements Study {
  private static final List<Table.Column> COLUMNS =
      List.of(
          new Table.Column("algorithm", "each proxy's algorithm"),
          new Table.Column("view", "local, shared or shared-stale"),
          new Table.Column("refresh", "units between copies; 0 for views always fresh"),
          new Table.Column("own", "own picks since the copy are added"),
          new Table.Column(
              "phase", "sync: all proxies copy at once; random: each at its own instants"),
          new Table.Column("proxies", "number of proxies"),
          new Table.Column("backends", "number of backends"),
          new Table.Column("rho", "arrivals a unit, over the number of backends"),
          CommonSettings.REQUESTS_COLUMN,
          CommonSettings.WARMUP_COLUMN,
          new Table.Column("seed", "of the run"),
          new Table.Column("p50", "median latency, units"),
          new Table.Column("p95", "95th percentile of latency, units"),
          new Table.Column("p99", "99th percentile of latency, units"),
          new Table.Column("mean", "mean latency, units"),
          new Table.Column(
              "herding", "share of picks on the backend picked most within its refresh interval"),
          new Table.Column("herding_random", "the same if picks were random"));

  @Override
  public String name() {
    return "stale";
  }

  @Override
  public String summary() {
    return "What old information does to balancers that all read one shared snapshot.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list(
            "algorithm",
            new Setting.Type.AlgorithmSpec(),
            "least-conn,p2c",
            "algorithms that are run on every view"),
        Setting.list(
            "baseline",
            new Setting.Type.AlgorithmSpec(),
            "round-robin,random",
            "algorithms that are run on the local view alone"),
        Setting.list(
            "refresh",
            new Setting.Type.Decimal(0),
            "0,0.1,0.25,0.5,1,2,4,8",
            "units between copies; 0 is the view shared, always fresh"),
        Setting.list(
            "own",
            new Setting.Type.Choice(List.of("false", "true")),
            "false,true",
            "add own picks since the copy that are in flight"),
        Setting.list(
            "phase",
            new Setting.Type.Choice(List.of("sync", "random")),
            "sync,random",
            "when the proxies copy"),
        CommonSettings.SEEDS,
        CommonSettings.REQUESTS,
        CommonSettings.WARMUP,
        Setting.whole("proxies", 1, 10_000, "16", "number of proxies"),
        CommonSettings.BACKENDS,
        CommonSettings.RHO,
        CommonSettings.SERVICE);
  }

  /// One row without its seed.
  private record Cell(ConfiguredAlgorithm algorithm, View view) {}

  /// A view as the rows show it.
  private record View(String name, double refresh, boolean own, String phase) {
    static final View LOCAL = new View("local", 0, false, "sync");
    static final View SHARED = new View("shared", 0, false, "sync");

    ViewSpec spec() {
      return switch (name) {
        case "local" -> new ViewSpec.Local();
        case "shared" -> new ViewSpec.Shared();
        default ->
            new ViewSpec.SharedStale(
                Math.round(refresh * Studies.UNIT_NANOS),
                own ? ViewSpec.OwnPicks.ADDED : ViewSpec.OwnPicks.IGNORED,
                phase.equals("sync") ? ViewSpec.Phase.SYNC : ViewSpec.Phase.RANDOM);
      };
    }

    /// A refresh interval, or one unit where there is none.
    long intervalNanos() {
      return refresh > 0 ? Math.round(refresh * Studies.UNIT_NANOS) : Studies.UNIT_NANOS;
    }
  }

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    CommonSettings.checkWarmup(settings);
    ServiceLaw service = settings.service("service");
    List<Cell> cells = cells(settings);
    List<Long> seeds = settings.wholes("seeds");
    List<List<SequencedMap<String, Object>>> bySeed = new ArrayList<>();
    for (long seed : seeds) {
      Trace trace = workload(settings, service).trace(seed);
      int before = bySeed.size() * cells.size();
      bySeed.add(
          Parallel.map(
              cells,
              cell -> row(settings, cell, trace, seed),
              (done, total) -> progress.finished(before + done, seeds.size() * total)));
    }
    List<SequencedMap<String, Object>> rows = new ArrayList<>();
    for (int c = 0; c < cells.size(); c++) {
      for (List<SequencedMap<String, Object>> ofSeed : bySeed) {
        rows.add(ofSeed.get(c));
      }
    }
    Table table = new Table(COLUMNS, rows);
    List<String> notes = new ArrayList<>();
    notes.add(
        "Herding is over refresh intervals; over intervals of one unit where views have no refresh.");
    CommonSettings.overload(settings.decimal("rho"), service.meanUnits()).ifPresent(notes::add);
    return new StudyResult(
        table,
        table.averaged(
            List.of("algorithm", "view", "refresh", "own", "phase"),
            "seeds",
            List.of("p50", "p95", "p99", "mean", "herding", "herding_random")),
        notes);
  }

  private static Workload workload(Settings settings, ServiceLaw service) {
    double arrivalsPerUnit = settings.decimal("rho") * settings.whole("backends");
    return new Workload(
        ArrivalProcess.parse("poisson", arrivalsPerUnit, Studies.UNIT_NANOS),
        service,
        settings.whole("proxies"),
        settings.whole("requests"),
        settings.whole("warmup"),
        Studies.UNIT_NANOS);
  }

  private static List<Cell> cells(Settings settings) {
    Set<View> views = new LinkedHashSet<>();
    views.add(View.LOCAL);
    for (String phase : settings.words("phase")) {
      for (String own : settings.words("own")) {
        for (double refresh : settings.decimals("refresh")) {
          views.add(
              refresh == 0
                  ? View.SHARED
                  : new View("shared-stale", refresh, Boolean.parseBoolean(own), phase));
        }
      }
    }
    Set<Cell> cells = new LinkedHashSet<>();
    settings.algorithms("baseline").forEach(it -> cells.add(new Cell(it, View.LOCAL)));
    for (ConfiguredAlgorithm algorithm : settings.algorithms("algorithm")) {
      views.forEach(view -> cells.add(new Cell(algorithm, view)));
    }
    return List.copyOf(cells);
  }

  private static SequencedMap<String, Object> row(
      Settings settings, Cell cell, Trace trace, long seed) {
    int backends = settings.whole("backends");
    int warmup = settings.whole("warmup");
    View view = cell.view();
    Model model =
        new Model(
            BackendSet.ofSize(backends),
            Collections.nCopies(backends, 1.0),
            cell.algorithm(),
            view.spec());
    ModelRun run = model.run(trace, seed);
    Quantiles latency = run.quantiles(warmup, Studies.UNIT_NANOS);
    HerdingIndex herding = run.herding(warmup, view.intervalNanos());
    return Table.row(
        "algorithm", cell.algorithm().spec(),
        "view", view.name(),
        "refresh", view.refresh(),
        "own", view.own(),
        "phase", view.phase(),
        "proxies", trace.proxies(),
        "backends", backends,
        "rho", settings.decimal("rho"),
        "requests", trace.size(),
        "warmup", warmup,
        "seed", seed,
        "p50", latency.p50(),
        "p95", latency.p95(),
        "p99", latency.p99(),
        "mean", latency.mean(),
        "herding", herding.index(),
        "herding_random", herding.underRandom());
  }
}
