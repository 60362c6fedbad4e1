package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.SelftestResult;
import dev.herdlab.lab.twin.Analysis;
import dev.herdlab.lab.twin.Measurement;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.stub.StubPool;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The instrument's test of itself: known bugs are put into measured runs, and each must be caught
/// by the criterion that is there for it; the same run without a bug, twice, must pass.
///
/// A sound run is measured again while it is not valid, which the machine may be to blame for, and
/// judged once, by its first valid attempt: to measure until the numbers please would prove
/// nothing. So false alarms there are: a quantile of a perfect instrument lies outside the twin's
/// interval in one run of a hundred, one of three quantiles in at most 3 runs of a hundred, one of
/// the two runs in at most 6 self-tests of a hundred.
///
/// Cost: about half a minute of measuring. Owner thread: the caller's.
public final class Selftest {
  private static final long SECOND = 1_000_000_000;
  private static final long BURN_IN_NANOS = 3 * SECOND;
  // A fault sets in half-way through a run; a stall takes this share of it, so that far more
  // requests than one in a hundred are sent late.
  private static final int ONSET_SHARE = 2;
  private static final int STALL_SHARE = 10;
  // A noisy machine spoils single runs; a sound instrument is not spoilt five times in a row.
  private static final int ATTEMPTS = 5;

  private static final CellPlan PLAN =
      new CellPlan(
          10_000_000,
          16,
          Collections.nCopies(16, 1.0),
          Collections.nCopies(16, 1),
          "lognormal(mu=-0.36,sigma=0.85)",
          "poisson",
          "none",
          4,
          0.8,
          3000,
          300,
          0,
          "p2c",
          "local");

  private final ExecutorService models;
  private final RunListener listener;
  private final Scheduling scheduling;
  private final Cell cell;
  private final Trace trace;
  private final List<SelftestResult.Check> checks = new ArrayList<>();

  /// Of the runs of this plan.
  Selftest(CellPlan plan, ExecutorService models, RunListener listener, Scheduling scheduling) {
    this.models = models;
    this.listener = listener;
    this.scheduling = scheduling;
    this.cell = Cell.of(plan, Algorithms.builtIn());
    this.trace = cell.trace();
  }

  /// A bug to be put into a run.
  ///
  /// @param reason a part of the verdict's reason that must be given
  /// @param measured the cell that is run; it is analysed as the honest one
  record Fault(
      String name,
      String seeded,
      String reason,
      Deadlines deadlines,
      OneProcess.Sabotage sabotage,
      Cell measured) {}

  /// Runs all checks.
  ///
  /// @throws ConfigException if real-time priority was asked for and is not to be had, or nothing
  ///     can be measured here
  public static SelftestResult run(Scheduling scheduling, RunListener listener) {
    try (ExecutorService models =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      return new Selftest(PLAN, models, listener, scheduling).runAll();
    } catch (SchedulingRefusedException | IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted");
    }
  }

  private SelftestResult runAll()
      throws SchedulingRefusedException, IOException, InterruptedException {
    sameTwice();
    for (Fault fault : faults()) {
      add(check(fault));
    }
    return new SelftestResult(checks);
  }

  /// All known bugs.
  List<Fault> faults() {
    return List.of(
        new Fault(
            "leaked count",
            "one pick is never completed",
            "in flight at the end",
            Deadlines.IDEAL,
            this::leak,
            cell),
        new Fault(
            "p2c in name only",
            "the proxies flip a coin between the best two of all backends and call it p2c",
            "picks differ",
            Deadlines.IDEAL,
            OneProcess.Sabotage.NONE,
            impostor()),
        new Fault(
            "chained sleeps",
            "a backend starts a service when it has delivered the one before, not when that was due",
            "the backends' arithmetic",
            Deadlines.CHAINED,
            OneProcess.Sabotage.NONE,
            cell),
        new Fault(
            "stalled generator",
            "the loop stands still for a tenth of the run",
            "send lag",
            Deadlines.IDEAL,
            this::stall,
            cell));
  }

  /// The A/A run: nothing is wrong, twice, and nothing must be found.
  private void sameTwice() throws SchedulingRefusedException, IOException, InterruptedException {
    try (Testbed testbed = OneProcess.open(scheduling)) {
      listener.progress(0, "burn-in");
      testbed.burnIn(List.of(cell), BURN_IN_NANOS);
      SoundRun first = untilValid("A/A, first run", () -> measure(testbed, cell));
      add(first.check(""));
      SoundRun second = untilValid("A/A, second run", () -> measure(testbed, cell));
      add(second.check("; the first run: " + first.quantiles()));
    }
  }

  /// Measures the cell once.
  @FunctionalInterface
  interface Attempt {
    CellResult.Comparison measure() throws IOException, InterruptedException;
  }

  /// Attempts until one is valid, or there have been enough: it is the last that counts.
  SoundRun untilValid(String name, Attempt attempt) throws IOException, InterruptedException {
    List<String> refused = new ArrayList<>();
    CellResult.Comparison comparison = attempt.measure();
    while (!comparison.verdict().valid() && refused.size() < ATTEMPTS - 1) {
      refused.add(comparison.verdict().reasons().getFirst());
      listener.note(name + ", attempt " + refused.size() + " is not valid: " + refused.getLast());
      comparison = attempt.measure();
    }
    return new SoundRun(name, comparison, refused);
  }

  /// A run with a bug, of which one of the verdict's reasons must speak.
  SelftestResult.Check check(Fault fault)
      throws SchedulingRefusedException, IOException, InterruptedException {
    try (Testbed testbed = OneProcess.open(scheduling, fault.deadlines(), fault.sabotage())) {
      List<String> reasons = measure(testbed, fault.measured()).verdict().reasons();
      List<String> found = reasons.stream().filter(text -> text.contains(fault.reason())).toList();
      return new SelftestResult.Check(
          fault.name(),
          fault.seeded(),
          "a reason with \"" + fault.reason() + "\"",
          !found.isEmpty(),
          found.isEmpty() ? "reasons: " + reasons : found.getFirst());
    }
  }

  private void add(SelftestResult.Check check) {
    checks.add(check);
    listener.progress(checks.size() / (2.0 + faults().size()), check.name());
  }

  /// Measures one cell and analyses it as the honest one.
  private CellResult.Comparison measure(Testbed testbed, Cell measured)
      throws IOException, InterruptedException {
    Observation seen = testbed.measure(measured, trace, Progress.NONE);
    return Analysis.analyse(
        new Measurement(
            cell.plan(),
            trace,
            seen.run(),
            seen.dispatches(),
            cell.algorithm(),
            cell.view(),
            cell.backends(),
            seen.readings()),
        models);
  }

  private void leak(PreciseLoop loop, StubPool backends, ProxyPool proxies) {
    // The lease is dropped on purpose.
    var _ = loop.at(onset(loop), () -> proxies.dispatcher(0).pick(PickContext.PLAIN));
  }

  private void stall(PreciseLoop loop, StubPool backends, ProxyPool proxies) {
    var _ =
        loop.at(
            onset(loop),
            () -> {
              long until = loop.nanos() + trace.lastIntendedNanos() / STALL_SHARE;
              while (loop.nanos() < until) {
                Thread.onSpinWait();
              }
            });
  }

  private long onset(PreciseLoop loop) {
    return loop.nanos() + trace.lastIntendedNanos() / ONSET_SHARE;
  }

  /// The cell with an algorithm that bears a name which is not its own.
  private Cell impostor() {
    ConfiguredAlgorithm honest = cell.algorithm();
    return new Cell(
        cell.plan(),
        new ConfiguredAlgorithm(honest.spec(), BestTwoCoin.ALGORITHM, honest.parameters()),
        cell.view(),
        cell.backends(),
        cell.arrivals(),
        cell.service(),
        cell.tenants(),
        cell.reached());
  }
}
