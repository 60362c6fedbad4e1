package dev.herdlab.loadgen;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;

/// A run that is over: the plan as it was carried out, and what happened.
///
/// Owner thread: any (immutable).
///
/// @param id its name
/// @param epochNanos what the instants of trace and log count from, on the loop's clock: the one
///     asked for, unless the rate was changed before the run began
/// @param trace the plan, with the intended instants and the proxies that were really used; the
///     very plan if none of them changed
/// @param log every request whose turn came
/// @param opened connections that its requests had to open, since they found too few: each cost its
///     request the time of a connection
public record CompletedRun(String id, long epochNanos, Trace trace, RunLog log, int opened) {}
