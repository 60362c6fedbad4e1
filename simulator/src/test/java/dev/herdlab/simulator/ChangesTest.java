package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Changes of the system while a trace runs, by hand: instants are small numbers of nanoseconds.
class ChangesTest {
  private static final BackendFault STATUS = BackendFault.parse("status=503");

  private static Model model(int backends, String algorithm, Change.Timed... changes) {
    return new Model(
            BackendSet.ofSize(backends),
            Collections.nCopies(backends, 1.0),
            Algorithms.builtIn().parse(algorithm, 1_000),
            new ViewSpec.Local())
        .withChanges(List.of(changes));
  }

  private static Change.Timed at(long nanos, Change change) {
    return new Change.Timed(nanos, change);
  }

  private static Change.Timed fault(long nanos, int backend, BackendFault fault) {
    return at(nanos, new Change.Fault(backend, fault));
  }

  /// One proxy; each service takes 10.
  private static Trace trace(long... intended) {
    long[] services = new long[intended.length];
    Arrays.fill(services, 10);
    return Trace.of(1, intended, new int[intended.length], services);
  }

  private static List<Long> latencies(ModelRun run) {
    List<Long> latencies = new ArrayList<>();
    for (int i = 0; i < run.size(); i++) {
      latencies.add(run.latencyNanos(i));
    }
    return latencies;
  }

  private static List<Integer> backends(ModelRun run) {
    List<Integer> backends = new ArrayList<>();
    for (int i = 0; i < run.size(); i++) {
      backends.add(run.backend(i));
    }
    return backends;
  }

  @Test
  void anotherSpeedServesTheRestOfWhatIsInServiceAndAllThatWaits() {
    Model model =
        model(
            1,
            "round-robin",
            at(4, new Change.Speed(0, 0.5)),
            at(26, new Change.Speed(0, 2)),
            at(1_000, new Change.Speed(0, 5)));

    // 4 of the first at speed 1, 6 at 0.5: until 16. 5 of the second by 26, the rest at 2: 28.5.
    ModelRun run = model.run(trace(0, 1, 100), 0);

    assertThat(latencies(run)).containsExactly(16L, 28L, 5L);
  }

  @Test
  void aChangeComesBeforeTheArrivalOfItsInstantAndAfterTheCompletion() {
    Model model = model(1, "round-robin", at(10, new Change.Speed(0, 0.1)));

    assertThat(latencies(model.run(trace(0, 10), 0))).containsExactly(10L, 100L);
  }

  @Test
  void oneThatHangsEndsWhatItHasAndHoldsWhatComesUntilItWorksAgain() {
    Model model =
        model(1, "round-robin", fault(5, 0, BackendFault.HANG), fault(40, 0, BackendFault.NONE));

    ModelRun run = model.run(trace(0, 1, 6, 20, 100), 0);

    assertThat(latencies(run)).containsExactly(10L, 19L, 44L, 40L, 10L);
    assertThat(run.failed()).isEmpty();
  }

  @Test
  void whoGivesUpLeavesOneThatHangs() {
    Model model =
        model(1, "round-robin", fault(5, 0, BackendFault.HANG), fault(40, 0, BackendFault.NONE))
            .withTimeout(25);

    ModelRun run = model.run(trace(6, 30), 0);

    assertThat(run.failure(0)).contains(FailureKind.DEADLINE_EXCEEDED);
    assertThat(latencies(run)).containsExactly(-1L, 20L);
  }

  @Test
  void whatIsHeldCountsForTheLimitOfTheQueue() {
    Model model =
        model(1, "round-robin", fault(0, 0, BackendFault.HANG), fault(40, 0, BackendFault.NONE))
            .withQueueing(Queueing.FIFO.withLimit(2));

    ModelRun run = model.run(trace(1, 2, 3), 0);

    assertThat(run.failure(2)).contains(FailureKind.SHED);
    assertThat(latencies(run)).containsExactly(49L, 58L, -1L);
  }

  @Test
  void oneThatHangsForEverIsAnErrorIfNobodyGivesUp() {
    Model model = model(1, "round-robin", fault(0, 0, BackendFault.HANG));

    assertThatIllegalStateException()
        .isThrownBy(() -> model.run(trace(1), 0))
        .withMessageContaining("hang for ever");
  }

  @Test
  void oneThatRefusesLosesWhatItHasAndIsAsNewAfterwards() {
    Model model =
        model(1, "round-robin", fault(15, 0, BackendFault.REFUSE), fault(30, 0, BackendFault.NONE));

    // Done at 10; in service and waiting at 15; refused; served at once.
    ModelRun run = model.run(trace(0, 1, 2, 20, 30), 0);

    assertThat(latencies(run)).containsExactly(10L, -1L, -1L, -1L, 10L);
    assertThat(run.failed()).containsExactly(Map.entry("connect-failed", 3L));
  }

  @Test
  void whatWasHeldIsLostToOneThatRefuses() {
    Model model =
        model(1, "round-robin", fault(0, 0, BackendFault.HANG), fault(9, 0, BackendFault.REFUSE));

    assertThat(model.run(trace(1, 2), 0).failed()).containsEntry("connect-failed", 2L);
  }

  @Test
  void oneThatClosesOrAnswersWithAnErrorStillServesWhatItHad() {
    for (BackendFault fault : List.of(BackendFault.CLOSE, STATUS)) {
      ModelRun run = model(1, "round-robin", fault(5, 0, fault)).run(trace(0, 1, 6), 0);

      assertThat(latencies(run)).containsExactly(10L, 19L, -1L);
      assertThat(run.failure(2))
          .contains(fault.equals(STATUS) ? FailureKind.ERROR_STATUS : FailureKind.BACKEND_CLOSED);
    }
  }

  /// Five requests in 40 ns, one each 8: an answer of 0 ns leaves it idle, so it is picked again.
  @Test
  void fastErrorsAttractLeastConn() {
    Model model = model(2, "least-conn", fault(0, 0, STATUS));

    ModelRun run = model.run(trace(1, 2, 3, 4, 5, 6, 7, 8), 3);

    // b1 is busy from its first on; then all go to b0.
    int first = backends(run).indexOf(1);
    assertThat(backends(run).subList(first + 1, 8)).containsOnly(0).hasSizeGreaterThan(2);
  }

  @Test
  void whoLeavesEndsWhatItHasAndIsNotPickedUntilItJoinsAgain() {
    Model model = model(3, "round-robin", at(5, new Change.Leave(1)), at(50, new Change.Join(1)));

    ModelRun run = model.run(trace(0, 1, 2, 10, 11, 12, 13, 60, 61, 62), 0);

    assertThat(backends(run).subList(0, 3)).containsExactly(0, 1, 2);
    assertThat(backends(run).subList(3, 7)).containsOnly(0, 2);
    assertThat(backends(run).subList(7, 10)).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(run.latencyNanos(1)).isEqualTo(10);
  }

  @Test
  void theLastOneMayLeaveAndThenNobodyIsPicked() {
    Model model = model(1, "least-conn", at(5, new Change.Leave(0)), at(20, new Change.Join(0)));

    ModelRun run = model.run(trace(0, 10, 30), 0);

    assertThat(run.failure(1)).contains(FailureKind.NO_BACKEND);
    assertThat(latencies(run)).containsExactly(10L, -1L, 10L);
  }

  /// Weights 1 and 1, then 3 and 1: four picks in a row hold the shares.
  @Test
  void anotherWeightIsAnotherShare() {
    Model model = model(2, "smooth-weighted-round-robin", at(50, new Change.Weight(0, 3)));
    long[] arrivals = new long[24];
    for (int i = 0; i < 24; i++) {
      arrivals[i] = i < 8 ? i : 50 + i;
    }

    List<Integer> picks = backends(model.run(trace(arrivals), 0));

    assertThat(Collections.frequency(picks.subList(0, 8), 1)).isEqualTo(4);
    assertThat(Collections.frequency(picks.subList(8, 24), 1)).isEqualTo(4);
  }

  @Test
  void aRestartBeginsAnewWithOtherCoins() {
    Model model = model(8, "random", at(50, new Change.Restart()));
    long[] arrivals = new long[40];
    for (int i = 0; i < 40; i++) {
      arrivals[i] = i < 20 ? i : 50 + i;
    }

    List<Integer> picks = backends(model.run(trace(arrivals), 7));

    assertThat(picks.subList(20, 40)).isNotEqualTo(picks.subList(0, 20));
    Model again = model(8, "random");
    assertThat(backends(again.run(trace(arrivals), Change.Restart.seed(7, 1))).subList(0, 20))
        .isEqualTo(picks.subList(20, 40));
  }

  @Test
  void aRestartKeepsTheCountsAndAStaleViewIsFreshAgain() {
    Model model =
        new Model(
                BackendSet.ofSize(2),
                List.of(1.0, 1.0),
                Algorithms.builtIn().parse("least-conn", 1_000),
                ViewSpec.parse("shared-stale(refresh=1000ns)", 1_000))
            .withChanges(List.of(at(50, new Change.Restart())));
    long[] arrivals = new long[12];
    for (int i = 0; i < 12; i++) {
      arrivals[i] = i < 8 ? i : 50 + i;
    }
    long[] services = new long[12];
    Arrays.fill(services, 500);

    List<Integer> picks = backends(model.run(Trace.of(1, arrivals, new int[12], services), 1));

    // Until 50 the copy shows two idle ones; the one of 50 shows who has less.
    long first = Collections.frequency(picks.subList(0, 8), 0);
    assertThat(first).isNotEqualTo(4);
    assertThat(picks.subList(8, 12)).containsOnly(first > 4 ? 1 : 0);
  }

  /// What a log of the run says is what happened: one installation more for each proxy, and one
  /// update of the set.
  @Test
  void allProxiesAreChangedAtOnce() {
    Model model = model(2, "round-robin", at(5, new Change.Leave(1)), at(6, new Change.Restart()));
    DispatchLog log = new DispatchLog(16);

    model.run(
        Trace.of(3, new long[] {0, 9}, new int[] {0, 2}, new long[] {1, 1}),
        0,
        Refreshes.none(),
        log);

    List<String> events = new ArrayList<>();
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.INSTALL || kind == DispatchLog.Kind.UPDATE) {
            events.add(kind + " " + proxy + " " + nanos);
          }
        });
    assertThat(events)
        .containsExactly(
            "INSTALL 0 0",
            "INSTALL 1 0",
            "INSTALL 2 0",
            "UPDATE 0 5",
            "UPDATE 1 5",
            "UPDATE 2 5",
            "INSTALL 0 6",
            "INSTALL 1 6",
            "INSTALL 2 6");
  }

  /// Every request has one end, whatever is done to the backends, with balancers that listen to
  /// them, ask them, or make requests wait.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "least-conn",
        "join-idle-queue",
        "prequal",
        "ring-hash",
        "p2c(metric=reported-utilisation)",
        "limit(of=least-conn,n=3)",
        "outlier-ejection(of=p2c)",
        "slow-start(of=least-conn)",
        "round-robin",
        "maglev"
      })
  void everyRequestHasOneEnd(String algorithm) {
    long unit = 1_000_000;
    List<Change.Timed> changes = new ArrayList<>();
    List<BackendFault> faults =
        List.of(BackendFault.HANG, BackendFault.REFUSE, BackendFault.CLOSE, STATUS);
    for (int i = 0; i < 40; i++) {
      int backend = i % 4;
      long start = (10 + 20L * i) * unit;
      changes.add(fault(start, backend, faults.get(i % 4)));
      changes.add(at(start + unit, new Change.Speed((backend + 1) % 4, 1 + 0.5 * (i % 3))));
      changes.add(at(start + 2 * unit, new Change.Leave((backend + i / 4) % 4)));
      changes.add(at(start + 3 * unit, new Change.Weight((backend + 2) % 4, 1 + i % 3)));
      changes.add(fault(start + 10 * unit, backend, BackendFault.NONE));
      changes.add(at(start + 12 * unit, new Change.Join((backend + i / 4) % 4)));
      changes.add(at(start + 13 * unit, new Change.Restart()));
    }
    Model model =
        new Model(
                BackendSet.ofSize(4),
                List.of(1.0, 1.0, 1.0, 1.0),
                Algorithms.builtIn().parse(algorithm, unit),
                ViewSpec.parse(algorithm.contains("reported") ? "reported" : "local", unit))
            .withTimeout(30 * unit)
            .withChanges(changes);
    Trace trace =
        new Workload(
                ArrivalProcess.parse("poisson", 2.8, unit),
                ServiceLaw.parse("exponential"),
                3,
                3_000,
                0,
                unit)
            .trace(5);
    long[] ends = new long[2];
    DispatchListener listener =
        new DispatchListener() {
          @Override
          public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
            ends[outcome instanceof Outcome.Succeeded ? 0 : 1]++;
          }
        };

    ModelRun run = model.run(trace, 5, Refreshes.none(), listener);

    long answered = latencies(run).stream().filter(nanos -> nanos >= 0).count();
    long failed = run.failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(answered + failed).isEqualTo(3_000);
    assertThat(ends[0]).isEqualTo(answered);
    assertThat(failed).isGreaterThan(50);
    // The same again.
    assertThat(latencies(model.run(trace, 5, Refreshes.none(), DispatchListener.NONE)))
        .isEqualTo(latencies(run));
  }

  @Test
  void oneThatDoesNotWorkAnswersNoProbe() {
    Model model =
        model(2, "prequal", fault(0, 0, BackendFault.HANG), fault(90_000, 0, BackendFault.NONE));
    DispatchLog log = new DispatchLog(16);

    model.run(trace(10, 20, 30, 40, 50, 60), 1, Refreshes.none(), log);

    List<Integer> answered = new ArrayList<>();
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.PROBE_REPLY && nanos < 90_000) {
            answered.add(value);
          }
        });
    assertThat(answered).isNotEmpty().containsOnly(1);
  }

  @Test
  void whereTheSystemChangesNothingIsSaidOfItsStability() {
    Model model = model(1, "round-robin", at(4, new Change.Speed(0, 0.5)));

    assertThat(model.stability(model.run(trace(0, 1), 0), 0, 1)).isEqualTo(Stability.UNKNOWN);
  }

  @Test
  void changesAreInTheOrderOfTime() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> model(1, "random", at(5, new Change.Restart()), at(4, new Change.Restart())))
        .withMessageContaining("change 1: 4 ns");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "NaN", "Infinity"})
  void aSpeedIsAboveZero(double speed) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Change.Speed(0, speed));
  }

  @Test
  void whoIsNotThereCannotLeaveAndTheSameMembersAreNoNewSet() {
    Members members = new Members(BackendSet.ofSize(2));

    assertThat(members.make(new Change.Leave(1)).map(BackendSet::size)).contains(1);
    assertThatIllegalArgumentException().isThrownBy(() -> members.make(new Change.Leave(1)));
    assertThat(members.make(new Change.Weight(1, 5))).isEmpty();
    assertThat(members.make(new Change.Weight(0, 1))).isEmpty();
    assertThat(members.make(new Change.Restart())).isEmpty();
    Optional<BackendSet> back = members.make(new Change.Join(1));
    assertThat(back.orElseThrow().get(1).weight()).isEqualTo(5);
    assertThat(back.orElseThrow().version()).isEqualTo(3);
    assertThatIllegalArgumentException().isThrownBy(() -> members.make(new Change.Join(1)));
  }
}
