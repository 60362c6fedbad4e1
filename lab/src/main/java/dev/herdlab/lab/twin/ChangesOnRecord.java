package dev.herdlab.lab.twin;

import dev.herdlab.simulator.Change;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The changes of a measured system for the model: in it requests need no time from the generator
/// to a proxy, so one that was under way as a change was made would meet the system before it.
///
/// Each change therefore comes as early as the first request that was picked for after it was
/// intended: what really met the changed system, meets it in the model. That is some hundred
/// microseconds, or a send lag. Owner thread: any (no state).
final class ChangesOnRecord {
  private ChangesOnRecord() {}

  private record Pick(long pickedNanos, long intendedNanos) {}

  /// In order. O(n log n).
  static List<Change.Timed> of(Measurement measurement) {
    if (measurement.changes().isEmpty()) {
      return List.of();
    }
    List<Pick> picks = picks(measurement.run(), measurement.trace());
    long[] first = new long[picks.size() + 1];
    first[picks.size()] = Long.MAX_VALUE;
    for (int i = picks.size() - 1; i >= 0; i--) {
      first[i] = Math.min(first[i + 1], picks.get(i).intendedNanos());
    }
    List<Change.Timed> changes = new ArrayList<>();
    int next = 0;
    long lastNanos = Long.MIN_VALUE;
    for (Change.Timed timed : measurement.changes()) {
      while (next < picks.size() && picks.get(next).pickedNanos() <= timed.nanos()) {
        next++;
      }
      lastNanos = Math.max(lastNanos, Math.min(timed.nanos(), first[next]));
      changes.add(new Change.Timed(lastNanos, timed.change()));
    }
    return changes;
  }

  private static List<Pick> picks(RunLog run, Trace trace) {
    List<Pick> picks = new ArrayList<>();
    for (RunLog.Entry entry : run.entries()) {
      if (!entry.attempts().isEmpty() && entry.attempts().getFirst().pickedNanos() >= 0) {
        picks.add(
            new Pick(
                entry.attempts().getFirst().pickedNanos(), trace.intendedNanos(entry.request())));
      }
    }
    picks.sort(Comparator.comparingLong(Pick::pickedNanos));
    return picks;
  }
}
