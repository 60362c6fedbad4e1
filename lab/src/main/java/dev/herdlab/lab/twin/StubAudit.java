package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.RunLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The audit of the backends' arithmetic: in the order of arrival, each request must have started
/// at max(arrival, previous finish) and finished one service time later, to the nanosecond.
///
/// It compares with the previous finish *as stamped*, so a wrong stamp is one violation and not a
/// tail of them. A stub that sleeps from one request to the next, and so carries its lateness on,
/// violates nearly every time.
///
/// An attempt whose response was lost has no stamps, though it may have kept its server busy: on
/// its backend only service times are checked then, and on all backends if a request was sent and
/// nobody told where it went.
///
/// Compared are instants of one backend with each other. Of what is carried only the finish before
/// the first of the cell's own is of use: what came before it, nobody knows. Where the load goes
/// on, only service times are checked of what arrived later than a unit before the last request was
/// due: requests of others may stand between.
///
/// Owner thread: any (immutable).
///
/// @param checked attempts with the backend's stamps
/// @param violations how many of them contradict the arithmetic
/// @param first what the first violation is
record StubAudit(int checked, int violations, Optional<String> first) {

  /// One attempt as its backend stamped it.
  private record Job(int request, RunLog.Attempt stamps) {}

  private static final Comparator<Job> BY_ARRIVAL =
      Comparator.comparingLong((Job job) -> job.stamps().backendReceivedNanos())
          .thenComparingLong(job -> job.stamps().startNanos())
          .thenComparingInt(Job::request);

  /// Audits every attempt of the cell, warm-up included. O(n log n).
  static StubAudit of(Measurement measurement) {
    BackendSet backends = measurement.backends();
    List<List<Job>> jobs = new ArrayList<>();
    boolean[] lost = new boolean[backends.size()];
    for (int b = 0; b < backends.size(); b++) {
      jobs.add(new ArrayList<>());
    }
    for (RunLog.Entry entry : measurement.run().entries()) {
      if (entry.attempts().isEmpty() && entry.sentNanos() >= 0) {
        Arrays.fill(lost, true);
      }
      for (RunLog.Attempt attempt : entry.attempts()) {
        int at = backends.indexOf(attempt.backend());
        if (at >= 0 && attempt.finishNanos() >= 0) {
          jobs.get(at).add(new Job(entry.request(), attempt));
        } else if (at >= 0) {
          lost[at] = true;
        }
      }
    }
    Tally tally = new Tally();
    for (int b = 0; b < backends.size(); b++) {
      jobs.get(b).sort(BY_ARRIVAL);
      tally.check(jobs.get(b), measurement, measurement.plan().speeds().get(b), lost[b]);
    }
    return new StubAudit(tally.checked, tally.violations, tally.first);
  }

  /// What was found so far.
  private static final class Tally {
    private int checked;
    private int violations;
    private Optional<String> first = Optional.empty();

    void check(List<Job> jobs, Measurement measurement, double speed, boolean lostSome) {
      long freeNanos = 0;
      for (Job job : jobs) {
        RunLog.Attempt stamps = job.stamps();
        long start =
            lostSome || stamps.backendReceivedNanos() >= measurement.aloneUntilNanos()
                ? stamps.startNanos()
                : Math.max(stamps.backendReceivedNanos(), freeNanos);
        long finish =
            new FifoServer<Job>(speed)
                .admit(job, start, measurement.trace().serviceNanos(job.request()))
                .finishNanos();
        boolean own = measurement.isOwn(job.request());
        checked += own ? 1 : 0;
        if (own && (stamps.startNanos() != start || stamps.finishNanos() != finish)) {
          violations++;
          if (first.isEmpty()) {
            first = Optional.of(described(job, start, finish));
          }
        }
        freeNanos = stamps.finishNanos();
      }
    }

    private static String described(Job job, long start, long finish) {
      RunLog.Attempt stamps = job.stamps();
      return "request "
          + job.request()
          + " at "
          + stamps.backend()
          + " from "
          + stamps.startNanos()
          + " to "
          + stamps.finishNanos()
          + " ns (expected: "
          + start
          + " to "
          + finish
          + ")";
    }
  }
}
