package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Retries, their budget and hedges in the model.
class AttemptsTest {
  private static final long UNIT = 1_000_000;
  private static final AttemptPolicy.Hedge NEVER = AttemptPolicy.Hedge.NEVER;

  private static AttemptPolicy retries(int retries) {
    return new AttemptPolicy(retries, AttemptPolicy.Budget.NONE, NEVER);
  }

  private static AttemptPolicy hedge(AttemptPolicy.Hedge hedge) {
    return new AttemptPolicy(0, AttemptPolicy.Budget.NONE, hedge);
  }

  private static Model model(String algorithm, int backends, AttemptPolicy policy) {
    return new Model(
            BackendSet.ofSize(backends),
            Collections.nCopies(backends, 1.0),
            Algorithms.builtIn().parse(algorithm, UNIT),
            new ViewSpec.Local())
        .withAttempts(policy);
  }

  private static Change.Timed fault(int backend, BackendFault fault) {
    return new Change.Timed(0, new Change.Fault(backend, fault));
  }

  private static Workload workload(double rate, int requests) {
    return new Workload(
        ArrivalProcess.parse("poisson", rate, UNIT),
        ServiceLaw.parse("exponential"),
        TenantLaw.parse("none"),
        1,
        ProxyLaw.UNIFORM,
        requests,
        0,
        UNIT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "round-robin", "least-conn", "p2c", "edf", "ring-hash"})
  void aRetryGoesToAnotherBackend(String algorithm) {
    Trace trace =
        new Workload(
                ArrivalProcess.parse("poisson", 2, UNIT),
                ServiceLaw.parse("exponential"),
                TenantLaw.parse("uniform(n=100)"),
                2,
                ProxyLaw.UNIFORM,
                2000,
                0,
                UNIT)
            .trace(1);
    ModelRun run =
        model(algorithm, 4, retries(1))
            .withChanges(List.of(fault(2, BackendFault.parse("status=500"))))
            .run(trace, 1);

    assertThat(run.failed()).isEmpty();
    AttemptCounts counts = run.attempts();
    assertThat(counts.retries()).isPositive();
    assertThat(counts.attempts()).isEqualTo(2000 + counts.retries());
    assertThat(run.shares(0).get(2) * counts.attempts())
        .as("of all picks those on the failing backend are the ones that were retried")
        .isCloseTo((double) counts.retries(), within(1e-6));
  }

  @Test
  void asManyRetriesAsThereMayBe() {
    List<Change.Timed> all =
        List.of(
            fault(0, BackendFault.REFUSE),
            fault(1, BackendFault.CLOSE),
            fault(2, BackendFault.REFUSE));
    Trace trace = workload(1, 100).trace(1);
    ModelRun two = model("round-robin", 3, retries(2)).withChanges(all).run(trace, 1);
    ModelRun five = model("round-robin", 3, retries(5)).withChanges(all).run(trace, 1);

    assertThat(two.failed().values()).containsExactly(100L);
    assertThat(two.attempts()).isEqualTo(new AttemptCounts(300, 200, 0, 0, 0));
    assertThat(five.attempts().retries()).isEqualTo(500);
  }

  @Test
  void aBudgetBoundsThemByTheRequests() {
    Trace trace = workload(2, 4000).trace(1);
    Model failing =
        model("round-robin", 2, new AttemptPolicy(3, new AttemptPolicy.Budget(0.2), NEVER))
            .withChanges(List.of(fault(0, BackendFault.REFUSE), fault(1, BackendFault.REFUSE)));
    AttemptCounts counts = failing.run(trace, 1).attempts();

    // All within ten seconds: the reserve of 100, and a fifth of the requests.
    assertThat(counts.retries()).isEqualTo(100 + 800);
    assertThat(counts.overBudget()).isPositive();
  }

  @Test
  void aHedgeThatWinsGivesTheOthersServerTimeBack() {
    // Request 0 takes 10 units at b0, from 0 on; its hedge, at 2, takes 5 at b1 and wins at 7. So
    // b0
    // is free for request 1 at 7, before that one is hedged at 7.5.
    long[] intended = {0, 5 * UNIT + UNIT / 2};
    long[] service = {10 * UNIT, UNIT * 4 / 10};
    Trace trace = Trace.of(1, intended, new int[2], service);
    Model model =
        new Model(
                BackendSet.ofSize(2),
                List.of(1.0, 2.0),
                Algorithms.builtIn().parse("round-robin", UNIT),
                new ViewSpec.Local())
            .withAttempts(hedge(new AttemptPolicy.Hedge.After(2 * UNIT)));
    ModelRun run = model.run(trace, 1);

    assertThat(run.attempts()).isEqualTo(new AttemptCounts(3, 0, 1, 1, 0));
    assertThat(run.latencyNanos(0)).isEqualTo(7 * UNIT);
    assertThat(run.backend(0)).isEqualTo(1);
    assertThat(run.latencyNanos(1)).isEqualTo(UNIT * 19 / 10);
    assertThat(run.shares(0)).containsExactly(2.0 / 3, 1.0 / 3);
  }

  @Test
  void nothingIsLeftInFlightAndEachLeaseEndsOnce() {
    Trace trace = workload(3, 5000).trace(3);
    DispatchLog log = new DispatchLog(10);
    ModelRun run =
        model(
                "p2c",
                4,
                new AttemptPolicy(
                    2, new AttemptPolicy.Budget(0.1), new AttemptPolicy.Hedge.Percentile(90)))
            .withQueueing(new Queueing(Queueing.Discipline.FIFO, 1, 4))
            .withTimeout(6 * UNIT)
            .withChanges(List.of(fault(1, BackendFault.CLOSE)))
            .run(trace, 7, Refreshes.none(), log);

    long[] ended = new long[3];
    long[] picks = new long[2];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          switch (kind) {
            case PICK -> picks[0]++;
            case SUCCESS -> ended[0]++;
            case FAILURE -> ended[1]++;
            case CANCELLATION -> ended[2]++;
            default -> {}
          }
        });
    AttemptCounts counts = run.attempts();
    assertThat(picks[0]).isEqualTo(counts.attempts()).isEqualTo(ended[0] + ended[1] + ended[2]);
    long failed = run.failed().values().stream().mapToLong(Long::longValue).sum();
    assertThat(ended[0]).as("one success each").isEqualTo(5000 - failed);
    assertThat(counts.attempts())
        .as("a first attempt each, retries and hedges")
        .isEqualTo(5000 + counts.retries() + counts.hedges());
    assertThat(counts.hedgesWon()).isPositive();
    assertThat(ended[2]).as("cancelled: those that lost").isPositive();
    assertThat(counts.retries()).isPositive();
  }

  @Test
  void aPercentileHedgesItsOwnShareOfTheRequests() {
    Trace trace = workload(4, 20_000).trace(1);
    AttemptCounts counts =
        model("p2c", 8, hedge(new AttemptPolicy.Hedge.Percentile(90))).run(trace, 1).attempts();

    // From the 100th answer on a tenth: 1990 of 19 900. The percentile is that of 500 values, whose
    // share is off by 13 % each time, and successive ones overlap: five such of the mean over 40.
    assertThat((double) counts.hedges()).isBetween(1990 * 0.85, 1990 * 1.15);
  }

  @Test
  void hedgesShortenTheTail() {
    Trace trace = workload(4, 20_000).trace(1);
    Quantiles none = model("random", 8, AttemptPolicy.NONE).run(trace, 1).quantiles(1000, UNIT);
    Quantiles hedged =
        model("random", 8, hedge(new AttemptPolicy.Hedge.Percentile(90)))
            .run(trace, 1)
            .quantiles(1000, UNIT);

    assertThat(hedged.p99()).isLessThan(0.9 * none.p99());
  }

  @Test
  void withoutAPolicyNothingIsCountedAndNothingChanged() {
    Trace trace = workload(3, 2000).trace(1);
    Model plain = model("p2c", 4, AttemptPolicy.NONE);
    ModelRun run = plain.run(trace, 1);

    assertThat(run.attempts()).isEqualTo(AttemptCounts.NONE);
    assertThat(model("p2c", 4, retries(3)).run(trace, 1).quantiles(0, UNIT))
        .as("where nothing fails, retries change nothing")
        .isEqualTo(run.quantiles(0, UNIT));
  }
}
