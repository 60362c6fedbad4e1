package dev.herdlab.lab.twin;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Events;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.simulator.Change;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Refreshes;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A run whose truth is known: the model's picks, served by ideal queues, plus constant delays.
///
/// Since every delay is the same for all requests, arrivals only shift, and each latency is its
/// replay plus [#DELAYS].
final class SyntheticRun {
  static final long UNIT = 10_000_000;
  static final int WARMUP = 200;

  /// The constant parts, in the order of the budget; the queue's two are not constant.
  static final long SEND_LAG = 11_000;
  static final long TO_PROXY = 23_000;
  static final long PICK = 3_000;
  static final long TO_BACKEND = 41_000;
  static final long LATENESS = 7_000;
  static final long WAY_BACK = 59_000;
  static final long DELAYS = SEND_LAG + TO_PROXY + PICK + TO_BACKEND + LATENESS + WAY_BACK;

  private static final int BACKENDS = 8;

  private SyntheticRun() {}

  static Readings quiet() {
    return new Readings(50_000, 0.01, 0.3, 0, 0, 0, "default", Optional.empty());
  }

  /// A sound run of 3000 requests.
  static Measurement of(String algorithm, String view, int proxies, long seed) {
    return of(algorithm, view, proxies, seed, parse(algorithm));
  }

  /// A run that is said to be of `algorithm`, but whose picks are those of `real`.
  static Measurement of(
      String algorithm, String view, int proxies, long seed, ConfiguredAlgorithm real) {
    ViewSpec viewSpec = ViewSpec.parse(view, UNIT);
    return of(algorithm, view, proxies, seed, real, Refreshes.ideal(viewSpec, seed, proxies));
  }

  /// The same, with views copied at other than the ideal instants.
  static Measurement of(
      String algorithm,
      String view,
      int proxies,
      long seed,
      ConfiguredAlgorithm real,
      Refreshes refreshes) {
    return of(algorithm, view, proxies, seed, real, refreshes, List.of());
  }

  /// One of a system that changes meanwhile, in its proxies alone.
  static Measurement changed(
      String algorithm, String view, int proxies, long seed, List<Change.Timed> changes) {
    ViewSpec viewSpec = ViewSpec.parse(view, UNIT);
    return of(
        algorithm,
        view,
        proxies,
        seed,
        parse(algorithm),
        Refreshes.ideal(viewSpec, seed, proxies),
        changes);
  }

  private static Measurement of(
      String algorithm,
      String view,
      int proxies,
      long seed,
      ConfiguredAlgorithm real,
      Refreshes refreshes,
      List<Change.Timed> changes) {
    CellPlan plan =
        new CellPlan(
            UNIT,
            BACKENDS,
            Collections.nCopies(BACKENDS, 1.0),
            Collections.nCopies(BACKENDS, 1),
            "lognormal(mu=-0.36,sigma=0.85)",
            "poisson",
            "zipf(n=50)",
            proxies,
            0.8,
            3000,
            WARMUP,
            seed,
            algorithm,
            view);
    Trace trace =
        Trace.generate(
            seed,
            plan.requests(),
            proxies,
            ProxyLaw.UNIFORM,
            ArrivalProcess.parse(plan.arrivals(), plan.arrivalsPerUnit(), UNIT),
            ServiceLaw.parse(plan.service()),
            TenantLaw.parse(plan.tenants()),
            UNIT);
    BackendSet backends = BackendSet.ofSize(BACKENDS);
    ViewSpec viewSpec = ViewSpec.parse(view, UNIT);
    DispatchLog log = new DispatchLog(16);
    ModelRun picks =
        new Model(backends, plan.speeds(), real, viewSpec)
            .withChanges(changes)
            .run(trace, seed, refreshes, log);
    return new Measurement(
        plan,
        trace,
        served(trace, picks),
        log,
        parse(algorithm),
        viewSpec,
        backends,
        quiet(),
        changes);
  }

  static ConfiguredAlgorithm parse(String algorithm) {
    return Algorithms.builtIn().parse(algorithm, UNIT);
  }

  static RunLog served(Trace trace, ModelRun picks) {
    List<FifoServer<Integer>> servers = new ArrayList<>();
    for (int b = 0; b < BACKENDS; b++) {
      servers.add(new FifoServer<>(1));
    }
    List<RunLog.Entry> entries = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      long sent = trace.intendedNanos(i) + SEND_LAG;
      long received = sent + TO_PROXY;
      long arrival = received + PICK + TO_BACKEND;
      FifoServer.Job<Integer> job =
          servers.get(picks.backend(i)).admit(i, arrival, trace.serviceNanos(i));
      long delivered = job.finishNanos() + LATENESS;
      RunLog.Attempt attempt =
          new RunLog.Attempt(
              "b" + picks.backend(i),
              trace.proxy(i),
              received,
              received + PICK,
              received + PICK + 5_000,
              arrival,
              job.startNanos(),
              job.finishNanos(),
              delivered,
              delivered + 30_000);
      entries.add(new RunLog.Entry(i, sent, delivered + WAY_BACK, RunLog.OK, List.of(attempt)));
    }
    return new RunLog(entries);
  }

  /// The same run, but some entries rewritten.
  static Measurement with(Measurement run, UnaryOperator<RunLog.Entry> change) {
    RunLog changed = new RunLog(run.run().entries().stream().map(change).toList());
    return with(run, changed, run.dispatches(), run.readings(), run.conditions());
  }

  static Measurement with(Measurement run, DispatchLog dispatches) {
    return with(run, run.run(), dispatches, run.readings(), run.conditions());
  }

  static Measurement with(Measurement run, Readings readings) {
    return with(run, run.run(), run.dispatches(), readings, run.conditions());
  }

  static Measurement with(Measurement run, Conditions conditions) {
    return with(run, run.run(), run.dispatches(), run.readings(), conditions);
  }

  private static Measurement with(
      Measurement run,
      RunLog log,
      DispatchLog dispatches,
      Readings readings,
      Conditions conditions) {
    return new Measurement(
        run.plan(),
        run.trace(),
        log,
        dispatches,
        run.algorithm(),
        run.view(),
        run.backends(),
        readings,
        conditions);
  }

  /// The same run, said to be of a system that changed so.
  static Measurement withChanges(Measurement run, List<Change.Timed> changes) {
    return new Measurement(
        run.plan(),
        run.trace(),
        run.run(),
        run.dispatches(),
        run.algorithm(),
        run.view(),
        run.backends(),
        run.readings(),
        run.conditions(),
        changes);
  }

  /// The same run, said to be of backends of these speeds.
  static Measurement withSpeeds(Measurement run, List<Double> speeds) {
    return with(run, speeds, run.plan().serving());
  }

  /// The same run, said to be of backends that queue and serve otherwise.
  static Measurement withQueueing(Measurement run, Queueing queueing) {
    return with(
        run, run.plan().speeds(), new Serving(queueing, run.plan().serving().timeoutNanos()));
  }

  private static Measurement with(Measurement run, List<Double> speeds, Serving serving) {
    CellPlan plan = run.plan();
    return new Measurement(
        new CellPlan(
            plan.unitNanos(),
            plan.backends(),
            speeds,
            plan.weights(),
            plan.service(),
            plan.arrivals(),
            plan.tenants(),
            plan.proxies(),
            plan.proxyChoice(),
            plan.rho(),
            plan.requests(),
            plan.warmup(),
            plan.seed(),
            plan.algorithm(),
            plan.view(),
            serving,
            Events.NONE),
        run.trace(),
        run.run(),
        run.dispatches(),
        run.algorithm(),
        run.view(),
        run.backends(),
        run.readings());
  }

  /// `attempt` on `backend`, without the stamps of backend and proxy's return.
  static RunLog.Attempt lost(RunLog.Attempt attempt) {
    return new RunLog.Attempt(
        attempt.backend(),
        attempt.proxy(),
        attempt.proxyReceivedNanos(),
        attempt.pickedNanos(),
        attempt.forwardedNanos(),
        -1,
        -1,
        -1,
        -1,
        -1);
  }

  /// `algorithm`, but each balancer's pick number `at` (from 0) is of the next backend instead.
  static ConfiguredAlgorithm wrongOnce(String algorithm, int at) {
    ConfiguredAlgorithm right = parse(algorithm);
    return new ConfiguredAlgorithm(
        right.spec(),
        new Algorithm() {
          @Override
          public Description description() {
            return right.algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            LoadBalancer balancer = right.create(backends, view, ports);
            int[] picks = {0};
            return new LoadBalancer() {
              @Override
              public Picked pick(PickContext context) {
                Picked picked = (Picked) balancer.pick(context);
                return picks[0]++ == at
                    ? new Picked(backends, (picked.index() + 1) % backends.size())
                    : picked;
              }

              @Override
              public void update(BackendSet next) {
                balancer.update(next);
              }
            };
          }
        },
        right.parameters());
  }

  /// A p2c that flips a coin between its two draws instead of comparing them.
  static ConfiguredAlgorithm coinBetweenTheTwo() {
    Algorithm algorithm =
        new Algorithm() {
          @Override
          public Description description() {
            return parse("random").algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            return new LoadBalancer() {
              @Override
              public Picked pick(PickContext context) {
                int one = ports.random().below(backends.size());
                int other = ports.random().below(backends.size());
                return new Picked(backends, ports.random().below(2) == 0 ? one : other);
              }

              @Override
              public void update(BackendSet next) {}
            };
          }
        };
    return new ConfiguredAlgorithm("coin", algorithm, parse("random").parameters());
  }
}
