package dev.herdlab.lab.run;

import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.twin.Readings;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.simulator.Change;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The testbed of three processes: generator, proxies and backends, each with one loop.
///
/// All are on one host, so their monotonic clocks are one. The processes stay while cells have the
/// same proxies and backends, and are replaced, and burnt in again, when these change or one of
/// them has ended.
///
/// When the backends' process ends during a run, the requests fail, each with its cause, and the
/// run comes to its end; when another does, the run breaks off.
///
/// Owner thread: its opener's; [#interrupt] from any.
final class SeparateProcesses implements Testbed {
  // Enough for the commands that begin a run to be obeyed, and for its trace to be handed over.
  private static final long LEAD_NANOS = 300_000_000;
  private static final long LEAD_NANOS_PER_REQUEST = 3_000;

  // A guess, for waiting lists of a few requests.
  private static final long WAITS_PER_REQUEST = 8;
  // A guess, for what is in flight when all proxies begin anew.
  private static final long LEASES_PER_BACKEND = 64;
  private static final long POLL_MILLIS = 100;
  private static final long QUIET_BOUND_NANOS = 2_000_000_000;
  private static final int SETTLING_REQUESTS = 300;
  // After a request to stop. The generator waits for what is in flight for 2 s.
  private static final Duration STOP_BOUND = Duration.ofSeconds(5);

  private final Scheduling scheduling;
  private final List<Path> plugins;
  private final List<ChildProcess> begun = new CopyOnWriteArrayList<>();
  private List<Cell> burnInCells = List.of();
  private long burnInNanos;
  private @Nullable ChildFleet children;
  private int runs;
  private volatile boolean stopped;

  private SeparateProcesses(Scheduling scheduling, List<Path> plugins) {
    this.scheduling = scheduling;
    this.plugins = plugins;
  }

  /// A testbed without processes yet.
  ///
  /// @throws SchedulingRefusedException if real-time priority was asked for and is not to be had
  static SeparateProcesses open(Scheduling scheduling, List<Path> plugins)
      throws SchedulingRefusedException {
    // What is refused here is refused there.
    try (PreciseLoop probe =
        PreciseLoop.create(new PreciseLoop.Settings("herdlab-probe", 0, scheduling))) {
      probe.start();
    }
    return new SeparateProcesses(scheduling, plugins);
  }

  @Override
  public void burnIn(List<Cell> cells, long lengthNanos) {
    // Each set of processes is burnt in when it is made.
    burnInCells = List.copyOf(cells);
    burnInNanos = lengthNanos;
  }

  @Override
  public Observation measure(Cell cell, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    try {
      ChildFleet on = childrenFor(cell);
      Trace settling = cell.workload(SETTLING_REQUESTS, 0).trace(cell.plan().seed());
      var _ = play(cell, on, settling, 0, Progress.NONE, When.NEVER);
      return observe(cell, on, trace, progress);
    } catch (IOException e) {
      try {
        ChildFleet now = children;
        if (now != null) {
          // That a process has ended says more than that its connection has.
          now.requireAlive();
        }
        throw e;
      } finally {
        // Nobody knows what state they are in.
        endChildren();
      }
    } catch (InterruptedException | RuntimeException e) {
      endChildren();
      throw e;
    }
  }

  private Observation observe(Cell cell, ChildFleet on, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    Fleet fleet = on.fleet();
    // What came before is garbage now, and not collected while the clock runs.
    System.gc();
    try (Instruments instruments = Instruments.start(fleet.collect())) {
      Instant started = Instant.now();
      Played played = play(cell, on, trace, eventsOf(cell, trace), progress, When.DUE);
      long inFlight = awaitQuiet(fleet);
      Readings readings =
          instruments.stop(
              inFlight,
              played.opened(),
              fleet.generators().getFirst().process().scheduling()
                  + "; a process for each component",
              fleet.states());
      Fleet.Recorded recorded = fleet.recorded(Dispatches.Part.CURRENT);
      requireWhole(recorded);
      if (!played.changes().isEmpty()) {
        played.changing().undo();
      }
      return new Observation(
          played.run(), recorded.dispatches().log(), readings, started, played.changes());
    }
  }

  private static void requireWhole(Fleet.Recorded recorded) throws IOException {
    if (!recorded.silent().isEmpty()) {
      throw new IOException(recorded.silent().getFirst());
    }
    if (recorded.dispatches().truncated()) {
      throw new IOException(
          "proxies: no room to record more than %d events (expected: fewer requests or refreshes, or"
                  .formatted(recorded.dispatches().log().size())
              + " a larger heap by HERDLAB_JAVA_OPTS=-Xmx)");
    }
  }

  /// The most that the dispatch log will hold: a pick and an end for each request, and copies with
  /// their counts, each of which is taken by one proxy or by all. Generous, where that costs
  // little.
  private static int eventsOf(Cell cell, Trace trace) {
    CellPlan plan = cell.plan();
    long events = 1_000 + 4L * plan.proxies() + 2L * trace.size();
    events += plan.changes().size() * (2L * plan.proxies() + LEASES_PER_BACKEND * plan.backends());
    if (cell.algorithm().limit() != ConfiguredAlgorithm.NO_LIMIT) {
      events += WAITS_PER_REQUEST * trace.size();
    }
    if (cell.view() instanceof ViewSpec.SharedStale stale) {
      long copies = 10 + 2 * trace.lastIntendedNanos() / stale.refreshNanos();
      long each =
          switch (stale.phase()) {
            case SYNC -> 1 + plan.backends() + plan.proxies();
            case RANDOM -> (2L + plan.backends()) * plan.proxies();
          };
      events += copies * each;
    }
    return (int) Math.min(events, ProxyPlan.roomForEvents());
  }

  /// Waits until nothing moves any more; what the proxies still count then.
  private static long awaitQuiet(Fleet fleet) throws IOException, InterruptedException {
    long since = System.nanoTime();
    long inFlight = fleet.inFlight();
    while (inFlight > 0 && System.nanoTime() - since < QUIET_BOUND_NANOS) {
      Thread.sleep(POLL_MILLIS);
      inFlight = fleet.inFlight();
    }
    return inFlight;
  }

  private ChildFleet childrenFor(Cell cell) throws IOException, InterruptedException {
    ChildFleet now = children;
    if (now != null && now.fits(cell.plan())) {
      return now;
    }
    endChildren();
    ChildFleet made = ChildFleet.start(cell.plan(), scheduling, plugins, begun::add);
    children = made;
    List<Cell> alike =
        burnInCells.stream().filter(one -> ChildFleet.alike(one.plan(), cell.plan())).toList();
    for (BurnIn.Part part : BurnIn.parts(alike.isEmpty() ? List.of(cell) : alike, burnInNanos)) {
      for (Trace trace : part.traces()) {
        var _ = play(part.cell(), made, trace, 0, Progress.NONE, When.NEVER);
      }
    }
    return made;
  }

  private void endChildren() {
    ChildFleet now = children;
    children = null;
    if (now != null) {
      now.close();
    }
    begun.clear();
  }

  /// When the cell's changes are made.
  private enum When {
    NEVER,
    DUE
  }

  private record Played(
      RunLog run, int opened, List<Change.Timed> changes, AdminChanges changing) {}

  /// Installs fresh balancers and runs one trace.
  ///
  /// @param events that the proxies make room for before the clock starts
  private Played play(
      Cell cell, ChildFleet on, Trace trace, int events, Progress progress, When when)
      throws IOException, InterruptedException {
    CellPlan plan = cell.plan();
    Fleet fleet = on.fleet();
    fleet.connect();
    long epochNanos = System.nanoTime() + LEAD_NANOS + LEAD_NANOS_PER_REQUEST * trace.size();
    fleet.install(
        new Balancing(plan.algorithm(), plan.view(), plan.unitNanos(), plan.seed(), "", events),
        epochNanos);
    AdminChanges changes = new AdminChanges(cell, fleet, epochNanos);
    GeneratorRun run = fleet.run(fleet.generators().getFirst(), "run-" + ++runs);
    run.begin(trace, epochNanos, new GeneratorRun.Labels("", plan.algorithm(), plan.view()));
    if (when == When.DUE) {
      changes.begin();
    }
    int opened;
    List<Change.Timed> made = List.of();
    try {
      opened = follow(on, run, epochNanos + trace.lastIntendedNanos(), progress);
    } finally {
      if (when == When.DUE) {
        made = changes.end();
      }
    }
    RunLog happened = run.result().run();
    run.delete();
    return new Played(happened, opened, made, changes);
  }

  /// Waits until the generator is done, with a word now and then.
  ///
  /// @return connections that it had to open
  private int follow(ChildFleet on, GeneratorRun run, long lastNanos, Progress progress)
      throws IOException, InterruptedException {
    long boundNanos = lastNanos + 2 * GeneratorSettings.DEFAULT_REQUEST_TIMEOUT.toNanos();
    boolean told = false;
    while (System.nanoTime() - boundNanos < 0) {
      Thread.sleep(POLL_MILLIS);
      if (stopped && !told) {
        told = true;
        run.delete();
      }
      on.requireProxies();
      GeneratorRun.Progress now = run.progress();
      progress.at(now.sent(), now.ended(), now.total());
      if (now.over()) {
        return now.opened();
      }
    }
    throw new IOException("run: not finished in time");
  }

  @Override
  public void interrupt() {
    stopped = true;
    // What does not answer must not hold up the end. What is stopped is not kept, so that nothing
    // is lost with a process that only was slow.
    Thread.ofVirtual().start(this::killLater);
  }

  private void killLater() {
    try {
      Thread.sleep(STOP_BOUND);
      begun.forEach(ChildProcess::kill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    endChildren();
  }
}
