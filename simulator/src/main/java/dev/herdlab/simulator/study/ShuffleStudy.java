package dev.herdlab.simulator.study;

import dev.herdlab.simulator.HerdingIndex;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The study `shuffle`: what one bad type of request does to the other eleven, when every worker
/// serves every type, and when each type has its own three of the twelve workers.
///
/// Saturation is the highest rate, as a share of what the workers can do (12 a unit), at which no
/// more than 0.1 % of the well-behaved requests fail; looked for in steps of half a percent by
/// halving, on the assumption that more requests do not mean fewer failures.
///
/// Parameters that no source gives, and that are this study's own: which idle worker an arrival
/// goes to (a random one), and the step.
///
/// Cost: about 0.1 us a request; the defaults are some 45 million requests. Owner thread: any
/// (immutable).
/// Source: MacCarthaigh, "Workload isolation using shuffle-sharding", Amazon Builders' Library, for
/// the idea; its shards are random, these are chosen.
final class ShuffleStudy implements Study {
  /// Share of errors up to which a rate is still carried.
  private static final double TOLERATED = 0.001;

  /// Steps of the search in the whole capacity.
  private static final int STEPS = 200;

  private static final Table.Column ASSIGNMENT =
      new Table.Column("assignment", "uniform: every worker serves all; shuffle: three a type");
  private static final Table.Column BAD =
      new Table.Column("bad", "what requests of one type do: none, forever or until-timeout");
  private static final Table.Column VARIANT =
      new Table.Column("variant", "how requests reach workers: pull, or push with an algorithm");
  private static final List<Table.Column> COLUMNS =
      List.of(
          ASSIGNMENT,
          BAD,
          VARIANT,
          new Table.Column("rate", "requests a unit, over all types"),
          new Table.Column("error_rate", "share of well-behaved requests that run out of time"),
          new Table.Column("throughput", "requests done a unit"),
          new Table.Column(
              "latency_mean",
              "of well-behaved requests; all of its time for one that ran out of it"),
          new Table.Column("p50", "median of these latencies, units"),
          new Table.Column("p90", "90th percentile, units"),
          new Table.Column("utilisation", "share of time in which workers are busy, bad ones too"),
          new Table.Column("herding", "share of picks on the worker picked most within its unit"),
          new Table.Column("herding_random", "the same if picks were random over all workers"));

  @Override
  public String name() {
    return "shuffle";
  }

  @Override
  public String summary() {
    return "What one bad type of request does to the others, with and without shuffle sharding.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        choice("assignment", Assignment.values(), Assignment::word, "who may serve what"),
        choice("bad", WorkerPool.Bad.values(), WorkerPool.Bad::word, "what one type does"),
        choice(
            "variant",
            ShuffleRun.Variant.values(),
            ShuffleRun.Variant::word,
            "how requests reach workers"),
        Setting.list(
            "rate",
            new Setting.Type.Positive(),
            "1,2,3,4,5,6,7,8,9,10,11,12",
            "requests a unit over all types; the workers can do 12"),
        Setting.whole("units", 100, 1_000_000, "20000", "length of a run; a tenth is dropped"),
        Setting.positive("timeout", "10", "units from its arrival that a request has"),
        Setting.whole("seed", 0, Long.MAX_VALUE, "0", "source of all randomness"));
  }

  private static <E> Setting choice(String name, E[] all, Function<E, String> word, String doc) {
    List<String> words = Arrays.stream(all).map(word).toList();
    return Setting.list(name, new Setting.Type.Choice(words), String.join(",", words), doc);
  }

  private static <E> List<E> chosen(
      Settings settings, String name, E[] all, Function<E, String> word) {
    List<String> words = settings.words(name);
    return Arrays.stream(all).filter(it -> words.contains(word.apply(it))).toList();
  }

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    List<ShuffleRun> kinds = kinds(settings);
    List<ShuffleRun> runs = new ArrayList<>();
    for (ShuffleRun kind : kinds) {
      settings.decimals("rate").forEach(rate -> runs.add(kind.withRate(rate)));
    }
    int parts = runs.size() + kinds.size();
    List<SequencedMap<String, Object>> rows =
        Parallel.map(runs, ShuffleStudy::row, (done, total) -> progress.finished(done, parts));
    List<SequencedMap<String, Object>> saturation =
        Parallel.map(
            kinds,
            ShuffleStudy::saturation,
            (done, total) -> progress.finished(runs.size() + done, parts));
    Table table = new Table(COLUMNS, rows);
    return new StudyResult(
        table, table, List.of(saturationPart(saturation), overlap(), matrix()), notes());
  }

  /// Every combination, at a rate of no account.
  private static List<ShuffleRun> kinds(Settings settings) {
    List<ShuffleRun> kinds = new ArrayList<>();
    for (ShuffleRun.Variant variant :
        chosen(settings, "variant", ShuffleRun.Variant.values(), ShuffleRun.Variant::word)) {
      for (WorkerPool.Bad bad :
          chosen(settings, "bad", WorkerPool.Bad.values(), WorkerPool.Bad::word)) {
        for (Assignment assignment :
            chosen(settings, "assignment", Assignment.values(), Assignment::word)) {
          kinds.add(
              new ShuffleRun(
                  assignment,
                  bad,
                  variant,
                  1,
                  settings.whole("units"),
                  settings.decimal("timeout"),
                  settings.wholes("seed").getFirst()));
        }
      }
    }
    return kinds;
  }

  private static SequencedMap<String, Object> row(ShuffleRun run) {
    ShuffleTally tally = run.run();
    double[] quantiles = tally.latencyQuantiles(0.5, 0.9);
    HerdingIndex herding = tally.herding();
    return Table.row(
        "assignment", run.assignment().word(),
        "bad", run.bad().word(),
        "variant", run.variant().word(),
        "rate", run.rate(),
        "error_rate", tally.errorRate(),
        "throughput", tally.throughput(),
        "latency_mean", tally.meanLatency(),
        "p50", quantiles[0],
        "p90", quantiles[1],
        "utilisation", tally.utilisation(),
        "herding", herding.index(),
        "herding_random", herding.underRandom());
  }

  private static SequencedMap<String, Object> saturation(ShuffleRun kind) {
    int carried = 0;
    int tooMuch = STEPS + 1;
    while (tooMuch - carried > 1) {
      int middle = (carried + tooMuch) / 2;
      double rate = (double) middle / STEPS * Assignment.WORKERS;
      if (kind.withRate(rate).run().errorRate() <= TOLERATED) {
        carried = middle;
      } else {
        tooMuch = middle;
      }
    }
    return Table.row(
        "assignment", kind.assignment().word(),
        "bad", kind.bad().word(),
        "variant", kind.variant().word(),
        "share_of_capacity", (double) carried / STEPS);
  }

  private static StudyResult.Part saturationPart(List<SequencedMap<String, Object>> rows) {
    return new StudyResult.Part(
        "saturation",
        "Saturation: the highest rate with at most 0.1 % errors",
        StudyResult.Shape.LIST,
        new Table(
            List.of(
                ASSIGNMENT,
                BAD,
                VARIANT,
                new Table.Column("share_of_capacity", "that rate over 12 requests a unit")),
            rows));
  }

  private static StudyResult.Part overlap() {
    return new StudyResult.Part(
        "overlap",
        "Workers that two types have in common under shuffle sharding",
        StudyResult.Shape.ONE,
        new Table(
            List.of(
                new Table.Column("max", "of all pairs of types"),
                new Table.Column("mean", "over all pairs of types")),
            List.of(
                Table.row(
                    "max",
                    Assignment.SHUFFLE.maxOverlap(),
                    "mean",
                    Assignment.SHUFFLE.meanOverlap()))));
  }

  private static StudyResult.Part matrix() {
    List<SequencedMap<String, Object>> rows = new ArrayList<>();
    for (Assignment assignment : Assignment.values()) {
      for (int type = 0; type < Assignment.WORKERS; type++) {
        rows.add(
            Table.row(
                "assignment", assignment.word(), "type", type, "workers", marks(assignment, type)));
      }
    }
    return new StudyResult.Part(
        "matrix",
        "Which workers (0 to 11, from the left) may serve which type",
        StudyResult.Shape.LIST,
        new Table(
            List.of(
                ASSIGNMENT,
                new Table.Column("type", "0 to 11; type 0 is the bad one"),
                new Table.Column("workers", "x for each that may serve it")),
            rows));
  }

  private static String marks(Assignment assignment, int type) {
    int[] workers = assignment.workers(type);
    return IntStream.range(0, Assignment.WORKERS)
        .mapToObj(worker -> Arrays.binarySearch(workers, worker) >= 0 ? "x" : ".")
        .collect(Collectors.joining());
  }

  private static List<String> notes() {
    return List.of(
        "Rates and shares count all types, the bad one too; error_rate and latencies are of the"
            + " well-behaved ones. A request that ran out of time counts with all of its time.",
        "pull: a worker that is stuck takes no more, and its shard's others take over. push: random"
            + " picks go on to send a stuck worker its share, which fails; least-conn sees a stuck"
            + " worker fill, but also sees it empty again as requests run out of time there, and"
            + " keeps as many waiting on it as on the others. Where nothing is bad, a queue of one's"
            + " own costs latency that a common one does not: a worker may idle while others queue.",
        "Herding is over intervals of one unit.");
  }
}
