package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AttemptReplayTest {
  private static final BackendSet TWO = BackendSet.ofSize(2);

  private static Trace trace(long[] intended, long[] service) {
    return Trace.of(1, intended, new int[intended.length], service);
  }

  /// An attempt that was picked and arrived at these instants (-1: never seen to arrive).
  private static RunLog.Attempt attempt(String backend, long picked, long arrived) {
    return new RunLog.Attempt(backend, 0, picked, picked, picked, arrived, -1, -1, -1, -1);
  }

  private static RunLog.Entry ok(int request, long sent, RunLog.Attempt... attempts) {
    return new RunLog.Entry(request, sent, 1_000_000, RunLog.OK, List.of(attempts));
  }

  private static RunLog.Entry failed(int request, long sent, RunLog.Attempt... attempts) {
    return new RunLog.Entry(request, sent, 1_000_000, "backend-closed", List.of(attempts));
  }

  private static long[] replay(Trace trace, AttemptReplay.From from, RunLog.Entry... entries) {
    return replay(trace, ConfiguredAlgorithm.NO_LIMIT, from, entries);
  }

  private static long[] replay(
      Trace trace, int limit, AttemptReplay.From from, RunLog.Entry... entries) {
    return AttemptReplay.latencies(
        trace,
        new RunLog(List.of(entries)),
        TWO,
        List.of(1.0, 2.0),
        Serving.PLAIN,
        limit,
        List.of(),
        from);
  }

  /// Proxy 0's second request waits there for its first to end, at 100; proxy 1's, which came
  /// later, is served before it.
  @Test
  void underALimitARequestWaitsForItsBackendAtItsProxy() {
    Trace trace =
        Trace.of(2, new long[] {0, 10, 20}, new int[] {0, 0, 1}, new long[] {100, 50, 30});
    RunLog.Entry[] entries = {
      ok(0, 0, attempt("b0", 1, 2)),
      ok(1, 10, attempt("b0", 100, 110)),
      ok(2, 20, attempt("b0", 21, 22)),
    };

    assertThat(replay(trace, 1, AttemptReplay.From.INTENDED, entries))
        .containsExactly(100, 170, 110);
    assertThat(replay(trace, 2, AttemptReplay.From.INTENDED, entries))
        .containsExactly(100, 140, 160);
  }

  @Test
  void servesInTheOrderOfIntendedInstantsWhateverTheSocketsDid() {
    long[] latencies =
        replay(
            trace(new long[] {0, 10}, new long[] {100, 100}),
            AttemptReplay.From.INTENDED,
            ok(0, 0, attempt("b0", 50, 60)),
            ok(1, 10, attempt("b0", 20, 30)));

    assertThat(latencies).containsExactly(100, 190);
  }

  @Test
  void whoGivesUpFreesItsBackendAtItsLimit() {
    Serving serving = new Serving(Queueing.FIFO, 60);
    RunLog run =
        new RunLog(
            List.of(
                new RunLog.Entry(0, 2, 70, "deadline-exceeded", List.of(attempt("b0", 3, -1))),
                ok(1, 10, attempt("b0", 20, 30)),
                new RunLog.Entry(2, 11, 20, "shed", List.of(attempt("b0", 12, -1)))));

    long[] latencies =
        AttemptReplay.latencies(
            trace(new long[] {0, 10, 11}, new long[] {100, 100, 100}),
            run,
            TWO,
            List.of(1.0, 2.0),
            serving,
            ConfiguredAlgorithm.NO_LIMIT,
            List.of(),
            AttemptReplay.From.INTENDED);

    // 0 is in service until 60, 1 then until 160; 2 never was in the queue.
    assertThat(latencies).containsExactly(-1, 150, -1);
  }

  @Test
  void servesByTheDisciplineOfTheCell() {
    Serving serving =
        new Serving(
            new Queueing(Queueing.Discipline.PS, 1, Queueing.UNBOUNDED),
            Serving.PLAIN.timeoutNanos());

    long[] latencies =
        AttemptReplay.latencies(
            trace(new long[] {0, 0}, new long[] {100, 40}),
            new RunLog(List.of(ok(0, 0, attempt("b0", 1, 2)), ok(1, 0, attempt("b0", 1, 2)))),
            TWO,
            List.of(1.0, 2.0),
            serving,
            ConfiguredAlgorithm.NO_LIMIT,
            List.of(),
            AttemptReplay.From.INTENDED);

    assertThat(latencies).containsExactly(140, 80);
  }

  @Test
  void aFastBackendTakesLess() {
    long[] latencies =
        replay(
            trace(new long[] {0, 10}, new long[] {100, 100}),
            AttemptReplay.From.INTENDED,
            ok(0, 0, attempt("b1", 1, 2)),
            ok(1, 10, attempt("b1", 11, 12)));

    assertThat(latencies).containsExactly(50, 90);
  }

  @Test
  void fromTheSentInstantsTheGeneratorsShareStaysInTheLatency() {
    Trace trace = trace(new long[] {0, 10}, new long[] {100, 100});
    RunLog.Entry[] entries = {
      ok(0, 40, attempt("b0", 50, 60)), ok(1, 15, attempt("b0", 20, 30)),
    };

    // Request 1 is really sent first: served 15 to 115, then request 0 to 215.
    assertThat(replay(trace, AttemptReplay.From.SENT, entries)).containsExactly(215, 105);
  }

  @Test
  void aFailedAttemptThatReachedABackendKeptItBusy() {
    Trace trace = trace(new long[] {0, 10}, new long[] {100, 50});

    assertThat(
            replay(
                trace,
                AttemptReplay.From.INTENDED,
                failed(0, 0, attempt("b0", 1, 2)),
                ok(1, 10, attempt("b0", 11, 12))))
        .containsExactly(100, 140);
  }

  @Test
  void anAttemptThatIsNotSeenToArriveKeepsNothingBusy() {
    Trace trace = trace(new long[] {0, 10}, new long[] {100, 50});

    assertThat(
            replay(
                trace,
                AttemptReplay.From.INTENDED,
                failed(0, 0, attempt("b0", 1, -1)),
                ok(1, 10, attempt("b0", 11, 12))))
        .containsExactly(AttemptReplay.NONE, 50);
  }

  @Test
  void aSecondAttemptArrivesAsLongAfterTheFirstAsItWasPickedAfterIt() {
    Trace trace = trace(new long[] {0, 500}, new long[] {100, 50});

    // The retry joins b0 at 600, behind request 1 (500 to 550): served 600 to 700.
    assertThat(
            replay(
                trace,
                AttemptReplay.From.INTENDED,
                ok(0, 7, attempt("b1", 20, 30), attempt("b0", 620, 640)),
                ok(1, 507, attempt("b0", 520, 530))))
        .containsExactly(700, 50);
  }

  @Test
  void aRequestThatWasNeverSentHasNoLatency() {
    Trace trace = trace(new long[] {0, 10}, new long[] {100, 50});

    assertThat(replay(trace, AttemptReplay.From.INTENDED, ok(1, 10, attempt("b0", 11, 12))))
        .containsExactly(AttemptReplay.NONE, 50);
  }
}
