package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.twin.Readings;
import dev.herdlab.loadgen.Generator;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.PoolSettings;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.proxy.ProxySettings;
import dev.herdlab.simulator.Change;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The testbed in one process: generator, proxies and backends on one loop, with real TCP between
/// them. A hand-over between threads would cost more fidelity than the code does.
///
/// The loop lives as long as the testbed; sockets are made anew for each measurement. Owner thread:
/// its opener's; [#interrupt] from any.
final class OneProcess implements Testbed {
  // Polling this long before a deadline hides the wake-up of a virtual CPU; a machine that measures
  // has the core to spare. Research put the useful range at 60 to 100 us.
  private static final long SPIN_NANOS = 80_000;
  // The run begins this long after it was asked for, so that its first requests are not late
  // already.
  private static final long LEAD_NANOS = 100_000_000;
  private static final Duration ASK_BOUND = Duration.ofSeconds(10);
  private static final long QUIET_BOUND_NANOS = 2_000_000_000;
  private static final int SETTLING_REQUESTS = 300;

  private final PreciseLoop loop;
  private final Deadlines deadlines;
  private final Sabotage sabotage;
  private volatile @Nullable Generator generator;
  private volatile boolean stopped;

  private OneProcess(PreciseLoop loop, Deadlines deadlines, Sabotage sabotage) {
    this.loop = loop;
    this.deadlines = deadlines;
    this.sabotage = sabotage;
  }

  /// A testbed whose loop runs.
  ///
  /// @throws SchedulingRefusedException if real-time priority was asked for and is not to be had
  static OneProcess open(Scheduling scheduling) throws SchedulingRefusedException {
    return open(scheduling, Deadlines.IDEAL, Sabotage.NONE);
  }

  /// A testbed with a fault, for the self-test.
  ///
  /// @param deadlines how the backends chain their services
  /// @param sabotage called when a run begins
  static OneProcess open(Scheduling scheduling, Deadlines deadlines, Sabotage sabotage)
      throws SchedulingRefusedException {
    PreciseLoop loop =
        PreciseLoop.create(new PreciseLoop.Settings("herdlab-loop", SPIN_NANOS, scheduling));
    loop.start();
    return new OneProcess(loop, deadlines, sabotage);
  }

  /// A fault put into a measurement, for the self-test.
  @FunctionalInterface
  interface Sabotage {
    /// No fault.
    Sabotage NONE = (loop, backends, proxies) -> {};

    /// The measurement begins. On the loop's thread.
    void begin(PreciseLoop loop, StubPool backends, ProxyPool proxies);
  }

  /// Sockets of one measurement, closed in reverse order.
  private record Sockets(
      StubPool backends,
      ProxyPool proxies,
      Generator generator,
      DispatchLog log,
      List<BackendAddress> addresses)
      implements AutoCloseable {
    @Override
    public void close() {
      generator.close();
      proxies.close();
      backends.close();
    }
  }

  @Override
  public void burnIn(List<Cell> cells, long lengthNanos) throws IOException, InterruptedException {
    for (BurnIn.Part part : BurnIn.parts(cells, lengthNanos)) {
      if (stopped) {
        return;
      }
      try (Sockets sockets = connect(part.cell(), new DispatchLog(0))) {
        for (Trace trace : part.traces()) {
          play(part.cell(), sockets, trace, Progress.NONE, When.NEVER);
        }
      }
    }
  }

  @Override
  public Observation measure(Cell cell, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    DispatchLog log = new DispatchLog(3 * trace.size());
    try (Sockets sockets = connect(cell, log)) {
      // Touches every new socket once or twice, at the run's own rate.
      play(cell, sockets, settling(cell), Progress.NONE, When.NEVER);
      // What came before is garbage now, and not collected while the clock runs.
      System.gc();
      try (Instruments instruments = Instruments.start()) {
        Instant started = Instant.now();
        loop.execute(() -> sabotage.begin(loop, sockets.backends(), sockets.proxies()));
        Played played = play(cell, sockets, trace, progress, When.DUE);
        Readings readings =
            instruments.stop(
                awaitQuiet(sockets.proxies()),
                sockets.generator().openedInRun(),
                loop.granted().describe(),
                Optional.ofNullable(loop.failure()).map(Throwable::toString));
        return new Observation(played.run(), log, readings, started, played.changes());
      }
    }
  }

  private static Trace settling(Cell cell) {
    return cell.workload(SETTLING_REQUESTS, 0).trace(cell.plan().seed());
  }

  private Sockets connect(Cell cell, DispatchLog log) throws IOException, InterruptedException {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      return connect(cell, log, opened);
    } catch (IOException | InterruptedException | RuntimeException e) {
      // The loop lives on; what was opened on it must not.
      for (AutoCloseable part : opened) {
        close(part, e);
      }
      throw e;
    }
  }

  private static void close(AutoCloseable part, Exception why) {
    try {
      part.close();
    } catch (Exception e) {
      why.addSuppressed(e);
    }
  }

  /// Puts each part, as soon as there is something to close, in front of `opened`.
  private Sockets connect(Cell cell, DispatchLog log, Deque<AutoCloseable> opened)
      throws IOException, InterruptedException {
    CellPlan plan = cell.plan();
    Sizing sizing = Sizing.of(plan);
    StubPool backends =
        new StubPool(
            loop,
            StubSettings.ofSpeeds(plan.speeds(), cell.service(), plan.unitNanos(), plan.seed())
                .with(plan.serving().queueing())
                .with(deadlines));
    opened.push(backends);
    backends.start();
    List<BackendAddress> addresses = new ArrayList<>();
    for (int i = 0; i < cell.backends().size(); i++) {
      addresses.add(new BackendAddress(cell.backends().get(i), backends.addresses().get(i)));
    }
    ProxyPool proxies =
        new ProxyPool(
            loop,
            ProxySettings.of("127.0.0.1", plan.proxies(), addresses)
                .withPool(new PoolSettings(sizing.upstream(), sizing.upstreamLimit()))
                .withAttempts(plan.serving().attempts()),
            log);
    opened.push(proxies);
    proxies.start();
    proxies.warm();
    Generator made =
        new Generator(
            loop,
            GeneratorSettings.of(proxies.addresses(), sizing.client())
                .withConnectionLimit(sizing.clientLimit())
                .withLimit(plan.serving().timeoutNanos()));
    opened.push(made);
    made.connect();
    return new Sockets(backends, proxies, made, log, addresses);
  }

  /// When the cell's changes are made.
  private enum When {
    NEVER,
    DUE
  }

  private record Played(RunLog run, List<Change.Timed> changes) {}

  /// Installs fresh balancers and runs one trace.
  private Played play(Cell cell, Sockets sockets, Trace trace, Progress progress, When when)
      throws IOException, InterruptedException {
    sockets.generator().connect();
    long epochNanos = loop.nanos() + LEAD_NANOS;
    LoopChanges changes =
        new LoopChanges(
            loop, cell, sockets.backends(), sockets.proxies(), sockets.addresses(), epochNanos);
    onLoop(
        () -> {
          // In one step, or copies of the old view would stand among the new one's.
          sockets.log().clear();
          sockets.proxies().install(cell.algorithm(), cell.view(), cell.plan().seed(), epochNanos);
          if (when == When.DUE) {
            changes.begin();
          }
          return 0L;
        });
    generator = sockets.generator();
    CompletableFuture<RunLog> log = sockets.generator().run(trace, epochNanos, progress);
    if (stopped) {
      sockets.generator().stop();
    }
    try {
      RunLog run = log.get(boundNanos(trace), TimeUnit.NANOSECONDS);
      return new Played(run, onLoop(changes::end));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("run: not finished: " + e, e);
    } finally {
      generator = null;
    }
  }

  /// The generator fails every request in time: what is not over long after that never will be.
  private static long boundNanos(Trace trace) {
    return LEAD_NANOS
        + trace.lastIntendedNanos()
        + 2 * GeneratorSettings.DEFAULT_REQUEST_TIMEOUT.toNanos();
  }

  /// What the proxies still count when nothing moves any more: 0 unless a count leaked.
  private long awaitQuiet(ProxyPool proxies) throws IOException, InterruptedException {
    long since = loop.nanos();
    while (true) {
      long inFlight = onLoop(() -> proxies.truth().total());
      if (inFlight == 0 || loop.nanos() - since > QUIET_BOUND_NANOS) {
        return inFlight;
      }
      Thread.sleep(10);
    }
  }

  private <T> T onLoop(Callable<T> question) throws IOException, InterruptedException {
    try {
      return loop.call(question, ASK_BOUND);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("loop: " + e.getMessage(), e);
    }
  }

  @Override
  public void interrupt() {
    stopped = true;
    Generator running = generator;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
