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
/// Owner thread: any, once the loops that filled the logs have stopped or handed them over.
///
/// @param plan the cell
/// @param trace the requests as planned
/// @param run what happened to each; instants since the run's start
/// @param dispatches every event of the dispatchers, from a moment with nothing in flight
/// @param algorithm the plan's, parsed
/// @param view the plan's, parsed
/// @param backends the set that was picked from, all run long
/// @param readings of the other instruments
public record Measurement(
    CellPlan plan,
    Trace trace,
    RunLog run,
    DispatchLog dispatches,
    ConfiguredAlgorithm algorithm,
    ViewSpec view,
    BackendSet backends,
    Readings readings) {}
