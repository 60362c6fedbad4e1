package dev.herdlab.lab.config;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Trace;
import java.nio.file.Path;
import java.util.Optional;

/// The keys of an experiment, from which its loader, `--help` and JSON Schema are made.
///
/// Cells are nested in the order of [#CELL]: the first key varies slowest, the last fastest.
/// Owner thread: any (immutable).
public final class ExperimentKeys {
  /// The largest number of requests in a cell: a bound on memory (about 200 bytes a request).
  static final int MAX_REQUESTS = Trace.MAX_REQUESTS;

  /// The largest number of seeds in a cell.
  static final int MAX_SEEDS = 1000;

  public static final Key<Long> UNIT =
      Key.sweep(
          "unit",
          ValueType.duration(1),
          "10ms",
          "length of a unit of time on real sockets; the mean service time is about one unit");
  public static final Key<Integer> BACKENDS =
      Key.sweep(
          "backends",
          ValueType.whole(1, 4096),
          "16",
          "number of backends, each a queue with a server, or as discipline and servers say");
  public static final Key<Double> SPEEDS =
      Key.list(
          "speeds",
          ValueType.positive(),
          "1",
          "speed of each backend in order, or one number for all; 2 works twice as fast");
  public static final Key<Integer> WEIGHTS =
      Key.list(
          "weights",
          ValueType.whole(1, 65_535),
          "1",
          "weight of each backend in order, or one number for all; weighted algorithms use it");
  public static final Key<String> SERVICE =
      Key.sweep(
          "service",
          ValueType.text("a service law such as lognormal, exponential(mean=1) or deterministic"),
          "lognormal(mu=-0.36,sigma=0.85)",
          "law of the service time in units at speed 1; with never=0.01 that share of requests never"
              + " ends");
  public static final Key<String> ARRIVALS =
      Key.sweep(
          "arrivals",
          ValueType.text(
              "an arrival process such as poisson, constant, bursty(ratio=4,busy=20,quiet=60) or"
                  + " recorded(file=gaps.txt)"),
          "poisson",
          "when requests are sent; nothing that happens changes it (open loop)");
  public static final Key<String> TENANTS =
      Key.sweep(
          "tenants",
          ValueType.text("none, uniform(n=1000), zipf(n=1000,s=1) or sessions(n=500,requests=20)"),
          "none",
          "to whom a request belongs: its key for hashing and affinity, and the client that keeps a"
              + " cookie");
  public static final Key<Queueing.Discipline> DISCIPLINE =
      Key.sweep(
          "discipline",
          ValueType.constant(Queueing.Discipline.class),
          "fifo",
          "whom a backend serves next: the first of its queue, the last, or with ps all at once,"
              + " who share its servers equally (processor sharing)");
  public static final Key<Integer> SERVERS =
      Key.sweep(
          "servers",
          ValueType.whole(1, Queueing.MAX_SERVERS),
          "1",
          "servers of each backend, with one queue for all, each of the backend's speed");
  public static final Key<Optional<Integer>> QUEUE =
      Key.sweep(
          "queue",
          ValueType.orNone(ValueType.whole(1, 10_000)),
          "none",
          "most requests at a backend, those in service included; more are shed with 503");
  public static final Key<Optional<Double>> TIMEOUT =
      Key.sweep(
          "timeout",
          ValueType.orNone(ValueType.positive()),
          "none",
          "how many units a client waits from the intended instant on; then its request is given up"
              + " (504), leaves its queue or frees its server");
  public static final Key<Integer> RETRIES =
      Key.sweep(
          "retries",
          ValueType.whole(0, 100),
          "0",
          "how often a proxy tries a failed request again (no connection, none of the answer, or a"
              + " status of 500 or above), each time on a backend not tried yet if there is one");
  public static final Key<Optional<Double>> RETRY_BUDGET =
      Key.sweep(
          "retry-budget",
          ValueType.orNone(ValueType.percent(1000)),
          "none",
          "most retries of a proxy as a share of its requests of the last 10 s, and 10 a second in any"
              + " case");
  public static final Key<Optional<String>> HEDGE =
      Key.sweep(
          "hedge",
          ValueType.orNone(ValueType.hedge()),
          "none",
          "when a request that is not answered gets a second attempt on another backend: after that"
              + " percentile of the proxy's recent latencies, p1 to p99, or so many units; the first"
              + " answer wins");
  public static final Key<String> EVENTS =
      Key.list(
          "events",
          ValueType.event(),
          "none",
          "what is done to the system during the run, at so many units from its start; in a file"
              + " maps, too: - {at: 100, backend: b3, fault: hang}");
  public static final Key<Double> RHO =
      Key.sweep(
          "rho",
          ValueType.positive(),
          "0.8",
          "offered load: rho x (sum of the servers' speeds) requests arrive a unit; from 1 on nothing"
              + " settles");
  public static final Key<Integer> REQUESTS =
      Key.sweep(
          "requests",
          ValueType.whole(1, MAX_REQUESTS),
          "6000",
          "number of requests in a cell, warm-up included");
  public static final Key<Portion> WARMUP =
      Key.sweep(
          "warmup",
          ValueType.portion(),
          "10%",
          "the first requests, dropped from the numbers: a count, or a share of the requests");
  public static final Key<String> VIEW =
      Key.sweep(
          "view",
          ValueType.text("local, shared, reported or shared-stale(refresh=R,own=,phase=)"),
          "local",
          "what a balancer knows of the loads");
  public static final Key<Integer> PROXIES =
      Key.sweep(
          "proxies",
          ValueType.whole(1, 4096),
          "1",
          "number of proxies k; each has a balancer and connections of its own");
  public static final Key<String> PROXY_CHOICE =
      Key.sweep(
          "proxy-choice",
          ValueType.text("uniform, weighted(shares=3+1+1+1) or sticky(connections=64)"),
          "uniform",
          "which proxy a request reaches: any with the same probability, by shares, or that of one of"
              + " so many connections, each of which stays with a proxy");
  public static final Key<String> ALGORITHM =
      Key.sweep(
          "algorithm",
          ValueType.text("an algorithm such as p2c(d=2); see herdlab algorithms"),
          "round-robin",
          "how a proxy picks a backend");
  public static final Key<Long> SEEDS =
      Key.sweep(
          "seeds",
          ValueType.wholes(MAX_SEEDS),
          "0",
          "sources of all randomness, a list or a range such as 0..4; each makes cells of its own");

  /// Keys that a cell may override.
  public static final KeyTable CELL =
      KeyTable.of(
          UNIT,
          BACKENDS,
          SPEEDS,
          WEIGHTS,
          SERVICE,
          ARRIVALS,
          TENANTS,
          DISCIPLINE,
          SERVERS,
          QUEUE,
          TIMEOUT,
          RETRIES,
          RETRY_BUDGET,
          HEDGE,
          EVENTS,
          RHO,
          REQUESTS,
          WARMUP,
          VIEW,
          PROXIES,
          PROXY_CHOICE,
          ALGORITHM,
          SEEDS);

  public static final Key<String> NAME =
      Key.one(
          "name",
          ValueType.matching("[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "letters, digits, . _ and -"),
          "experiment",
          "names the folder of results");
  public static final Key<String> DESCRIPTION =
      Key.one("description", ValueType.text("text"), Key.NONE, "what the experiment shows");
  public static final Key<Integer> MODEL_REQUESTS =
      Key.one(
          "model-requests",
          ValueType.whole(0, MAX_REQUESTS),
          "300000",
          "requests in each of the model's own long runs, beside the measured one; 0 for none");
  public static final Key<Integer> MODEL_SEEDS =
      Key.one(
          "model-seeds",
          ValueType.whole(2, MAX_SEEDS),
          "5",
          "number of those runs; the confidence interval comes from them");
  public static final Key<Long> BURN_IN =
      Key.one(
          "burn-in",
          ValueType.duration(0),
          "4s",
          "load before the first clock starts, to have the code compiled; not the warm-up");
  public static final Key<Integer> TWIN_SEEDS =
      Key.one(
          "twin-seeds",
          ValueType.whole(20, 10_000),
          "20",
          "coin seeds of the twin, the model that makes its own picks");
  public static final Key<Integer> ATTEMPTS =
      Key.one(
          "attempts",
          ValueType.whole(1, 5),
          "3",
          "how often a cell is measured at most until a run is valid; all are reported");
  public static final Key<Long> PHASE =
      Key.one(
          "phase",
          ValueType.duration(1_000_000),
          "60s",
          "length of a cell when a running system is conducted; requests is of no account then");
  public static final Key<RunOptions.Layout> LAYOUT =
      Key.one(
          "layout",
          ValueType.constant(RunOptions.Layout.class),
          "one-process",
          "where generator, proxies and backends run: all in one process, or a process each, which"
              + " leaves out view shared");
  public static final Key<RunOptions.Priority> PRIORITY =
      Key.one(
          "priority",
          ValueType.constant(RunOptions.Priority.class),
          "default",
          "of the loops' threads; real-time is refused where the system does not allow it");
  public static final Key<TraceSource> TRACE =
      Key.one(
          "trace",
          ValueType.trace(),
          Key.NONE,
          "replay a written trace, or a run's requests.csv.gz (#2 behind it: its cell 2, else 1),"
              + " instead of drawing requests");
  public static final Key<Path> PLUGINS =
      Key.list("plugins", ValueType.path(), Key.NONE, "jars with algorithms of your own");

  public static final Key<String> COMPLAINT =
      Key.one(
          "complaint",
          ValueType.text("text"),
          Key.NONE,
          "what users complained of, and where: an experiment that names one needs thresholds, which"
              + " say what is right");
  public static final Key<Threshold> THRESHOLDS =
      Key.list(
          "thresholds",
          Threshold.type(),
          Key.NONE,
          "rules for every cell, measured and in the model; exit code 4 when one is broken");

  /// Keys of the experiment as a whole.
  public static final KeyTable WHOLE =
      KeyTable.of(
          NAME,
          DESCRIPTION,
          COMPLAINT,
          MODEL_REQUESTS,
          MODEL_SEEDS,
          BURN_IN,
          TWIN_SEEDS,
          ATTEMPTS,
          PHASE,
          LAYOUT,
          PRIORITY,
          TRACE,
          PLUGINS,
          THRESHOLDS);

  /// All keys, as given by `--set`.
  public static final KeyTable ALL = WHOLE.and(CELL);

  /// The list of maps, each of which overrides [#CELL] keys and sweeps on its own.
  public static final String CELLS = "cells";

  private ExperimentKeys() {}
}
