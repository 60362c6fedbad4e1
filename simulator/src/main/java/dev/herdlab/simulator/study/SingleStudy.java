package dev.herdlab.simulator.study;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.Workload;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;

/// The study `single`: one balancer that sees everything, on equal backends, and on a pool whose
/// backend 0 takes longer than the others at the same arrival rate.
///
/// Whoever picks without looking sends the slow backend as much as the others: at three times the
/// service time that is more than it can do, and its queue grows as long as the run lasts. All
/// cells of a seed and rate meet the same requests.
///
/// Cost: 0.1 to 0.2 us a request; the defaults are 150 runs of 300 000. Owner thread: any
/// (immutable).
final class SingleStudy implements Study {
  private static final List<Table.Column> KEYS =
      List.of(
          new Table.Column("algorithm", "the proxy's algorithm"),
          new Table.Column("slowdown", "backend 0 takes this times as long as the others"),
          new Table.Column("rho", "arrivals a unit, over the number of backends"),
          new Table.Column("backends", "number of backends"),
          CommonSettings.REQUESTS_COLUMN,
          CommonSettings.WARMUP_COLUMN);

  @Override
  public String name() {
    return "single";
  }

  @Override
  public String summary() {
    return "One balancer, on equal backends and beside one that takes longer.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list(
            "algorithm",
            new Setting.Type.AlgorithmSpec(),
            "random,round-robin,least-conn,least-time,p2c",
            "algorithms without probes"),
        Setting.list(
            "slowdown",
            new Setting.Type.Decimal(1),
            "1,1.2,3",
            "how many times as long as the others backend 0 takes"),
        Setting.list(
            "rho",
            new Setting.Type.Positive(),
            "0.8,0.95",
            "arrivals a unit, over the number of backends"),
        CommonSettings.SEEDS,
        CommonSettings.REQUESTS,
        CommonSettings.WARMUP,
        CommonSettings.BACKENDS,
        CommonSettings.SERVICE);
  }

  /// One row without its seed and rate.
  private record Cell(ConfiguredAlgorithm algorithm, double slowdown) {
    List<Double> speeds(int backends) {
      List<Double> speeds = new ArrayList<>(Collections.nCopies(backends, 1.0));
      speeds.set(0, 1 / slowdown);
      return speeds;
    }
  }

  private record Batch(double rho, long seed) {}

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    CommonSettings.checkWarmup(settings);
    List<Cell> cells = new ArrayList<>();
    for (double slowdown : settings.decimals("slowdown")) {
      settings.algorithms("algorithm").forEach(it -> cells.add(new Cell(it, slowdown)));
    }
    List<Batch> batches = new ArrayList<>();
    List<Long> seeds = settings.wholes("seeds");
    for (double rho : settings.decimals("rho")) {
      seeds.forEach(seed -> batches.add(new Batch(rho, seed)));
    }
    List<List<PoolRun>> runs =
        Parallel.map(batches, batch -> runs(settings, batch, cells), progress);
    PoolRows rows = new PoolRows(KEYS);
    for (int first = 0; first < batches.size(); first += seeds.size()) {
      double rho = batches.get(first).rho();
      for (int c = 0; c < cells.size(); c++) {
        int column = c;
        rows.add(
            key(settings, cells.get(c), rho),
            PoolRows.Settles.IF_LOAD_ALLOWS,
            theory(settings, cells.get(c), rho),
            seeds,
            runs.subList(first, first + seeds.size()).stream().map(it -> it.get(column)).toList());
      }
    }
    return rows.result(notes());
  }

  private static SequencedMap<String, Object> key(Settings settings, Cell cell, double rho) {
    return Table.row(
        "algorithm", cell.algorithm().spec(),
        "slowdown", cell.slowdown(),
        "rho", rho,
        "backends", settings.whole("backends"),
        "requests", settings.whole("requests"),
        "warmup", settings.whole("warmup"));
  }

  /// All cells of one seed and rate, on the same requests.
  private static List<PoolRun> runs(Settings settings, Batch batch, List<Cell> cells) {
    int backends = settings.whole("backends");
    Workload workload =
        new Workload(
            ArrivalProcess.parse("poisson", batch.rho() * backends, Studies.UNIT_NANOS),
            settings.service("service"),
            1,
            settings.whole("requests"),
            settings.whole("warmup"),
            Studies.UNIT_NANOS);
    Trace trace = workload.trace(batch.seed());
    List<PoolRun> runs = new ArrayList<>();
    for (Cell cell : cells) {
      List<Double> speeds = cell.speeds(backends);
      Model model =
          new Model(BackendSet.ofSize(backends), speeds, cell.algorithm(), new ViewSpec.Local());
      runs.add(
          PoolRun.of(Served.of(model.run(trace, batch.seed())), speeds, settings.whole("warmup")));
    }
    return runs;
  }

  private static double theory(Settings settings, Cell cell, double rho) {
    int backends = settings.whole("backends");
    ServiceLaw law = settings.service("service");
    return cell.algorithm().algorithm().description().name().equals("random")
        ? PoolRows.pollaczekKhinchine(
            rho * backends,
            law,
            cell.speeds(backends),
            Collections.nCopies(backends, 1.0 / backends))
        : Double.NaN;
  }

  private static List<String> notes() {
    return List.of(
        "unstable: some backend is sent more work than it can do, its queue grows as long as the run"
            + " lasts, and quantiles would only tell how long that was.",
        "theory is Pollaczek-Khinchine for each backend, which random picks follow exactly.",
        "Herding is over intervals of one unit, because a local view has no refresh.");
  }
}
