package dev.herdlab.simulator.study;

import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import dev.herdlab.simulator.PublishedHerd;
import dev.herdlab.simulator.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// The study `herd`: what more proxies do to latency when each sees only its own requests. Equal to
/// the published program, digit for digit ([PublishedHerd]).
///
/// Cost: 60 runs of 300 000 requests take 4 s of CPU, start-up included, spread over all cores;
/// [PublishedHerd] says where it goes. `benchmarks/herd.py` does the same in plain Python in 43 s.
/// Owner thread: any (immutable).
final class HerdStudy implements Study {
  /// Mean of the published service law, exp(-0.36 + 0.85^2 / 2).
  private static final double MEAN_SERVICE = StrictMath.exp(-0.36 + 0.85 * 0.85 / 2);

  private static final List<Table.Column> COLUMNS =
      List.of(
          new Table.Column("algorithm", "each proxy's algorithm"),
          new Table.Column("proxies", "number of proxies"),
          new Table.Column("backends", "number of backends"),
          new Table.Column("rho", "arrivals a unit, over the number of backends"),
          CommonSettings.REQUESTS_COLUMN,
          CommonSettings.WARMUP_COLUMN,
          new Table.Column("seed", "of the run"),
          new Table.Column("p50", "median latency, units"),
          new Table.Column("p95", "95th percentile of latency, units"),
          new Table.Column("p99", "99th percentile of latency, units"),
          new Table.Column("herding", "share of picks on the backend picked most within its unit"),
          new Table.Column("herding_random", "the same if picks were random"));

  @Override
  public String name() {
    return "herd";
  }

  @Override
  public String summary() {
    return "What more proxies do to latency when each balancer sees only its own requests.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list("proxies", CommonSettings.PROXIES, "1,4,16,64", "numbers of proxies"),
        Setting.list(
            "algorithm",
            new Setting.Type.AlgorithmSpec(),
            "round-robin,least-conn,p2c",
            "algorithms without timers or probes"),
        CommonSettings.SEEDS,
        CommonSettings.REQUESTS,
        CommonSettings.WARMUP,
        CommonSettings.BACKENDS,
        CommonSettings.RHO);
  }

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    CommonSettings.checkWarmup(settings);
    List<PublishedHerd.Cell> cells = new ArrayList<>();
    for (long proxies : settings.wholes("proxies")) {
      for (ConfiguredAlgorithm algorithm : settings.algorithms("algorithm")) {
        for (long seed : settings.wholes("seeds")) {
          cells.add(
              new PublishedHerd.Cell(
                  algorithm,
                  Math.toIntExact(proxies),
                  settings.whole("backends"),
                  settings.decimal("rho"),
                  settings.whole("requests"),
                  settings.whole("warmup"),
                  seed));
        }
      }
    }
    List<PublishedHerd.Result> results = Parallel.map(cells, PublishedHerd::run, progress);
    List<SequencedMap<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      rows.add(row(cells.get(i), results.get(i)));
    }
    Table table = new Table(COLUMNS, rows);
    List<String> notes = new ArrayList<>();
    notes.add("Herding is over intervals of one unit, because local views have no refresh.");
    CommonSettings.overload(settings.decimal("rho"), MEAN_SERVICE).ifPresent(notes::add);
    return new StudyResult(
        table,
        table.averaged(
            List.of("proxies", "algorithm"),
            "seeds",
            List.of("p50", "p95", "p99", "herding", "herding_random")),
        notes);
  }

  private static SequencedMap<String, Object> row(
      PublishedHerd.Cell cell, PublishedHerd.Result result) {
    Quantiles latency = result.latency();
    return Table.row(
        "algorithm", cell.algorithm().spec(),
        "proxies", cell.proxies(),
        "backends", cell.backends(),
        "rho", cell.rho(),
        "requests", cell.requests(),
        "warmup", cell.warmup(),
        "seed", cell.seed(),
        "p50", latency.p50(),
        "p95", latency.p95(),
        "p99", latency.p99(),
        "herding", result.herding().index(),
        "herding_random", result.herding().underRandom());
  }
}
