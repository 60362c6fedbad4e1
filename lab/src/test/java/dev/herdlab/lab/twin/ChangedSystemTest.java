package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A measured system that was changed meanwhile, before its judges: by hand, and runs of the model
/// whose records must be explained to the last pick.
class ChangedSystemTest {
  private static final long UNIT = SyntheticRun.UNIT;

  private static Change.Timed at(long nanos, Change change) {
    return new Change.Timed(nanos, change);
  }

  private static final List<Change.Timed> MEMBERS =
      List.of(
          at(20 * UNIT, new Change.Leave(1)),
          at(40 * UNIT, new Change.Restart()),
          at(60 * UNIT, new Change.Weight(2, 3)),
          at(70 * UNIT, new Change.Join(1)),
          at(90 * UNIT, new Change.Leave(0)),
          at(110 * UNIT, new Change.Restart()),
          at(130 * UNIT, new Change.Join(0)));

  @ParameterizedTest
  @CsvSource({
    "round-robin, local",
    "least-conn, local",
    "p2c, 'shared-stale(refresh=3,own=true)'",
    "smooth-weighted-round-robin, local",
    "ring-hash, local",
    "sticky, local",
    "peak-ewma, local"
  })
  void everyPickIsExplained(String algorithm, String view) {
    Measurement run = SyntheticRun.changed(algorithm, view, 3, 5, MEMBERS);
    Switches switches = Switches.of(run);

    PickAudit audit = PickAudit.of(run, switches);
    RouteAudit routes = RouteAudit.of(run, switches);

    assertThat(audit.first()).isEmpty();
    assertThat(audit.picks()).isEqualTo(3000);
    assertThat(audit.openLeases()).isZero();
    assertThat(routes.different()).isZero();
    assertThat(routes.compared()).isEqualTo(3000);
    assertThat(List.of(switches.foreign(), switches.updates(), switches.missing())).containsOnly(0);
  }

  /// The twin of an algorithm without coins makes the picks that were made.
  @Test
  void theTwinIsToldOfTheChanges() {
    Measurement run = SyntheticRun.changed("round-robin", "local", 3, 5, MEMBERS);
    Switches switches = Switches.of(run);
    DispatchLog own = new DispatchLog(16);
    TwinModel.of(run, switches).latencies(5, own);

    assertThat(
            PickSequences.different(
                PickSequences.measured(run, switches), PickSequences.modelled(run, own), false))
        .isZero();
  }

  @Test
  void whatNobodyAskedForIsFound() {
    Measurement run = SyntheticRun.changed("round-robin", "local", 3, 5, MEMBERS);

    Switches nothingAsked = Switches.of(SyntheticRun.withChanges(run, List.of()));
    Switches lessAsked = Switches.of(SyntheticRun.withChanges(run, MEMBERS.subList(0, 5)));
    List<Change.Timed> more = new ArrayList<>(MEMBERS);
    more.add(at(140 * UNIT, new Change.Restart()));
    more.add(at(150 * UNIT, new Change.Leave(0)));
    Switches moreAsked = Switches.of(SyntheticRun.withChanges(run, more));

    assertThat(nothingAsked.updates()).isEqualTo(3 * 5);
    assertThat(lessAsked.foreign()).isEqualTo(3);
    assertThat(lessAsked.updates()).isEqualTo(3);
    assertThat(moreAsked.foreign()).isEqualTo(3);
    assertThat(moreAsked.updates()).isEqualTo(3);
    assertThat(moreAsked.first().orElseThrow()).contains("too few on record");
  }

  /// Work of 100 from 0: 40 by 40, 10 more by 60, the rest at 2.
  @Test
  void aServiceGoesByTheSpeedsOfItsTime() {
    BackendHistory history =
        BackendHistory.of(
            SyntheticRun.withChanges(
                SyntheticRun.of("random", "local", 1, 1),
                List.of(
                    at(40, new Change.Speed(3, 0.5)),
                    at(50, new Change.Speed(2, 9)),
                    at(60, new Change.Speed(3, 2)))),
            3);

    assertThat(history.finishNanos(0, 100)).isEqualTo(85);
    assertThat(history.finishNanos(40, 5)).isEqualTo(50);
    assertThat(history.finishNanos(60, 100)).isEqualTo(110);
    assertThat(history.joinedNanos(50)).isEqualTo(50);
  }

  @Test
  void whatComesToOneThatHangsJoinsWhenThatIsOver() {
    BackendHistory history =
        BackendHistory.of(
            SyntheticRun.withChanges(
                SyntheticRun.of("random", "local", 1, 1),
                List.of(
                    at(40, new Change.Fault(3, BackendFault.HANG)),
                    at(50, new Change.Fault(3, BackendFault.HANG)),
                    at(70, new Change.Fault(3, BackendFault.CLOSE)),
                    at(80, new Change.Fault(3, BackendFault.NONE)))),
            3);

    assertThat(history.joinedNanos(39)).isEqualTo(39);
    assertThat(history.joinedNanos(40)).isEqualTo(70);
    assertThat(history.joinedNanos(69)).isEqualTo(70);
    assertThat(history.joinedNanos(70)).isEqualTo(70);
    assertThat(history.joinedNanos(75)).isEqualTo(75);
  }

  /// What is stamped at speed 1 contradicts a backend that was said to be of another.
  @Test
  void stampsMustFollowTheSpeeds() {
    Measurement run = SyntheticRun.of("p2c", "local", 4, 5);
    Change slower = new Change.Speed(3, 0.5);

    assertThat(StubAudit.of(SyntheticRun.withChanges(run, List.of(at(Long.MAX_VALUE, slower)))))
        .matches(audit -> audit.violations() == 0);
    assertThat(StubAudit.of(SyntheticRun.withChanges(run, List.of(at(50 * UNIT, slower)))))
        .matches(audit -> audit.violations() > 50);
  }

  private static RunLog.Entry ok(int request, String backend, long picked, long arrived) {
    RunLog.Attempt attempt =
        new RunLog.Attempt(backend, 0, picked, picked, picked, arrived, -1, -1, -1, -1);
    return new RunLog.Entry(request, picked, 1_000_000, RunLog.OK, List.of(attempt));
  }

  private static long[] replay(Serving serving, RunLog run, Change.Timed... changes) {
    return AttemptReplay.latencies(
        Trace.of(
            1, new long[] {0, 10, 30, 60}, new int[] {0, 0, 0, 0}, new long[] {20, 20, 20, 20}),
        run,
        BackendSet.ofSize(2),
        List.of(1.0, 1.0),
        serving,
        ConfiguredAlgorithm.NO_LIMIT,
        List.of(changes),
        AttemptReplay.From.INTENDED);
  }

  private static final RunLog FOUR =
      new RunLog(
          List.of(
              ok(0, "b0", 1, 2), ok(1, "b0", 11, 12), ok(2, "b0", 31, 32), ok(3, "b0", 61, 62)));

  @Test
  void theReplayServesAtTheSpeedsOfTheTime() {
    // 0 until 20; 1 has 10 by 30, then at half: until 50; 2 until 90; 3 at 1 from 90: until 110.
    assertThat(
            replay(
                Serving.PLAIN,
                FOUR,
                at(30, new Change.Speed(0, 0.5)),
                at(40, new Change.Speed(1, 7)),
                at(90, new Change.Speed(0, 1))))
        .containsExactly(20, 40, 60, 50);
  }

  @Test
  void theReplayHoldsWhatComesToOneThatHangs() {
    assertThat(
            replay(
                Serving.PLAIN,
                FOUR,
                at(10, new Change.Fault(0, BackendFault.HANG)),
                at(100, new Change.Fault(0, BackendFault.NONE))))
        .containsExactly(20, 110, 110, 100);
  }

  @Test
  void theReplayLetsGoOfWhoGaveUpMeanwhile() {
    RunLog.Attempt held = new RunLog.Attempt("b0", 0, 11, 11, 11, -1, -1, -1, -1, -1);
    RunLog run =
        new RunLog(
            List.of(
                ok(0, "b0", 1, 2),
                new RunLog.Entry(1, 11, 70, "deadline-exceeded", List.of(held)),
                ok(2, "b0", 31, 32),
                ok(3, "b0", 61, 62)));

    assertThat(
            replay(
                new Serving(Serving.PLAIN.queueing(), 60),
                run,
                at(10, new Change.Fault(0, BackendFault.HANG)),
                at(75, new Change.Fault(0, BackendFault.NONE))))
        .containsExactly(20, -1, 65, 55);
  }

  /// A request that was intended before a change and picked for after it meets what was changed.
  @Test
  void aChangeComesNoLaterThanTheFirstRequestThatMetIt() {
    Measurement run =
        SyntheticRun.withChanges(
            SyntheticRun.of("random", "local", 1, 1),
            List.of(at(-5, new Change.Restart()), at(Long.MAX_VALUE, new Change.Restart())));
    RunLog.Entry fifth = run.run().entries().get(4);
    long picked = fifth.last().pickedNanos();

    List<Change.Timed> changes =
        ChangesOnRecord.of(
            SyntheticRun.withChanges(
                run,
                List.of(
                    at(-5, new Change.Restart()),
                    at(picked - 1, new Change.Restart()),
                    at(Long.MAX_VALUE, new Change.Restart()))));

    assertThat(changes.stream().map(Change.Timed::nanos))
        .containsExactly(-5L, run.trace().intendedNanos(4), Long.MAX_VALUE);
  }
}
