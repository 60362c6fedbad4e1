package dev.herdlab.lab.conduct;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The requests of a stretch of time, as sent by all generators, and what became of each; instants
/// count from one epoch.
///
/// Owner thread: any (immutable).
///
/// @param trace in the order of their intended instants
/// @param run an entry for each
record PhaseRequests(Trace trace, RunLog run) {
  /// None.
  static final PhaseRequests NONE =
      new PhaseRequests(Trace.of(1, new long[0], new int[0], new long[0]), new RunLog(List.of()));

  private record Row(
      long intendedNanos, int proxy, long serviceNanos, int tenant, RunLog.Entry entry) {}

  /// Several generators' requests of one phase, with the same epoch, as those of one.
  ///
  /// A request that a generator did not come to send is in none of the results.
  static PhaseRequests merge(List<PhaseRequests> parts) {
    List<Row> rows = new ArrayList<>();
    for (PhaseRequests part : parts) {
      part.addTo(rows, 0);
    }
    return of(rows);
  }

  /// This phase's requests behind those of the phase before, on that one's epoch.
  ///
  /// @param epochNanos this phase's epoch since that of `before`, 0 or more
  PhaseRequests after(PhaseRequests before, long epochNanos) {
    List<Row> rows = new ArrayList<>();
    before.addTo(rows, 0);
    addTo(rows, epochNanos);
    return of(rows);
  }

  /// The same with the backends under other names, where `names` has one.
  PhaseRequests renamed(Map<String, String> names) {
    List<RunLog.Entry> entries = new ArrayList<>();
    for (RunLog.Entry entry : run.entries()) {
      entries.add(
          new RunLog.Entry(
              entry.request(),
              entry.sentNanos(),
              entry.doneNanos(),
              entry.outcome(),
              entry.attempts().stream().map(attempt -> renamed(attempt, names)).toList()));
    }
    return new PhaseRequests(trace, new RunLog(entries));
  }

  private static RunLog.Attempt renamed(RunLog.Attempt attempt, Map<String, String> names) {
    String name = names.get(attempt.backend());
    return name == null ? attempt : attempt(attempt, name, 0);
  }

  private void addTo(List<Row> rows, long shiftNanos) {
    for (RunLog.Entry entry : run.entries()) {
      int i = entry.request();
      rows.add(
          new Row(
              trace.intendedNanos(i) + shiftNanos,
              trace.proxy(i),
              trace.serviceNanos(i),
              trace.tenant(i),
              shifted(entry, shiftNanos)));
    }
  }

  private static PhaseRequests of(List<Row> rows) {
    // Stable: those of one instant stay in the order of the generators.
    rows.sort(Comparator.comparingLong(Row::intendedNanos));
    long[] intended = new long[rows.size()];
    int[] proxy = new int[rows.size()];
    long[] service = new long[rows.size()];
    int[] tenant = new int[rows.size()];
    List<RunLog.Entry> entries = new ArrayList<>(rows.size());
    int proxies = 1;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      intended[i] = row.intendedNanos();
      proxy[i] = row.proxy();
      service[i] = row.serviceNanos();
      tenant[i] = row.tenant();
      proxies = Math.max(proxies, row.proxy() + 1);
      RunLog.Entry entry = row.entry();
      entries.add(
          new RunLog.Entry(
              i, entry.sentNanos(), entry.doneNanos(), entry.outcome(), entry.attempts()));
    }
    return new PhaseRequests(
        Trace.of(proxies, intended, proxy, service, tenant), new RunLog(entries));
  }

  private static RunLog.Entry shifted(RunLog.Entry entry, long nanos) {
    if (nanos == 0) {
      return entry;
    }
    List<RunLog.Attempt> attempts =
        entry.attempts().stream()
            .map(attempt -> attempt(attempt, attempt.backend(), nanos))
            .toList();
    return new RunLog.Entry(
        entry.request(),
        known(entry.sentNanos(), nanos),
        known(entry.doneNanos(), nanos),
        entry.outcome(),
        attempts);
  }

  private static RunLog.Attempt attempt(RunLog.Attempt attempt, String backend, long shiftNanos) {
    return new RunLog.Attempt(
        backend,
        attempt.proxy(),
        known(attempt.proxyReceivedNanos(), shiftNanos),
        known(attempt.pickedNanos(), shiftNanos),
        known(attempt.forwardedNanos(), shiftNanos),
        known(attempt.backendReceivedNanos(), shiftNanos),
        known(attempt.startNanos(), shiftNanos),
        known(attempt.finishNanos(), shiftNanos),
        known(attempt.deliveredNanos(), shiftNanos),
        known(attempt.returnedNanos(), shiftNanos));
  }

  private static long known(long instantNanos, long shiftNanos) {
    return instantNanos == RunLog.UNKNOWN ? instantNanos : instantNanos + shiftNanos;
  }
}
