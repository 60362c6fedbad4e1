package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.SECOND;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Runs that are under way at the same time, on real stubs in the proxies' place.
class OverlapTest {
  private static final int REQUESTS = 500;

  private static Trace load(long seed) {
    return Trace.generate(
        seed,
        REQUESTS,
        4,
        ArrivalProcess.parse("poisson", 0.4 * 4, MILLI),
        ServiceLaw.parse("exponential"),
        MILLI);
  }

  private static CompletableFuture<CompletedRun> begin(
      GeneratorFixture fixture, String id, Trace trace, long epochNanos) {
    return fixture.generator.run(id, trace, epochNanos, Progress.NONE);
  }

  private static void isComplete(CompletedRun run, Trace trace) {
    assertThat(run.trace()).isSameAs(trace);
    assertThat(run.log().entries())
        .extracting(Entry::request)
        .isEqualTo(IntStream.range(0, trace.size()).boxed().toList());
    for (Entry entry : run.log().entries()) {
      int i = entry.request();
      assertThat(entry.outcome()).isEqualTo("ok");
      assertThat(entry.sentNanos()).isGreaterThanOrEqualTo(trace.intendedNanos(i));
      assertThat(entry.last().backend()).isEqualTo("b" + trace.proxy(i));
      assertThat(entry.last().finishNanos() - entry.last().startNanos())
          .isEqualTo(trace.serviceNanos(i));
    }
  }

  @Test
  void runsThatSendAtTheSameTimeLoseNothing() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(4, 100, s -> s)) {
      List<Trace> traces = List.of(load(1), load(2));
      long epoch = fixture.nanos() + 10 * MILLI;
      long second = epoch + traces.getFirst().lastIntendedNanos() / 2;
      var first = begin(fixture, "first", traces.getFirst(), epoch);
      var other = begin(fixture, "second", traces.getLast(), second);

      isComplete(await(first), traces.getFirst());
      isComplete(await(other), traces.getLast());
      long firstSent = await(other).log().entries().getFirst().sentNanos() + second;
      long lastSent = await(first).log().entries().getLast().sentNanos() + epoch;
      assertThat(firstSent).isLessThan(lastSent);
      assertThat(fixture.stub().inFlight()).isZero();
    }
  }

  @Test
  void theNextRunBeginsAtItsEpochWhileTheLastOnesRequestsAreInFlight() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(2, 4, s -> s)) {
      Trace slow = evenly(2, MILLI, 400 * MILLI);
      long epoch = fixture.nanos() + 10 * MILLI;
      var first = begin(fixture, "first", slow, epoch);
      Trace next = Trace.of(2, new long[] {0, MILLI}, new int[] {1, 1}, new long[2]);
      var second = begin(fixture, "second", next, epoch + 20 * MILLI);

      assertThat(await(second).log().entries()).allMatch(Entry::ok);
      assertThat(first).isNotDone();
      isComplete(await(first), slow);
      assertThat(await(second).epochNanos()).isEqualTo(epoch + 20 * MILLI);
    }
  }

  @Test
  void eachRunTellsTheConnectionsThatItHadToOpen() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      long epoch = fixture.nanos() + 10 * MILLI;
      var first = begin(fixture, "first", evenly(1, 0, 100 * MILLI), epoch);
      var second = begin(fixture, "second", evenly(3, 0, 0), epoch + 10 * MILLI);

      assertThat(await(first).opened()).isZero();
      assertThat(await(second).opened()).isEqualTo(3);
    }
  }

  @Test
  void keepsAtMostEightRuns() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      List<CompletableFuture<CompletedRun>> runs = new ArrayList<>();
      long epoch = fixture.nanos() + 3600 * SECOND;
      for (int i = 0; i < Generator.MAX_RUNS; i++) {
        runs.add(begin(fixture, "run-" + i, evenly(1, 0, 0), epoch));
      }
      assertThatThrownBy(() -> begin(fixture, "one more", evenly(1, 0, 0), epoch))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("runs: 8 are under way (expected: fewer than 8)");

      fixture.generator.stop("run-3");
      assertThat(await(runs.get(3)).log().entries()).isEmpty();
      assertThat(runs.stream().filter(CompletableFuture::isDone)).hasSize(1);
      runs.add(begin(fixture, "one more", evenly(1, 0, 0), epoch));

      fixture.generator.stop();
      for (CompletableFuture<CompletedRun> run : runs) {
        assertThat(await(run).log().entries()).isEmpty();
      }
    }
  }

  @Test
  void refusesAnIdThatIsUnderWayAndTakesItAgainAfterwards() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      long epoch = fixture.nanos();
      var run = begin(fixture, "a", evenly(1, 0, 200 * MILLI), epoch);
      assertThatThrownBy(() -> begin(fixture, "a", evenly(1, 0, 0), epoch))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("run: \"a\" is under way (expected: an id of its own)");
      await(run);
      Trace again = evenly(1, 0, 0);
      isComplete(await(begin(fixture, "a", again, epoch)), again);
    }
  }

  @Test
  void stoppingOneRunLeavesTheOtherAlone() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 20, s -> s)) {
      long epoch = fixture.nanos();
      Trace trace = evenly(100, 5 * MILLI, 0);
      var stays = begin(fixture, "stays", trace, epoch);
      var stopped = begin(fixture, "stopped", evenly(2, 3600 * SECOND, 0), epoch);
      await(() -> fixture.generator.state().sent() > 10);
      fixture.generator.stop("stopped");

      assertThat(await(stopped).log().entries()).hasSize(1);
      assertThat(stays).isNotDone();
      assertThat(await(stays).log().entries()).hasSize(100).allMatch(Entry::ok);
    }
  }

  @Test
  void theStateAddsUpOverAllRuns() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 8, s -> s)) {
      fixture.run(evenly(5, MILLI, 0));
      var run = begin(fixture, "a", evenly(3, 3600 * SECOND, 3600 * SECOND), fixture.nanos());
      var later = begin(fixture, "b", evenly(1, 0, 0), fixture.nanos() + 3600 * SECOND);
      await(() -> fixture.stub().inFlight() == 1);
      GeneratorState state = fixture.generator.state();

      assertThat(state.proxies()).isEqualTo(1);
      assertThat(state.connections()).isEqualTo(8);
      assertThat(state.runs()).isEqualTo(2);
      assertThat(state.scheduled()).isEqualTo(6);
      assertThat(state.sent()).isEqualTo(6);
      assertThat(state.ended()).isEqualTo(5);
      assertThat(state.inFlight()).isEqualTo(1);
      assertThat(state.ratePerSecond()).isEqualTo(3 / 7200.0);
      assertThat(List.of(run, later)).noneMatch(CompletableFuture::isDone);
    }
  }
}
