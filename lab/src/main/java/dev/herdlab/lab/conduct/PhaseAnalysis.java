package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.run.ProcessState;
import dev.herdlab.lab.twin.Analysis;
import dev.herdlab.lab.twin.Bounds;
import dev.herdlab.lab.twin.Conditions;
import dev.herdlab.lab.twin.Measurement;
import dev.herdlab.lab.twin.Readings;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;

/// Compares a phase with the model, behind the whole phase before it, whose queues it took over.
///
/// Owner thread: any (no state); the model's runs are on the executor's threads.
final class PhaseAnalysis {
  private PhaseAnalysis() {}

  /// The result of a phase.
  ///
  /// @param before the phase before; when others took part in it, its queues are unknown, and the
  ///     phase is not valid
  static CellResult of(
      Gathered phase,
      Optional<Gathered> before,
      int twinSeeds,
      Optional<CellResult.LongModel> model,
      ExecutorService models)
      throws InterruptedException {
    Playing playing = phase.over().playing();
    Cell cell = playing.cell();
    List<String> faults = new ArrayList<>(phase.faults());
    Optional<Gathered> carried =
        before.filter(one -> one.over().playing().crew().isSame(playing.crew()));
    if (carried.isEmpty()) {
      faults.add("Others took part in the phase before, so that its queues are unknown.");
    }
    Trace own = phase.requests().trace();
    List<CellResult.Attempt> tried;
    Optional<CellResult.Comparison> comparison = Optional.empty();
    if (own.size() <= cell.plan().warmup()) {
      tried = List.of(CellResult.Attempt.broken("fewer requests than the warm-up"));
    } else {
      try {
        CellResult.Comparison found =
            Analysis.analyse(measurement(phase, carried), Bounds.RUNNING_SYSTEM, twinSeeds, models);
        comparison = Optional.of(withFaults(found, faults));
        tried = List.of(new CellResult.Attempt(found.measured(), comparison.get().verdict()));
      } catch (IllegalArgumentException | IllegalStateException e) {
        // Records that do not fit together, as after a process's end.
        faults.add(String.valueOf(e.getMessage()));
        tried = List.of(CellResult.Attempt.broken(String.join(" ", faults)));
      }
    }
    return new CellResult(
        cell.plan(),
        cell.utilisation(own.size() == 0 ? Trace.of(1, new long[1], new int[1], new long[1]) : own),
        own.sha256(),
        comparison,
        model,
        tried);
  }

  private static CellResult.Comparison withFaults(
      CellResult.Comparison found, List<String> faults) {
    List<String> reasons = new ArrayList<>(faults);
    reasons.addAll(found.verdict().reasons());
    return new CellResult.Comparison(
        found.measured(),
        found.replay(),
        found.replaySent(),
        found.excess(),
        found.twin(),
        found.audit(),
        found.budget(),
        found.instrument(),
        found.accounting(),
        found.herding(),
        new CellResult.Verdict(reasons),
        found.stability());
  }

  private static Measurement measurement(Gathered phase, Optional<Gathered> before) {
    Playing playing = phase.over().playing();
    Cell cell = playing.cell();
    PhaseRequests window =
        before
            .map(one -> phase.requests().after(one.requests(), epochNanos(playing, one)))
            .orElse(phase.requests());
    return new Measurement(
        cell.plan(),
        window.trace().withProxies(cell.plan().proxies()),
        window.run(),
        dispatches(phase, before),
        cell.algorithm(),
        cell.view(),
        playing.crew().backends(),
        readings(phase),
        new Conditions(
            before.map(one -> one.requests().trace().size()).orElse(0),
            before.map(one -> epochNanos(playing, one)).orElse(0L),
            playing.crew().hasOneClock() ? Conditions.Clocks.ONE : Conditions.Clocks.SEVERAL,
            playing.crew().proxyProcesses().size() > 1
                ? Conditions.Board.NETWORK
                : Conditions.Board.MEMORY,
            Conditions.End.LOADED));
  }

  private static long epochNanos(Playing playing, Gathered before) {
    return playing.epochNanos() - before.over().playing().epochNanos();
  }

  private static DispatchLog dispatches(Gathered phase, Optional<Gathered> before) {
    if (before.isEmpty()) {
      return phase.dispatches();
    }
    long epochNanos = epochNanos(phase.over().playing(), before.get());
    return DispatchLog.merge(
        List.of(before.get().dispatches(), phase.dispatches().shifted(epochNanos)));
  }

  private static Readings readings(Gathered phase) {
    Over over = phase.over();
    Map<String, ProcessState> before = new HashMap<>();
    over.before().forEach(state -> before.put(state.incarnation(), state));
    long stall = 0;
    long pause = 0;
    Optional<String> failure = Optional.empty();
    for (ProcessState after : over.after()) {
      ProcessState then = before.get(after.incarnation());
      if (then != null) {
        stall = Math.max(stall, after.stallNanos());
        pause = Math.max(pause, after.gcNanos() - then.gcNanos());
        failure = failure.or(after::loopFailure);
      }
    }
    return new Readings(
        stall,
        over.machine().othersCores(),
        over.machine().ownCores(),
        pause,
        0,
        phase.opened(),
        over.after().stream()
            .map(ProcessState::scheduling)
            .distinct()
            .collect(Collectors.joining(", ")),
        failure);
  }
}
