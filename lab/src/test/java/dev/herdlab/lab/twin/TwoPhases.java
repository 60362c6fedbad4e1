package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.simulator.Carried;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Refreshes;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// A system whose truth is known and whose balancers are replaced under load: random picks first,
/// then those of an algorithm, whose cell is measured, while a third phase's requests follow.
///
/// As [SyntheticRun] it is the model's run with constant delays. Each proxy switches a little after
/// the cell's beginning, at an instant of its own.
final class TwoPhases {
  static final int CARRIED = 1500;
  static final int REQUESTS = 2000;
  static final int WARMUP = 30;
  static final int PROXIES = 4;

  private static final int LATER = 300;
  private static final int BACKENDS = 8;

  final Trace all;
  final long epochNanos;
  final long[] switches;
  private final String algorithm;
  private final String view;
  private final long seed;
  private final BackendSet backends = BackendSet.ofSize(BACKENDS);

  TwoPhases(String algorithm, String view, long seed) {
    this.algorithm = algorithm;
    this.view = view;
    this.seed = seed;
    all =
        Trace.generate(
            seed,
            CARRIED + REQUESTS + LATER,
            PROXIES,
            ArrivalProcess.parse("poisson", 0.8 * BACKENDS, SyntheticRun.UNIT),
            ServiceLaw.parse("lognormal(mu=-0.36,sigma=0.85)"),
            SyntheticRun.UNIT);
    epochNanos = all.intendedNanos(CARRIED - 1) + 1;
    switches = new long[PROXIES];
    for (int p = 0; p < PROXIES; p++) {
      switches[p] = afterTheNextRequest(p, epochNanos + p * SyntheticRun.UNIT / 2);
    }
  }

  /// Far enough behind a request that the stamps of the pick, which come some microseconds later,
  /// are before it too.
  private long afterTheNextRequest(int proxy, long nanos) {
    int i = 0;
    while (all.intendedNanos(i) < nanos || all.proxy(i) != proxy) {
      i++;
    }
    return all.intendedNanos(i) + 50_000;
  }

  /// Copies of all proxies at the cell's beginning and every two units from there on.
  Refreshes everyTwoUnits() {
    int copies = 400;
    long[] instants = new long[copies * PROXIES];
    int[] proxies = new int[instants.length];
    for (int j = 0; j < instants.length; j++) {
      instants[j] = epochNanos + 2L * (j / PROXIES) * SyntheticRun.UNIT;
      proxies[j] = j % PROXIES;
    }
    return Refreshes.recorded(instants, proxies);
  }

  /// What really happened: the model with a switch.
  ModelRun play(Refreshes refreshes, DispatchListener listener) {
    ConfiguredAlgorithm random = SyntheticRun.parse("random");
    List<Double> speeds = Collections.nCopies(BACKENDS, 1.0);
    ModelRun before =
        new Model(backends, speeds, random, new ViewSpec.Local()).run(all, seed + 1000);
    int[] told = new int[all.size()];
    for (int i = 0; i < told.length; i++) {
      boolean own = all.intendedNanos(i) >= switches[all.proxy(i)];
      told[i] = own ? Carried.OWN : before.backend(i);
    }
    return new Model(
            backends,
            speeds,
            SyntheticRun.parse(algorithm),
            ViewSpec.parse(view, SyntheticRun.UNIT))
        .run(all, seed, refreshes, Carried.of(all, told, switches), listener);
  }

  /// The cell, with what is carried, as measured; its record goes on until all have ended.
  Measurement measured() {
    DispatchLog log = new DispatchLog(16);
    ModelRun run = play(everyTwoUnits(), log);
    return measured(
        run,
        log,
        new Conditions(
            CARRIED,
            epochNanos,
            Conditions.Clocks.ONE,
            Conditions.Board.MEMORY,
            Conditions.End.LOADED));
  }

  Measurement measured(ModelRun run, DispatchLog log, Conditions conditions) {
    int size = CARRIED + REQUESTS;
    return new Measurement(
        plan(),
        slice(0, size, 0),
        new RunLog(SyntheticRun.served(all, run).entries().subList(0, size)),
        log,
        SyntheticRun.parse(algorithm),
        ViewSpec.parse(view, SyntheticRun.UNIT),
        backends,
        SyntheticRun.quiet(),
        conditions);
  }

  /// The same cell, but as if nothing had been before it.
  Measurement withoutWhatIsCarried() {
    Measurement whole = measured();
    return new Measurement(
        whole.plan(),
        slice(CARRIED, CARRIED + REQUESTS, epochNanos),
        new RunLog(
            whole.run().entries().subList(CARRIED, CARRIED + REQUESTS).stream()
                .map(this::rebased)
                .toList()),
        whole.dispatches().shifted(-epochNanos),
        whole.algorithm(),
        whole.view(),
        whole.backends(),
        whole.readings(),
        new Conditions(
            0, 0, Conditions.Clocks.ONE, Conditions.Board.MEMORY, Conditions.End.LOADED));
  }

  private RunLog.Entry rebased(RunLog.Entry entry) {
    return new RunLog.Entry(
        entry.request() - CARRIED,
        entry.sentNanos() - epochNanos,
        entry.doneNanos() - epochNanos,
        entry.outcome(),
        List.of(AnalysisTest.later(entry.last(), -epochNanos)));
  }

  private Trace slice(int from, int to, long since) {
    long[] intended = new long[to - from];
    int[] proxy = new int[to - from];
    long[] service = new long[to - from];
    Arrays.setAll(intended, i -> all.intendedNanos(from + i) - since);
    Arrays.setAll(proxy, i -> all.proxy(from + i));
    Arrays.setAll(service, i -> all.serviceNanos(from + i));
    return Trace.of(PROXIES, intended, proxy, service);
  }

  private CellPlan plan() {
    return new CellPlan(
        SyntheticRun.UNIT,
        BACKENDS,
        Collections.nCopies(BACKENDS, 1.0),
        Collections.nCopies(BACKENDS, 1),
        "lognormal(mu=-0.36,sigma=0.85)",
        "poisson",
        "none",
        PROXIES,
        0.8,
        REQUESTS,
        WARMUP,
        seed,
        algorithm,
        view);
  }

  /// `log` without what comes at `nanos` or later.
  static DispatchLog until(long nanos, DispatchLog log) {
    DispatchLog cut = new DispatchLog(16);
    log.forEach(
        (kind, proxy, value, argument, instant) -> {
          if (instant < nanos) {
            cut.append(kind, proxy, value, argument, instant);
          }
        });
    return cut;
  }
}
