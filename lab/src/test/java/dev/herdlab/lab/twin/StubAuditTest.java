package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Station;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StubAuditTest {
  private static StubAudit audit(Measurement run) {
    return StubAudit.of(run);
  }

  private static RunLog.Entry restamped(RunLog.Entry entry, long start, long finish) {
    RunLog.Attempt a = entry.last();
    return new RunLog.Entry(
        entry.request(),
        entry.sentNanos(),
        entry.doneNanos(),
        entry.outcome(),
        List.of(
            new RunLog.Attempt(
                a.backend(),
                a.proxy(),
                a.proxyReceivedNanos(),
                a.pickedNanos(),
                a.forwardedNanos(),
                a.backendReceivedNanos(),
                start,
                finish,
                Math.max(finish, a.deliveredNanos()),
                a.returnedNanos())));
  }

  @Test
  void idealDeadlinesPass() {
    assertThat(audit(SyntheticRun.of("p2c", "local", 4, 5)))
        .isEqualTo(new StubAudit(3000, 0, Optional.empty()));
  }

  /// The run is of FIFO servers, so what it stamped is not what other stations do.
  @ParameterizedTest
  @EnumSource(
      value = Queueing.Discipline.class,
      names = {"LIFO", "PS"})
  void stampsOfAnotherDisciplineAreViolations(Queueing.Discipline discipline) {
    Measurement run = SyntheticRun.of("p2c", "local", 4, 5);
    Queueing queueing = new Queueing(discipline, 1, Queueing.UNBOUNDED);

    StubAudit audit = audit(SyntheticRun.withQueueing(run, queueing));

    assertThat(audit.checked()).isEqualTo(3000);
    assertThat(audit.violations()).isGreaterThan(300);
  }

  @ParameterizedTest
  @EnumSource(Queueing.Discipline.class)
  void stampsOfTheDisciplineInForcePass(Queueing.Discipline discipline) {
    Queueing queueing = new Queueing(discipline, 2, Queueing.UNBOUNDED);
    Measurement run = SyntheticRun.withQueueing(SyntheticRun.of("p2c", "local", 4, 5), queueing);
    Map<String, Station<Integer>> stations = new HashMap<>();
    Map<Integer, Station.Job<Integer>> jobs = new HashMap<>();
    run.run().entries().stream()
        .sorted(Comparator.comparingLong(entry -> entry.last().backendReceivedNanos()))
        .forEach(
            entry ->
                jobs.put(
                    entry.request(),
                    stations
                        .computeIfAbsent(entry.last().backend(), _ -> queueing.station(1))
                        .admit(
                            entry.request(),
                            entry.last().backendReceivedNanos(),
                            run.trace().serviceNanos(entry.request()))));
    stations.values().forEach(StubAuditTest::finishAll);

    StubAudit audit =
        audit(
            SyntheticRun.with(
                run,
                entry -> {
                  Station.Job<Integer> job = jobs.get(entry.request());
                  return restamped(entry, job.startNanos(), job.finishNanos());
                }));

    assertThat(audit).isEqualTo(new StubAudit(3000, 0, Optional.empty()));
  }

  private static void finishAll(Station<Integer> station) {
    while (!station.isEmpty()) {
      station.removeHead();
    }
  }

  @Test
  void aStubThatChainsSleepsViolatesEveryTime() {
    // Each sleep is 60 us too long, and the next starts where it ended.
    Measurement run = SyntheticRun.of("p2c", "local", 4, 5);
    Map<String, Long> free = new HashMap<>();
    Measurement chained =
        SyntheticRun.with(
            run,
            entry -> {
              RunLog.Attempt attempt = entry.last();
              long start =
                  Math.max(
                      attempt.backendReceivedNanos(), free.getOrDefault(attempt.backend(), 0L));
              long finish = start + run.trace().serviceNanos(entry.request()) + 60_000;
              free.put(attempt.backend(), finish);
              return restamped(entry, start, finish);
            });

    StubAudit audit = audit(chained);

    assertThat(audit.violations()).isEqualTo(3000);
    assertThat(audit.first().orElseThrow()).matches("request \\d+ at b0 from \\d+ to .*");
  }

  @Test
  void oneWrongStampIsOneViolation() {
    StubAudit audit =
        audit(
            SyntheticRun.with(
                SyntheticRun.of("p2c", "local", 4, 5),
                entry ->
                    entry.request() == 2999
                        ? restamped(
                            entry, entry.last().startNanos(), entry.last().finishNanos() - 1)
                        : entry));

    assertThat(audit.violations()).isEqualTo(1);
  }

  @Test
  void aStartStampThatDoesNotFitItsFinishIsAViolation() {
    StubAudit audit =
        audit(
            SyntheticRun.with(
                SyntheticRun.of("p2c", "local", 4, 5),
                entry ->
                    entry.request() == 1000
                        ? restamped(
                            entry, entry.last().startNanos() + 1, entry.last().finishNanos())
                        : entry));

    assertThat(audit.violations()).isEqualTo(1);
  }

  @Test
  void aServerThatIdlesWhileRequestsWaitIsCaught() {
    StubAudit audit =
        audit(
            SyntheticRun.with(
                SyntheticRun.of("p2c", "local", 4, 5),
                entry ->
                    entry.request() == 2999
                        ? restamped(
                            entry, entry.last().startNanos() + 1, entry.last().finishNanos() + 1)
                        : entry));

    assertThat(audit.violations()).isEqualTo(1);
  }

  @Test
  void speedsScaleTheServiceTime() {
    Measurement run = SyntheticRun.of("p2c", "local", 4, 5);

    StubAudit audit = audit(SyntheticRun.withSpeeds(run, Collections.nCopies(8, 2.0)));

    assertThat(audit.violations()).isEqualTo(3000);
  }

  @Test
  void whereAResponseWasLostOnlyServiceTimesAreChecked() {
    Measurement run = SyntheticRun.of("round-robin", "local", 1, 5);
    StubAudit audit =
        audit(
            SyntheticRun.with(
                run,
                entry ->
                    entry.request() % 8 == 3 && entry.request() > 2000
                        ? new RunLog.Entry(
                            entry.request(),
                            entry.sentNanos(),
                            -1,
                            "response-timeout",
                            List.of(SyntheticRun.lost(entry.last())))
                        : entry));

    assertThat(audit.checked()).isEqualTo(2875);
    assertThat(audit.violations()).isZero();
  }
}
