package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.List;

/// One measured attempt, complete and at rest: what was planned, what happened, and what the
/// instruments read.
///
/// All instants count from the trace's instant 0. Those of one process come from its clock, in
/// `run` and `dispatches` alike.
///
/// Owner thread: any, once the loops that filled the logs have stopped or handed them over.
///
/// @param plan the cell; its warm-up is counted after what is carried
/// @param trace the requests as planned: those that are carried, then the cell's
/// @param run what happened to each
/// @param dispatches every event of the dispatchers from the installation of the plan's algorithm
///     on, or from earlier; of several processes in one, see [DispatchLog#merge]
/// @param algorithm the plan's, parsed
/// @param view the plan's, parsed
/// @param backends all that may have been picked: the set that every proxy began with
/// @param readings of the other instruments
/// @param conditions what is carried, and what clocks and counts are shared
/// @param changes what was done to the system meanwhile, in order, each with the instant from which
///     it held
public record Measurement(
    CellPlan plan,
    Trace trace,
    RunLog run,
    DispatchLog dispatches,
    ConfiguredAlgorithm algorithm,
    ViewSpec view,
    BackendSet backends,
    Readings readings,
    Conditions conditions,
    List<Change.Timed> changes) {
  public Measurement {
    if (conditions.carried() > trace.size()) {
      throw new IllegalArgumentException(
          "carried: %d (expected: at most %d, the trace)"
              .formatted(conditions.carried(), trace.size()));
    }
    changes = List.copyOf(changes);
  }

  /// A cell by itself: [Conditions#ALONE].
  public Measurement(
      CellPlan plan,
      Trace trace,
      RunLog run,
      DispatchLog dispatches,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      BackendSet backends,
      Readings readings) {
    this(plan, trace, run, dispatches, algorithm, view, backends, readings, List.of());
  }

  /// A cell by itself, to whose system something was done.
  public Measurement(
      CellPlan plan,
      Trace trace,
      RunLog run,
      DispatchLog dispatches,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      BackendSet backends,
      Readings readings,
      List<Change.Timed> changes) {
    this(
        plan,
        trace,
        run,
        dispatches,
        algorithm,
        view,
        backends,
        readings,
        Conditions.ALONE,
        changes);
  }

  /// One of a system to which nothing was done.
  public Measurement(
      CellPlan plan,
      Trace trace,
      RunLog run,
      DispatchLog dispatches,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      BackendSet backends,
      Readings readings,
      Conditions conditions) {
    this(plan, trace, run, dispatches, algorithm, view, backends, readings, conditions, List.of());
  }

  /// How often all proxies began anew.
  int restarts() {
    return (int) changes.stream().filter(it -> it.change() instanceof Change.Restart).count();
  }

  /// The first so many requests belong to what ran before.
  int carried() {
    return conditions.carried();
  }

  /// Requests that the cell itself has.
  int requests() {
    return trace.size() - carried();
  }

  /// The first request that may be in the sample: behind what is carried and behind the warm-up.
  int firstSampled() {
    return carried() + plan.warmup();
  }

  /// Until when all that happens is of the trace's requests. Where the load goes on, that is a unit
  /// before the last one is due, to be safe of clocks that are not quite one.
  long aloneUntilNanos() {
    return switch (conditions.end()) {
      case QUIET -> Long.MAX_VALUE;
      case LOADED -> trace.lastIntendedNanos() - plan.unitNanos();
    };
  }

  /// Whether a request belongs to the cell.
  boolean isOwn(int request) {
    return request >= carried();
  }
}
