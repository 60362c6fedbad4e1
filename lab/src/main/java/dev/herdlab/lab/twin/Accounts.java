package dev.herdlab.lab.twin;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Where every request of a run went. Owner thread: any (no state).
final class Accounts {
  private Accounts() {}

  /// Counts by outcome, warm-up included. A request that was sent and has no end, or says `ok`
  /// without the instant of it, is in no count but `sent`: the sums then differ, which the verdict
  /// reports.
  static CellResult.Accounting of(RunLog run) {
    long sent = 0;
    long completed = 0;
    Map<String, Long> failed = new TreeMap<>();
    for (RunLog.Entry entry : run.entries()) {
      if (entry.sentNanos() >= 0) {
        sent++;
        if (entry.ok() && entry.doneNanos() >= 0) {
          completed++;
        } else if (!entry.ok() && !entry.outcome().isEmpty()) {
          failed.merge(entry.outcome(), 1L, Long::sum);
        }
      }
    }
    return new CellResult.Accounting(sent, completed, Collections.unmodifiableMap(failed));
  }
}
