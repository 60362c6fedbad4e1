package dev.herdlab.lab.twin;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/// Where every request of a run went. Owner thread: any (no state).
final class Accounts {
  private Accounts() {}

  /// Counts by outcome, warm-up included, what is carried not.
  ///
  /// Sent is every request whose turn came, also one that failed before a byte of it was written. A
  /// request without an end, or that says `ok` but not when, is in no other count: the sums then
  /// differ, which the verdict reports.
  static CellResult.Accounting of(Measurement measurement) {
    long sent = 0;
    long completed = 0;
    Map<String, Long> failed = new TreeMap<>();
    for (RunLog.Entry entry : measurement.run().entries()) {
      if (!measurement.isOwn(entry.request())) {
        continue;
      }
      sent++;
      if (entry.ok() && entry.doneNanos() >= 0) {
        completed++;
      } else if (!entry.ok() && !entry.outcome().isEmpty()) {
        failed.merge(entry.outcome(), 1L, Long::sum);
      }
    }
    return new CellResult.Accounting(
        sent,
        completed,
        Collections.unmodifiableMap(failed),
        measurement.plan().serving().attempts().isActive()
            ? attempts(measurement.dispatches())
            : AttemptCounts.NONE);
  }

  /// What the record tells of the attempts.
  static AttemptCounts attempts(DispatchLog log) {
    AttemptsOnRecord counted = new AttemptsOnRecord();
    log.forEach(counted);
    return counted.counts();
  }
}
