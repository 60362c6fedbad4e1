package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Station;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The audit of the backends' arithmetic: in the order of arrival, each request must have started
/// at max(arrival, previous finish) and finished one service time later, to the nanosecond. Where a
/// backend is not one FIFO server, its station is played again with the stamped arrivals, and must
/// give the stamped starts and finishes.
///
/// Where the backend was given another speed, or hung, the arithmetic goes by the instants at which
/// that began ([BackendHistory]).
///
/// Of one FIFO server it compares with the previous finish *as stamped*, so a wrong stamp is one
/// violation and not a tail of them. A stub that sleeps from one request to the next, and so
/// carries its lateness on, violates nearly every time.
///
/// An attempt whose response was lost has no stamps, though it may have kept its server busy: on
/// its backend only service times are checked then (under processor sharing, that nobody had less
/// than alone), and on all backends if a request was sent and nobody told where it went. A request
/// that was shed has kept no server busy; nor has one that a fault turned away or lost, for those
/// who were served: it was behind them.
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
      if (entry.outcome().equals(FailureKind.SHED.label())
          || measurement.plan().events().failures().contains(entry.outcome())) {
        continue;
      }
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
    Tally tally = new Tally(measurement);
    for (int b = 0; b < backends.size(); b++) {
      jobs.get(b).sort(BY_ARRIVAL);
      tally.check(jobs.get(b), BackendHistory.of(measurement, b), lost[b]);
    }
    return new StubAudit(tally.checked, tally.violations, tally.first);
  }

  /// What was found so far.
  private static final class Tally {
    private final Measurement measurement;
    private final Queueing queueing;
    private int checked;
    private int violations;
    private Optional<String> first = Optional.empty();

    Tally(Measurement measurement) {
      this.measurement = measurement;
      this.queueing = measurement.plan().serving().queueing();
    }

    void check(List<Job> jobs, BackendHistory history, boolean lostSome) {
      if (queueing.discipline() == Queueing.Discipline.FIFO && queueing.servers() == 1) {
        checkOneByOne(jobs, history, lostSome);
      } else if (lostSome) {
        jobs.forEach(job -> checkAlone(job, history));
      } else {
        checkTogether(jobs, history);
      }
    }

    private void checkOneByOne(List<Job> jobs, BackendHistory history, boolean lostSome) {
      long freeNanos = 0;
      for (Job job : jobs) {
        RunLog.Attempt stamps = job.stamps();
        long start =
            lostSome || stamps.backendReceivedNanos() >= measurement.aloneUntilNanos()
                ? stamps.startNanos()
                : Math.max(history.joinedNanos(stamps.backendReceivedNanos()), freeNanos);
        expect(job, start, history.finishNanos(start, serviceNanos(job)));
        freeNanos = stamps.finishNanos();
      }
    }

    private void checkTogether(List<Job> jobs, BackendHistory history) {
      Station<Job> station = queueing.station(history.firstSpeed());
      int next = 0;
      for (Job job : jobs) {
        long joined = history.joinedNanos(job.stamps().backendReceivedNanos());
        next = changeSpeeds(station, history, next, joined);
        station.admit(job, joined, serviceNanos(job));
      }
      changeSpeeds(station, history, next, Long.MAX_VALUE);
      while (!station.isEmpty()) {
        Station.Job<Job> done = station.removeHead();
        expect(done.tag(), done.startNanos(), done.finishNanos());
      }
    }

    /// Makes those changes that are due by then.
    ///
    /// @return the next one
    private static int changeSpeeds(
        Station<Job> station, BackendHistory history, int first, long untilNanos) {
      int next = first;
      while (next < history.speeds().size() && history.speeds().get(next).nanos() <= untilNanos) {
        station.changeSpeed(history.speeds().get(next).speed(), history.speeds().get(next).nanos());
        next++;
      }
      return next;
    }

    private void checkAlone(Job job, BackendHistory history) {
      long start = job.stamps().startNanos();
      long least = history.finishNanos(start, serviceNanos(job));
      expect(
          job,
          start,
          queueing.discipline() == Queueing.Discipline.PS
              ? Math.max(least, job.stamps().finishNanos())
              : least);
    }

    private long serviceNanos(Job job) {
      return measurement.trace().serviceNanos(job.request());
    }

    private void expect(Job job, long start, long finish) {
      RunLog.Attempt stamps = job.stamps();
      boolean own = measurement.isOwn(job.request());
      checked += own ? 1 : 0;
      if (own && (stamps.startNanos() != start || stamps.finishNanos() != finish)) {
        violations++;
        if (first.isEmpty()) {
          first = Optional.of(described(job, start, finish));
        }
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
