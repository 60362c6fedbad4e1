package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.DispatchLog.Kind;
import dev.herdlab.lab.result.CellResult;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A cell that began under the load of another one, with its queues.
final class SwitchTest {
  private static ExecutorService executor = Executors.newSingleThreadExecutor();

  @BeforeAll
  static void start() {
    executor = Executors.newFixedThreadPool(2);
  }

  @AfterAll
  static void stop() {
    executor.shutdownNow();
  }

  private static final class Cells {
    static final String STALE = "shared-stale(refresh=2)";
    static final TwoPhases P2C = new TwoPhases("p2c", "local", 3);
  }

  private static long[] excess(Measurement run) {
    Sample sample = Sample.of(run);
    long[] replay =
        sample.members(
            AttemptReplay.latencies(
                run.trace(),
                run.run(),
                run.backends(),
                run.plan().speeds(),
                run.plan().serving(),
                run.algorithm().limit(),
                List.of(),
                AttemptReplay.From.INTENDED));
    for (int i = 0; i < replay.length; i++) {
      replay[i] = sample.latencyNanos(i) - replay[i];
    }
    return replay;
  }

  private static List<String> reasons(Measurement run) throws InterruptedException {
    return Analysis.analyse(run, executor).verdict().reasons();
  }

  /// What becomes of one event in a copy of the record.
  private interface Change {
    void event(DispatchLog copy, Kind kind, int proxy, int value, long argument, long nanos);
  }

  private static Measurement changed(Measurement run, Change change) {
    DispatchLog copy = new DispatchLog(16);
    run.dispatches()
        .forEach(
            (kind, proxy, value, argument, nanos) ->
                change.event(copy, kind, proxy, value, argument, nanos));
    return SyntheticRun.with(run, copy);
  }

  @Test
  void theReplayWithCarriedQueuesIsExact() {
    long[] excess = excess(Cells.P2C.measured());

    assertThat(excess).hasSize(TwoPhases.REQUESTS - TwoPhases.WARMUP);
    assertThat(excess).containsOnly(SyntheticRun.DELAYS);
    assertThat(Arrays.stream(excess(Cells.P2C.withoutWhatIsCarried())).max().orElse(0))
        .isGreaterThan(SyntheticRun.UNIT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "round-robin | local",
        "p2c | local",
        "least-conn | shared",
        "p2c | shared-stale(refresh=2)",
        "least-conn(ties=first) | shared-stale(refresh=2,own=true)"
      })
  void theTwinWithTheMeasuredCoinsMakesTheMeasuredPicksOfTheCell(String algorithm, String view) {
    TwoPhases phases = new TwoPhases(algorithm, view, 3);

    assertThat(different(phases.measured())).isZero();
    if (!algorithm.equals("round-robin")) {
      assertThat(different(phases.withoutWhatIsCarried())).isPositive();
    }
  }

  /// Picks that the twin with the measured run's seed makes otherwise.
  private static long different(Measurement run) {
    Switches switches = Switches.of(run);
    DispatchLog own = new DispatchLog(16);
    TwinModel.of(run, switches).latencies(run.plan().seed(), own);
    return PickSequences.different(
        PickSequences.measured(run, switches),
        PickSequences.modelled(run, own),
        PickSequences.mayBeCutShort(run));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "round-robin | local",
        "p2c | local",
        "least-conn | shared",
        "p2c | shared-stale(refresh=2,own=true)"
      })
  void aCellBetweenOthersIsValidThoughItsRecordEndsUnderLoad(String algorithm, String view)
      throws InterruptedException {
    TwoPhases phases = new TwoPhases(algorithm, view, 3);
    Measurement run = phases.measured();
    // Until one unit into the next phase: with picks of requests that are not this cell's.
    long end = run.trace().lastIntendedNanos() + SyntheticRun.UNIT;
    Measurement cut = SyntheticRun.with(run, TwoPhases.until(end, run.dispatches()));

    CellResult.Comparison comparison = Analysis.analyse(cut, executor);

    assertThat(comparison.verdict().reasons()).isEmpty();
    assertThat(comparison.accounting().sent()).isEqualTo(TwoPhases.REQUESTS);
    assertThat(comparison.excess().negative()).isZero();
    double delays = SyntheticRun.DELAYS / (double) SyntheticRun.UNIT;
    assertThat(comparison.excess()).isEqualTo(new CellResult.Excess(delays, delays, 0));
    if (algorithm.equals("round-robin")) {
      assertThat(comparison.twin().agrees()).isTrue();
    }
    Conditions quiet =
        new Conditions(
            TwoPhases.CARRIED,
            phases.epochNanos,
            Conditions.Clocks.ONE,
            Conditions.Board.MEMORY,
            Conditions.End.QUIET);
    assertThat(reasons(SyntheticRun.with(cut, quiet)))
        .anyMatch(reason -> reason.endsWith("never completed (bound: 0)."));
  }

  @Test
  void aLeaseThatOutlivesTheCellIsALeak() throws InterruptedException {
    Measurement run = Cells.P2C.measured();
    long[] kept = {-1};
    Measurement leaking =
        changed(
            run,
            (copy, kind, proxy, value, argument, nanos) -> {
              if (kind == Kind.LEASE && proxy == 2 && kept[0] < 0) {
                kept[0] = argument;
              }
              if (kind != Kind.SUCCESS || proxy != 2 || argument != kept[0]) {
                copy.append(kind, proxy, value, argument, nanos);
              }
            });

    assertThat(reasons(leaking)).contains("1 pick was never completed (bound: 0).");
  }

  @Test
  void anEndOfAPickThatNobodyKnowsIsADifference() throws InterruptedException {
    Measurement run = Cells.P2C.measured();
    Measurement unknown =
        changed(
            run,
            (copy, kind, proxy, value, argument, nanos) -> {
              if (kind != Kind.LEASE || proxy != 2) {
                copy.append(kind, proxy, value, argument, nanos);
              }
            });

    assertThat(reasons(unknown)).anyMatch(reason -> reason.contains("which is not in flight"));
  }

  @Test
  void aSwitchBySomebodyElseIsAReason() throws InterruptedException {
    TwoPhases phases = Cells.P2C;
    long middle = phases.epochNanos + 150 * SyntheticRun.UNIT;
    boolean[] done = {false};
    Measurement meddled =
        changed(
            phases.measured(),
            (copy, kind, proxy, value, argument, nanos) -> {
              if (!done[0] && nanos >= middle) {
                done[0] = true;
                copy.append(Kind.INSTALL, 3, 0, 0, middle);
              }
              copy.append(kind, proxy, value, argument, nanos);
            });

    assertThat(reasons(meddled))
        .contains(
            "1 time somebody else switched a proxy during the cell, first: proxy 3 was given another"
                + " balancer at "
                + middle
                + " ns (bound: 0).");
  }

  @Test
  void aSwitchInTheMidstOfTheSampleIsAReason() throws InterruptedException {
    Measurement run = Cells.P2C.measured();
    long late = run.trace().intendedNanos(run.firstSampled()) + 1;
    Measurement lateOne =
        changed(
            run,
            (copy, kind, proxy, value, argument, nanos) -> {
              if (proxy != 1 || nanos >= late) {
                copy.append(kind, proxy, value, argument, nanos);
              } else if (kind == Kind.INSTALL && nanos > 0) {
                copy.append(kind, proxy, value, argument, late);
              }
            });

    assertThat(reasons(lateOne))
        .contains(
            "1 proxy was switched when the sample had begun, first: proxy 1 was switched at "
                + late
                + " ns (bound: 0).");
  }

  @Test
  void aProxyThatWasNeverSwitchedIsAReason() throws InterruptedException {
    Measurement never =
        changed(
            Cells.P2C.measured(),
            (copy, kind, proxy, value, argument, nanos) -> {
              if (proxy != 1 || kind != Kind.INSTALL) {
                copy.append(kind, proxy, value, argument, nanos);
              }
            });

    assertThat(reasons(never))
        .contains(
            "1 proxy has no installation of its balancer on record, first: proxy 1 has no"
                + " installation on record (bound: 0).");
  }

  @Test
  void aChangeOfTheBackendsIsAReasonAndNoAvalancheOfDifferences() throws InterruptedException {
    TwoPhases phases = Cells.P2C;
    long middle = phases.epochNanos + 150 * SyntheticRun.UNIT;
    boolean[] done = {false};
    Measurement changed =
        changed(
            phases.measured(),
            (copy, kind, proxy, value, argument, nanos) -> {
              if (!done[0] && nanos >= middle) {
                done[0] = true;
                for (int p = 0; p < TwoPhases.PROXIES; p++) {
                  copy.append(Kind.UPDATE, p, 0, 2, middle);
                }
              }
              copy.append(kind, proxy, value, argument, nanos);
            });

    assertThat(reasons(changed))
        .containsExactly(
            "4 times a proxy's backends changed during the cell, first: proxy 0 had other backends"
                + " from "
                + middle
                + " ns on (bound: 0).");
  }

  @Test
  void anEarlierInstallationIsNotTheSwitch() {
    Measurement run = Cells.P2C.measured();

    Switches switches = Switches.of(run);

    assertThat(switches.instants()).isEqualTo(Cells.P2C.switches);
    assertThat(switches.first()).isEmpty();
    // Of what was before nothing is left.
    switches
        .dispatches()
        .forEach(
            (kind, proxy, value, argument, nanos) -> {
              if (kind != Kind.SNAPSHOT && kind != Kind.COUNT) { // these tell when they were true
                assertThat(nanos).isGreaterThanOrEqualTo(Cells.P2C.switches[proxy]);
              }
            });
  }

  @Test
  void aCountThatIsNotTheTruthOfItsMomentIsADifference() {
    Measurement run = new TwoPhases("p2c", Cells.STALE, 3).measured();
    int[] counts = {0};
    Measurement tampered =
        changed(
            run,
            (copy, kind, proxy, value, argument, nanos) ->
                copy.append(
                    kind,
                    proxy,
                    value,
                    kind == Kind.COUNT && counts[0]++ == 700 ? argument + 1 : argument,
                    nanos));

    assertThat(PickAudit.of(run, Switches.of(run)).different()).isZero();
    PickAudit audit = PickAudit.of(tampered, Switches.of(tampered));
    assertThat(audit.different()).isPositive();
    assertThat(audit.first().orElseThrow())
        .matches("proxy 0 at \\d+ ns: copy \\d+ has \\d+ on b\\d \\(expected: \\d+ in flight\\)");
  }
}
