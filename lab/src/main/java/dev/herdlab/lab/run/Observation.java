package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.twin.Readings;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.RunLog;
import java.time.Instant;
import java.util.List;

/// What one attempt on sockets left behind, before anybody has looked at it.
///
/// Owner thread: any, once made.
///
/// @param run every request whose turn came
/// @param dispatches what the balancers saw, in order
/// @param readings what watched the run
/// @param started wall time of the run's start
/// @param changes the cell's changes as they were made, in order, on the trace's clock
record Observation(
    RunLog run,
    DispatchLog dispatches,
    Readings readings,
    Instant started,
    List<Change.Timed> changes) {}
