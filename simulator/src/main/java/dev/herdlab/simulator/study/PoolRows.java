package dev.herdlab.simulator.study;

import dev.herdlab.simulator.ClosedForms;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.workload.ServiceLaw;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// Rows about pools, some of which have no steady state: that is said, with the growth, and there
/// are no quantiles then, which would only tell how long the run was.
///
/// A pool is unstable if its busiest backend was sent as much work as it can do, or more, in the
/// mean over the seeds. Owner thread: its study's.
final class PoolRows {
  static final String STABLE = "stable";
  static final String UNSTABLE = "unstable";

  /// What follows the columns that say which cell a row is of.
  private static final List<Table.Column> FOUND =
      List.of(
          new Table.Column("seed", "of the run"),
          new Table.Column("state", "stable, or unstable: then there are no quantiles"),
          new Table.Column("load", "work sent to the busiest backend, over what it can do"),
          new Table.Column("growth", "requests by which the number in the system grew, a unit"),
          new Table.Column("p50", "median latency, units"),
          new Table.Column("p95", "95th percentile of latency, units"),
          new Table.Column("p99", "99th percentile of latency, units"),
          new Table.Column("mean", "mean latency, units"),
          new Table.Column(
              "theory",
              "mean latency by Pollaczek-Khinchine, where picks are independent of it all"),
          new Table.Column("herding", "share of picks on the backend picked most within its unit"),
          new Table.Column("herding_random", "the same if picks were random"));

  private static final List<String> AVERAGED =
      List.of("load", "growth", "p50", "p95", "p99", "mean", "theory", "herding", "herding_random");

  private final List<Table.Column> keys;
  private final List<SequencedMap<String, Object>> rows = new ArrayList<>();

  /// Rows that begin with `keys`.
  PoolRows(List<Table.Column> keys) {
    this.keys = List.copyOf(keys);
  }

  /// Whether a cell can have a steady state at all.
  enum Settles {
    IF_LOAD_ALLOWS,
    NEVER
  }

  /// One cell's rows.
  ///
  /// @param cell the values of the keys
  /// @param theory the mean latency that is expected; NaN for none
  /// @param seeds of the runs
  void add(
      SequencedMap<String, Object> cell,
      Settles settles,
      double theory,
      List<Long> seeds,
      List<PoolRun> runs) {
    double load = runs.stream().mapToDouble(PoolRun::load).average().orElseThrow();
    boolean stable = settles == Settles.IF_LOAD_ALLOWS && load < 1;
    for (int i = 0; i < runs.size(); i++) {
      PoolRun run = runs.get(i);
      Quantiles latency = stable ? run.latency() : Quantiles.NONE;
      SequencedMap<String, Object> row =
          Table.row(
              "seed", seeds.get(i),
              "state", stable ? STABLE : UNSTABLE,
              "load", run.load(),
              "growth", run.growth(),
              "p50", latency.p50(),
              "p95", latency.p95(),
              "p99", latency.p99(),
              "mean", latency.mean(),
              "theory", stable ? theory : Double.NaN,
              "herding", run.herding().index(),
              "herding_random", run.herding().underRandom());
      cell.sequencedEntrySet()
          .reversed()
          .forEach(entry -> row.putFirst(entry.getKey(), entry.getValue()));
      rows.add(row);
    }
  }

  /// All rows, and their means over the seeds.
  StudyResult result(List<String> notes) {
    List<Table.Column> columns = new ArrayList<>(keys);
    columns.addAll(FOUND);
    Table table = new Table(columns, rows);
    List<String> groups = new ArrayList<>(keys.stream().map(Table.Column::name).toList());
    groups.add("state");
    return new StudyResult(table, table.averaged(groups, "seeds", AVERAGED), notes);
  }

  /// Mean latency when each request goes to a random backend, whatever the queues: each is an M/G/1
  /// of its own. NaN if one of them has no steady state.
  ///
  /// @param shares of the picks, one for each backend; together 1
  static double pollaczekKhinchine(
      double arrivalsPerUnit, ServiceLaw law, List<Double> speeds, List<Double> shares) {
    double mean = 0;
    for (int i = 0; i < speeds.size(); i++) {
      double speed = speeds.get(i);
      double arrivals = arrivalsPerUnit * shares.get(i);
      double service = law.meanUnits() / speed;
      if (arrivals * service >= 1) {
        return Double.NaN;
      }
      mean +=
          shares.get(i)
              * ClosedForms.pollaczekKhinchine(
                  arrivals, service, law.secondMomentUnits() / (speed * speed));
    }
    return mean;
  }
}
