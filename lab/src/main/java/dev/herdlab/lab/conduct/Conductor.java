package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.run.Balancing;
import dev.herdlab.lab.run.CpuMeter;
import dev.herdlab.lab.run.Dispatches;
import dev.herdlab.lab.run.Fleet;
import dev.herdlab.lab.run.GeneratorRun;
import dev.herdlab.lab.run.ProcessState;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Plays phases on a running system, without a gap: the requests of the next phase are with the
/// generators before the present one ends, and at that instant all proxies switch.
///
/// Each phase's record goes to the [Analyst], which waits for its last requests. What fails, such
/// as a proxy that has died, makes a phase not valid, and the next one is played with those who are
/// there; only when nobody is there does the conductor wait. Owner thread: its caller's.
final class Conductor {
  /// The time to look who is there, draw the requests and hand them over.
  private static final long PREPARE_NANOS = 2_000_000_000;

  /// The highest load that a person may ask for: from 1 on queues grow while it is played, and have
  /// to be worked off after it.
  static final double HIGHEST_RHO = 1.2;

  /// A phase must be long enough for the next one to be prepared, and for the last one's requests
  /// to be collected.
  static final long SHORTEST_PHASE_NANOS = 5_000_000_000L;

  /// Between preparing the first phase and its begin.
  private static final long LEAD_NANOS = 500_000_000;

  private static final long RETRY_NANOS = 1_000_000_000;

  /// All phases of a cycle have the same requests, and no two cycles do.
  private static final long SEED_STEP = 1_000_003;

  private final Experiment experiment;
  private final Fleet fleet;
  private final Program program;
  private final Analyst analyst;
  private final PhaseListener phases;
  private final RunListener listener;
  private List<InetSocketAddress> aimed = List.of();
  private long firstNanos;

  Conductor(
      Experiment experiment,
      Fleet fleet,
      Program program,
      Analyst analyst,
      PhaseListener phases,
      RunListener listener) {
    this.experiment = experiment;
    this.fleet = fleet;
    this.program = program;
    this.analyst = analyst;
    this.phases = phases;
    this.listener = listener;
  }

  /// What is needed at the end of a phase beside the phase.
  ///
  /// @param before how the processes were just before, at the end of the phase before
  /// @param states how they were when it began
  private record Started(
      Playing playing, List<ProcessState> before, List<ProcessState> states, CpuMeter machine) {}

  /// Plays until the program ends or the user asks to stop.
  ///
  /// @throws IOException in one line, if nobody can be reached for `patienceNanos` at the start
  /// @throws ConfigException in one line, if an algorithm can't serve the backends that are found
  void play(long patienceNanos) throws IOException, InterruptedException {
    Program.Step burnIn = new Program.Step(0, 0, program.cells().getFirst(), false);
    Playing first = prepareFirst(burnIn, patienceNanos);
    Started now = begin(first);
    while (!listener.stopRequested()) {
      Optional<Program.Step> next = takeStep(now.playing());
      if (next.isEmpty()) {
        break;
      }
      Playing coming = prepare(next.get(), now.playing());
      if (coming == null) {
        now = startAgain(now, next.get());
        continue;
      }
      if (!sleepUntil(coming.epochNanos())) {
        stop(coming);
        break;
      }
      Started then = begin(coming);
      handIn(now, then);
      now = then;
    }
    if (listener.stopRequested()) {
      stop(now.playing());
    } else {
      handInLast(now);
    }
  }

  /// The next step, as late as it can be, so that a wish is still heard.
  private Optional<Program.Step> takeStep(Playing now) throws InterruptedException {
    return sleepUntil(now.endNanos() - PREPARE_NANOS) ? program.next() : Optional.empty();
  }

  private Playing prepareFirst(Program.Step step, long patienceNanos)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    while (true) {
      try {
        Crew crew = look();
        if (firstNanos == 0) {
          program.cells().forEach(plan -> Cell.of(crew.resolve(plan), experiment.algorithms()));
        }
        long epochNanos = System.nanoTime() + LEAD_NANOS;
        long length = Math.max(experiment.burnInNanos(), 2 * PREPARE_NANOS);
        fleet.connect();
        return handOver(step, crew, epochNanos + LEAD_NANOS, length);
      } catch (IOException | ConfigException e) {
        boolean fits = !(e instanceof ConfigException);
        boolean patient = System.nanoTime() - since <= patienceNanos;
        if (listener.stopRequested() || !patient || (firstNanos == 0 && !fits)) {
          throw e;
        }
        listener.progress(0, "waiting: " + e.getMessage());
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private Crew look() throws IOException, InterruptedException {
    Fleet.Change change = fleet.look();
    if (!change.isNone() && firstNanos != 0) {
      change.joined().forEach(member -> listener.note(member + " joined"));
      change.left().forEach(member -> listener.note(member + " left"));
      change.restarted().forEach(member -> listener.note(member + " began anew"));
    }
    Crew crew = crew(change);
    if (!fleet.proxyAddresses().equals(aimed) || !change.isNone()) {
      fleet.aim();
      aimed = fleet.proxyAddresses();
    }
    return crew;
  }

  private Crew crew(Fleet.Change change) throws IOException {
    try {
      return Crew.of(fleet);
    } catch (IOException e) {
      if (change.silent().isEmpty()) {
        throw e;
      }
      throw new IOException(e.getMessage() + "; " + change.silent().getFirst(), e);
    }
  }

  /// Prepares a phase that begins when `now` ends; null if nobody can play it.
  private @Nullable Playing prepare(Program.Step step, Playing now) throws InterruptedException {
    try {
      return handOver(step, look(), now.endNanos(), experiment.phaseNanos());
    } catch (IOException | ConfigException e) {
      listener.note("phase %d cannot be played: %s".formatted(step.number(), e.getMessage()));
      return null;
    }
  }

  /// Waits until there is somebody again, and begins with a burn-in as at the start.
  private Started startAgain(Started lost, Program.Step step)
      throws IOException, InterruptedException {
    handInLast(lost);
    return begin(prepareFirst(step, Long.MAX_VALUE));
  }

  private Playing handOver(Program.Step step, Crew crew, long epochNanos, long lengthNanos)
      throws IOException, InterruptedException {
    CellPlan plan = crew.resolve(step.plan());
    long seed = plan.seed() + SEED_STEP * step.cycle();
    Trace trace = PhaseTrace.draw(Cell.of(plan, experiment.algorithms()), lengthNanos, seed);
    Cell cell = Cell.of(sized(plan, trace.size(), seed), experiment.algorithms());
    List<Trace> parts = PhaseTrace.split(trace, crew.generators().size(), seed);
    String id = "phase-" + step.number() + "-" + Long.toUnsignedString(epochNanos);
    GeneratorRun.Labels labels =
        new GeneratorRun.Labels(String.valueOf(step.number()), plan.algorithm(), plan.view());
    List<GeneratorRun> runs = new ArrayList<>();
    for (int g = 0; g < parts.size(); g++) {
      GeneratorRun run = fleet.run(crew.generators().get(g), id);
      run.begin(parts.get(g), epochNanos, labels);
      runs.add(run);
    }
    return new Playing(
        step,
        cell,
        crew,
        epochNanos,
        lengthNanos,
        runs,
        trace.size(),
        Instant.now().plusNanos(epochNanos - System.nanoTime()));
  }

  private static CellPlan sized(CellPlan plan, int requests, long seed) {
    int warmup = (int) ((long) requests * plan.warmup() / plan.requests());
    return plan.withRequests(requests, warmup, seed);
  }

  /// Switches all proxies.
  private Started begin(Playing phase) throws InterruptedException {
    sleepUntil(phase.epochNanos());
    CellPlan plan = phase.cell().plan();
    try {
      fleet.install(
          new Balancing(
              plan.algorithm(),
              plan.view(),
              plan.unitNanos(),
              plan.seed(),
              phase.name(),
              RecordRoom.eventsPerRequest(phase.cell()) * plan.requests() + 10_000),
          phase.epochNanos());
    } catch (IOException e) {
      listener.note(
          "phase %s: not all proxies switched: %s".formatted(phase.name(), e.getMessage()));
    }
    firstNanos = firstNanos == 0 ? phase.epochNanos() : firstNanos;
    phases.begun(phase);
    analyst.predict(phase.cell(), expected -> phases.predicted(phase, expected.mean()));
    List<ProcessState> before = fleet.states();
    return new Started(phase, before, fleet.watch(), CpuMeter.start());
  }

  /// Gives a phase that another has followed to the analyst.
  private void handIn(Started phase, Started next) throws InterruptedException {
    analyst.take(over(phase, next.before(), Optional.of(fleet.recorded(Dispatches.Part.PREVIOUS))));
  }

  /// Gives a phase that none follows to the analyst.
  private void handInLast(Started phase) throws InterruptedException {
    boolean _ = sleepUntil(phase.playing().endNanos());
    analyst.take(over(phase, fleet.states(), Optional.empty()));
  }

  private static Over over(
      Started phase, List<ProcessState> after, Optional<Fleet.Recorded> recorded) {
    return new Over(
        phase.playing(),
        phase.states(),
        after,
        phase.machine().stop(usedNanos(phase.states(), after)),
        recorded);
  }

  /// CPU time of the processes that were there all along.
  private static long usedNanos(List<ProcessState> before, List<ProcessState> after) {
    long used = 0;
    for (ProcessState end : after) {
      for (ProcessState start : before) {
        if (start.incarnation().equals(end.incarnation())) {
          used += end.cpuNanos() - start.cpuNanos();
        }
      }
    }
    return used;
  }

  private void stop(Playing phase) throws InterruptedException {
    for (GeneratorRun run : phase.runs()) {
      try {
        run.delete();
      } catch (IOException gone) {
        // Then it does not send either.
      }
    }
  }

  /// False if the user asked to stop before.
  private boolean sleepUntil(long nanos) throws InterruptedException {
    while (nanos - System.nanoTime() > 0) {
      if (listener.stopRequested()) {
        return false;
      }
      LockSupport.parkNanos(Math.min(100_000_000, nanos - System.nanoTime()));
      if (Thread.interrupted()) {
        throw new InterruptedException("conductor");
      }
    }
    return !listener.stopRequested();
  }
}
