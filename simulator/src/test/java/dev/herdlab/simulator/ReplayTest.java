package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplayTest {
  private static final List<Double> SPEEDS = List.of(1.0, 2.0, 1.0);

  private static long[] latencies(ModelRun run) {
    return LongStream.range(0, run.size()).map(i -> run.latencyNanos((int) i)).toArray();
  }

  /// Two backends; service times 10, 10, 10, 4.
  private static Trace four() {
    return Trace.of(1, new long[] {0, 2, 4, 6}, new int[4], new long[] {10, 10, 10, 4});
  }

  @Test
  void ofTheModelsOwnPicksIsTheModel() {
    Trace trace =
        Trace.generate(
            11,
            20_000,
            4,
            ArrivalProcess.parse("poisson", 0.9 * 4, 1_000_000),
            ServiceLaw.parse("exponential"),
            1_000_000);
    ModelRun model =
        new Model(
                BackendSet.ofSize(3),
                SPEEDS,
                Algorithms.builtIn().parse("p2c", 1),
                new ViewSpec.Shared())
            .run(trace, 1);

    ModelRun replay =
        Replay.of(
            trace,
            SPEEDS,
            IntStream.range(0, trace.size()).map(model::backend).toArray(),
            LongStream.range(0, trace.size()).map(i -> trace.intendedNanos((int) i)).toArray());

    assertThat(latencies(replay)).isEqualTo(latencies(model));
  }

  @Test
  void queuesInTheOrderOfTheGivenArrivals() {
    // Backend 0 gets 0, 2 and, overtaking it, 3: 0-10, then 3 (arrives 6) 10-14, then 2 (arrives
    // 7).
    ModelRun replay =
        Replay.of(four(), List.of(1.0, 1.0), new int[] {0, 1, 0, 0}, new long[] {0, 2, 7, 6});

    assertThat(latencies(replay)).containsExactly(10, 10, 24 - 4, 14 - 6);
  }

  @Test
  void latencyCountsFromTheIntendedInstantThoughServiceStartsFromTheSend() {
    RunLog log =
        new RunLog(
            List.of(
                entry(0, 3, RunLog.OK, "b1"),
                entry(1, 5, "connect-failed", "b0"),
                entry(2, 9, RunLog.OK, "b0")));
    BackendSet backends = BackendSet.ofSize(2);
    List<Double> speeds = List.of(1.0, 1.0);

    ModelRun intended = Replay.of(four(), log, backends, speeds, Replay.Start.INTENDED);
    ModelRun sent = Replay.of(four(), log, backends, speeds, Replay.Start.SENT);

    // Request 1 failed and 3 was never sent: neither is replayed, and 2 does not wait for 1.
    assertThat(latencies(intended)).containsExactly(10, -1, 10, -1);
    assertThat(latencies(sent)).containsExactly(13, -1, 15, -1);
    assertThat(intended.quantiles(0, 1).p50()).isEqualTo(10);
  }

  private static RunLog.Entry entry(int request, long sent, String outcome, String backend) {
    return new RunLog.Entry(
        request,
        sent,
        sent + 100,
        outcome,
        List.of(new RunLog.Attempt(backend, 0, -1, -1, -1, -1, -1, -1, -1, -1)));
  }

  @Test
  void demandsABackendAndAnArrivalForEachRequest() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Replay.of(four(), SPEEDS, new int[3], new long[4]))
        .withMessage("replay: 3 backends, 4 arrivals (expected: 4 of each, one for each request)");
  }
}
