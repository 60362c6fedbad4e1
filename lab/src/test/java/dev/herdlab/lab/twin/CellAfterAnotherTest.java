package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.workload.RunLog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The figures of a cell that began under the load of another one: they are its own alone.
final class CellAfterAnotherTest {
  private static final TwoPhases P2C = new TwoPhases("p2c", "local", 3);
  private static final Measurement RUN = P2C.measured();
  private static final int ALL = TwoPhases.CARRIED + TwoPhases.REQUESTS;

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
  void backendsNeedNotHaveBeenIdleWhenWhatIsCarriedBegan() {
    // The first requests of all waited for others that nobody knows.
    Measurement run =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() < 100
                    ? restamped(
                        entry, entry.last().startNanos() + 9, entry.last().finishNanos() + 9)
                    : entry);

    StubAudit audit = StubAudit.of(run);

    assertThat(audit).isEqualTo(new StubAudit(TwoPhases.REQUESTS, 0, Optional.empty()));
  }

  @Test
  void theLastRequestsMayWaitForOthersThatCameLater() {
    Measurement run =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() == ALL - 1
                    ? restamped(
                        entry, entry.last().startNanos() + 9, entry.last().finishNanos() + 9)
                    : entry);

    assertThat(StubAudit.of(run).violations()).isZero();
    Measurement earlier =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() == ALL - 200
                    ? restamped(
                        entry, entry.last().startNanos() + 9, entry.last().finishNanos() + 9)
                    : entry);
    assertThat(StubAudit.of(earlier).violations()).isPositive();
  }

  @Test
  void theAchievedRateIsThatOfTheCell() {
    Measurement slow =
        SyntheticRun.with(
            RUN,
            entry ->
                new RunLog.Entry(
                    entry.request(),
                    entry.sentNanos() + Math.max(0, entry.sentNanos() - P2C.epochNanos) / 100,
                    entry.doneNanos(),
                    entry.outcome(),
                    entry.attempts()));

    assertThat(Timeliness.of(RUN).achievedRate()).isBetween(0.99999, 1.0);
    assertThat(Timeliness.of(slow).achievedRate()).isBetween(0.9900, 0.9902);
  }

  @Test
  void lateSendsOfWhatIsCarriedAreNoLagOfTheCell() {
    Measurement late =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() < TwoPhases.CARRIED
                    ? new RunLog.Entry(
                        entry.request(),
                        entry.sentNanos() + SyntheticRun.UNIT,
                        entry.doneNanos(),
                        entry.outcome(),
                        entry.attempts())
                    : entry);

    assertThat(Timeliness.of(late)).isEqualTo(Timeliness.of(RUN));
  }

  @Test
  void failuresOfWhatIsCarriedAreNotTheCells() {
    Measurement failed =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() == TwoPhases.CARRIED - 1
                    ? new RunLog.Entry(
                        entry.request(), entry.sentNanos(), 5, "client-timeout", entry.attempts())
                    : entry);

    assertThat(Accounts.of(failed)).isEqualTo(Accounts.of(RUN));
    assertThat(Accounts.of(RUN).completed()).isEqualTo(TwoPhases.REQUESTS);
  }

  @Test
  void theHerdIsCountedFromTheCellsOwnBeginning() {
    // Copies at the beginning and every two units: with first ties one backend gets all picks
    // between two copies.
    Measurement herd =
        new TwoPhases("least-conn(ties=first)", "shared-stale(refresh=2)", 3).measured();

    assertThat(Herding.of(herd, Switches.of(herd)).index()).isEqualTo(1);
  }

  @Test
  void aStallIsMeasuredAgainstTheCellsOwnLength() {
    Bounds bounds = Bounds.STANDARD;
    double unit = SyntheticRun.UNIT;
    long lastNanos = RUN.trace().lastIntendedNanos();
    double own = bounds.stallUnits(0.8, (lastNanos - P2C.epochNanos) / unit);
    double whole = bounds.stallUnits(0.8, lastNanos / unit);
    assertThat(whole).isGreaterThan(own + 0.1);

    Readings quiet = SyntheticRun.quiet();
    Readings stalled =
        new Readings(
            (long) ((own + 0.05) * unit),
            quiet.othersCores(),
            quiet.ownCores(),
            0,
            7,
            0,
            "default",
            Optional.empty());

    // What is in flight while the load goes on is no reason.
    assertThat(reasons(SyntheticRun.with(RUN, stalled)))
        .singleElement()
        .asString()
        .startsWith("The longest stall of the machine is");
  }

  private static List<String> reasons(Measurement run) {
    Sample sample = Sample.of(run);
    Switches switches = Switches.of(run);
    return Criteria.verdict(
            new Criteria.Evidence(
                run,
                sample.size(),
                Timeliness.of(run),
                switches,
                PickAudit.of(run, switches),
                RouteAudit.of(run, switches),
                StubAudit.of(run),
                0,
                Accounts.of(run)),
            Bounds.STANDARD)
        .reasons();
  }

  @Test
  void moreThanTheTraceCannotBeCarried() {
    Conditions tooMany =
        new Conditions(
            ALL + 1, 0, Conditions.Clocks.ONE, Conditions.Board.MEMORY, Conditions.End.LOADED);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SyntheticRun.with(RUN, tooMany))
        .withMessage("carried: 3501 (expected: at most 3500, the trace)");
  }
}
