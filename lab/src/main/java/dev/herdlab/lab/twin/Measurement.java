package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;

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
/// @param backends the set that was picked from, all run long, in the order of every proxy
/// @param readings of the other instruments
/// @param conditions what is carried, and what clocks and counts are shared
public record Measurement(
    CellPlan plan,
    Trace trace,
    RunLog run,
    DispatchLog dispatches,
    ConfiguredAlgorithm algorithm,
    ViewSpec view,
    BackendSet backends,
    Readings readings,
    Conditions conditions) {
  public Measurement {
    if (conditions.carried() > trace.size()) {
      throw new IllegalArgumentException(
          "carried: %d (expected: at most %d, the trace)"
              .formatted(conditions.carried(), trace.size()));
    }
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
    this(plan, trace, run, dispatches, algorithm, view, backends, readings, Conditions.ALONE);
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
