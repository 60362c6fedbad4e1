package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnalysisTest {
  private static final double DELAYS = SyntheticRun.DELAYS / (double) SyntheticRun.UNIT;

  private static ExecutorService executor = Executors.newSingleThreadExecutor();

  @BeforeAll
  static void start() {
    executor = Executors.newFixedThreadPool(2);
  }

  @AfterAll
  static void stop() {
    executor.shutdownNow();
  }

  private static CellResult.Comparison analyse(Measurement run) throws InterruptedException {
    return Analysis.analyse(run, executor);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "round-robin | local | 1",
        "least-conn | local | 1",
        "p2c | local | 4",
        "least-conn | shared | 4",
        "p2c | shared-stale(refresh=4) | 4",
        "least-conn | shared-stale(refresh=2,own=true,phase=random) | 16"
      })
  void aSoundRunIsValidAndItsConstantDelaysAreFoundExactly(
      String algorithm, String view, int proxies) throws InterruptedException {
    CellResult.Comparison comparison = analyse(SyntheticRun.of(algorithm, view, proxies, 7));

    assertThat(comparison.verdict().reasons()).isEmpty();
    assertThat(comparison.excess()).isEqualTo(new CellResult.Excess(DELAYS, DELAYS, 0));
    assertThat(comparison.measured().p99() - comparison.replay().p99())
        .isCloseTo(DELAYS, within(1e-9));
    assertThat(comparison.measured().mean() - comparison.replaySent().mean())
        .isCloseTo(DELAYS - SyntheticRun.SEND_LAG / (double) SyntheticRun.UNIT, within(1e-9));
    assertThat(comparison.audit()).isEqualTo(new CellResult.Audit(3000, 0));
    assertThat(comparison.accounting()).isEqualTo(new CellResult.Accounting(3000, 3000, Map.of()));
    double budget = 0;
    for (CellResult.Part part : comparison.budget().values()) {
      budget += part.mean();
    }
    assertThat(budget).isCloseTo(comparison.measured().mean(), within(1e-9));
    assertThat(comparison.instrument().sendLagP99()).isEqualTo(SyntheticRun.SEND_LAG / 1e9);
    assertThat(comparison.instrument().latenessP99()).isEqualTo(SyntheticRun.LATENESS / 1e9);
  }

  @Test
  void theHerdingIndexShowsTheHerd() throws InterruptedException {
    CellResult.Herding herd =
        analyse(SyntheticRun.of("least-conn(ties=first)", "shared-stale(refresh=2)", 16, 7))
            .herding();
    CellResult.Herding turns = analyse(SyntheticRun.of("round-robin", "local", 1, 7)).herding();

    // With first ties all picks of an interval go to one backend, but for those between an
    // interval's start and its copy: none here, copies come before arrivals.
    assertThat(herd.index()).isEqualTo(1);
    assertThat(herd.underRandom()).isBetween(0.2, 0.4);
    assertThat(turns.index()).isLessThan(turns.underRandom());
  }

  @Test
  void failedRequestsAreAccountedByCauseAndMakeTheRunInvalid() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("p2c", "local", 4, 7),
            entry ->
                entry.request() % 1000 == 500
                    ? new RunLog.Entry(
                        entry.request(),
                        entry.sentNanos(),
                        entry.doneNanos(),
                        "backend-closed",
                        List.of(SyntheticRun.lost(entry.last())))
                    : entry);

    CellResult.Comparison comparison = analyse(run);

    assertThat(comparison.accounting())
        .isEqualTo(new CellResult.Accounting(3000, 2997, Map.of("backend-closed", 3L)));
    assertThat(comparison.verdict().reasons())
        .containsExactly("3 requests failed: {backend-closed=3} (bound: 0).");
  }

  @Test
  void aRequestWithoutAnEndBreaksTheAccounting() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("p2c", "local", 4, 7),
            entry ->
                entry.request() == 1234
                    ? new RunLog.Entry(1234, entry.sentNanos(), -1, RunLog.OK, entry.attempts())
                    : entry);

    assertThat(analyse(run).verdict().reasons())
        .containsExactly(
            "3000 requests were sent, but 2999 completed and 0 failed (bound: equal sums).",
            "1 request succeeded without a backend's name or complete stamps in order of time"
                + " (bound: 0).");
  }

  @Test
  void aRequestThatFailedBeforeItWasWrittenIsAccounted() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("p2c", "local", 4, 7),
            entry ->
                entry.request() == 1234
                    ? new RunLog.Entry(1234, -1, 5, "client-connect-failed", List.of())
                    : entry);

    assertThat(analyse(run).accounting())
        .isEqualTo(new CellResult.Accounting(3000, 2999, Map.of("client-connect-failed", 1L)));
  }

  @Test
  void whatTheAuditsFindIsAReasonEach() throws InterruptedException {
    Measurement run = SyntheticRun.of("round-robin", "local", 1, 7);
    DispatchLog broken = new DispatchLog(16);
    int[] picks = {0};
    run.dispatches()
        .forEach(
            (kind, proxy, value, argument, nanos) -> {
              boolean leaked = kind == DispatchLog.Kind.SUCCESS && argument == 100;
              boolean wrong = kind == DispatchLog.Kind.PICK && picks[0]++ == 250;
              if (!leaked) {
                broken.append(kind, proxy, wrong ? (value + 1) % 8 : value, argument, nanos);
              }
            });

    List<String> reasons =
        analyse(
                SyntheticRun.with(
                    SyntheticRun.with(run, broken),
                    entry ->
                        entry.request() == 2500
                            ? new RunLog.Entry(
                                2500,
                                entry.sentNanos(),
                                entry.doneNanos() + 1_000,
                                entry.outcome(),
                                List.of(later(entry.last(), 1_000)))
                            : entry))
            .verdict()
            .reasons();

    assertThat(reasons)
        .satisfiesExactly(
            leak -> assertThat(leak).isEqualTo("1 pick was never completed (bound: 0)."),
            pick -> assertThat(pick).startsWith("1 of 3000 picks differs from a fresh balancer's"),
            route -> assertThat(route).startsWith("1 of 3000 requests was not served where"),
            // A request that waits for its turn does not start later because it came later.
            stub -> assertThat(stub).matches("[12] of 3000 services contradicts? .*"));
  }

  @Test
  void lostResponsesLeavePicksWithoutStamps() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("p2c", "local", 4, 7),
            entry ->
                entry.request() == 1234
                    ? new RunLog.Entry(1234, entry.sentNanos(), 5, "client-timeout", List.of())
                    : entry);

    assertThat(analyse(run).verdict().reasons())
        .containsExactly(
            "1 request failed: {client-timeout=1} (bound: 0).",
            "1 pick has no request with its stamps, or the reverse (bound: 0).");
  }

  @Test
  void aRunThatWasStoppedEarlyIsNotValid() throws InterruptedException {
    Measurement whole = SyntheticRun.of("p2c", "local", 1, 7);
    Measurement stopped =
        new Measurement(
            whole.plan(),
            whole.trace(),
            new RunLog(whole.run().entries().subList(0, 2000)),
            whole.dispatches(),
            whole.algorithm(),
            whole.view(),
            whole.backends(),
            whole.readings());

    assertThat(analyse(stopped).verdict().reasons())
        .contains("2000 of 3000 planned requests were sent (bound: all).");
  }

  @Test
  void lateSendsAreAReason() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("round-robin", "local", 1, 7),
            entry ->
                entry.request() % 50 == 0
                    ? new RunLog.Entry(
                        entry.request(),
                        entry.sentNanos() + 1_000_000,
                        entry.doneNanos() + 1_000_000,
                        entry.outcome(),
                        List.of(later(entry.last(), 1_000_000)))
                    : entry);

    assertThat(analyse(run).verdict().reasons())
        .anyMatch(
            reason -> reason.equals("The send lag's p99 is 10.11 % of a unit (bound: 5.00 %)."));
  }

  @Test
  void lateCompletionsAreAReason() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("round-robin", "local", 1, 7),
            entry ->
                entry.request() % 50 == 0
                    ? new RunLog.Entry(
                        entry.request(),
                        entry.sentNanos(),
                        entry.doneNanos() + 1_000_000,
                        entry.outcome(),
                        List.of(deliveredLater(entry.last(), 1_000_000)))
                    : entry);

    assertThat(analyse(run).verdict().reasons())
        .containsExactly("The backends' lateness p99 is 10.07 % of a unit (bound: 5.00 %).");
  }

  @Test
  void aSlowScheduleIsAReason() throws InterruptedException {
    // One percent slower: the last of 470 units is sent about 4.7 units late.
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("round-robin", "local", 1, 7),
            entry ->
                new RunLog.Entry(
                    entry.request(),
                    entry.sentNanos() + entry.sentNanos() / 100,
                    entry.doneNanos(),
                    entry.outcome(),
                    entry.attempts()));

    assertThat(analyse(run).verdict().reasons())
        .contains("The achieved rate is 99.01 % of the planned one (bound: 100 +/- 0.25 %).");
  }

  @Test
  void whatTheMachineDidIsAReasonEach() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("round-robin", "local", 1, 7),
            new Readings(
                18_000_000, 0.333, 1, 19_000_000, 1, 7, "default", Optional.of("Boom: at last")));

    CellResult.Comparison comparison = analyse(run);

    assertThat(comparison.instrument().connectionsOpened()).isEqualTo(7);
    assertThat(comparison.verdict().reasons())
        .satisfiesExactly(
            reason ->
                assertThat(reason).startsWith("The longest stall of the machine is 1.80 units"),
            reason ->
                assertThat(reason).startsWith("The collector's pauses, summed, are 1.90 units"),
            reason ->
                assertThat(reason).isEqualTo("Other processes took 0.33 cores (bound: 0.10)."),
            reason ->
                assertThat(reason)
                    .isEqualTo("A task of a loop failed: Boom: at last (bound: none)."),
            reason ->
                assertThat(reason).isEqualTo("1 request was in flight at the end (bound: 0)."));
  }

  @Test
  void aRunOfFailuresAloneIsAnalysedAndNotValid() throws InterruptedException {
    Measurement run =
        SyntheticRun.with(
            SyntheticRun.of("p2c", "local", 1, 7),
            entry ->
                new RunLog.Entry(
                    entry.request(), entry.sentNanos(), -1, "client-timeout", List.of()));

    CellResult.Comparison comparison = analyse(run);

    assertThat(comparison.measured().p50()).isNaN();
    assertThat(comparison.verdict().reasons())
        .contains(
            "No request after the warm-up succeeded (bound: at least one).",
            "3000 requests failed: {client-timeout=3000} (bound: 0).");
  }

  static RunLog.Attempt later(RunLog.Attempt attempt, long by) {
    return new RunLog.Attempt(
        attempt.backend(),
        attempt.proxy(),
        attempt.proxyReceivedNanos() + by,
        attempt.pickedNanos() + by,
        attempt.forwardedNanos() + by,
        attempt.backendReceivedNanos() + by,
        attempt.startNanos() + by,
        attempt.finishNanos() + by,
        attempt.deliveredNanos() + by,
        attempt.returnedNanos() + by);
  }

  private static RunLog.Attempt deliveredLater(RunLog.Attempt attempt, long by) {
    return new RunLog.Attempt(
        attempt.backend(),
        attempt.proxy(),
        attempt.proxyReceivedNanos(),
        attempt.pickedNanos(),
        attempt.forwardedNanos(),
        attempt.backendReceivedNanos(),
        attempt.startNanos(),
        attempt.finishNanos(),
        attempt.deliveredNanos() + by,
        attempt.returnedNanos() + by);
  }
}
