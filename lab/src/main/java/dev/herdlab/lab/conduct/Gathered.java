package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What a phase left behind, complete, before anybody has looked at it. Owner thread: the
/// analyst's.
///
/// @param over the phase
/// @param requests of all generators, on the phase's epoch, backends by their own names
/// @param dispatches what the balancers saw from the switch to the next one, on the phase's epoch
/// @param opened connections that the generators had to open
/// @param faults what went wrong, each a reason against the phase
record Gathered(
    Over over, PhaseRequests requests, DispatchLog dispatches, int opened, List<String> faults) {
  private static final String NOT_SENT = "not-sent";

  Gathered {
    faults = List.copyOf(faults);
  }

  /// Every planned request by how it ended: those of a generator that was lost, or did not come to
  /// send all, are not sent.
  CellResult.Accounting accounting() {
    long completed = 0;
    Map<String, Long> failed = new TreeMap<>();
    for (RunLog.Entry entry : requests.run().entries()) {
      if (entry.ok()) {
        completed++;
      } else {
        failed.merge(entry.outcome(), 1L, Long::sum);
      }
    }
    long lost = (long) over.playing().planned() - requests.run().entries().size();
    if (lost > 0) {
      failed.put(NOT_SENT, lost);
    }
    return new CellResult.Accounting(over.playing().planned(), completed, failed);
  }
}
