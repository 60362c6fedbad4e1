package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.SECOND;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static dev.herdlab.loadgen.GeneratorFixture.timeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLog.Attempt;
import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The schedule, on real stubs in the proxies' place.
class OpenLoopTest {
  private static final int REQUESTS = 400;

  private static Trace poisson() {
    return Trace.generate(
        11,
        REQUESTS,
        4,
        ArrivalProcess.parse("poisson", 0.8 * 4, MILLI),
        ServiceLaw.parse("lognormal"),
        MILLI);
  }

  @Test
  void sendsEveryRequestOfTheTraceOnceAndInOrder() throws Exception {
    Trace trace = poisson();
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(4, REQUESTS, s -> s)) {
      RunLog log = fixture.run(trace);

      assertThat(log.entries()).extracting(Entry::request).isEqualTo(numbers(REQUESTS));
      assertThat(log.entries()).allMatch(Entry::ok);
      assertThat(log.entries()).extracting(Entry::sentNanos).isSorted();
      for (Entry entry : log.entries()) {
        int i = entry.request();
        Attempt attempt = entry.last();
        assertThat(entry.attempts()).hasSize(1);
        assertThat(entry.sentNanos()).isGreaterThanOrEqualTo(trace.intendedNanos(i));
        assertThat(attempt.backend()).isEqualTo("b" + trace.proxy(i));
        assertThat(attempt.proxy()).isEqualTo(trace.proxy(i));
        assertThat(attempt.finishNanos() - attempt.startNanos()).isEqualTo(trace.serviceNanos(i));
        assertThat(attempt.backendReceivedNanos()).isGreaterThan(entry.sentNanos());
        assertThat(entry.doneNanos()).isGreaterThan(attempt.deliveredNanos());
        assertThat(
                List.of(
                    attempt.proxyReceivedNanos(),
                    attempt.pickedNanos(),
                    attempt.forwardedNanos(),
                    attempt.returnedNanos()))
            .containsOnly(RunLog.UNKNOWN);
      }
      assertThat(fixture.stub().inFlight()).isZero();
      assertThat(fixture.generator.openedInRun()).isZero();
    }
  }

  @Test
  void theBackendsServeInTheOrderOfTheTraceByTheRecursion() throws Exception {
    Trace trace = poisson();
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(4, REQUESTS, s -> s)) {
      long[] free = new long[4];
      Arrays.fill(free, Long.MIN_VALUE);
      for (Entry entry : fixture.run(trace).entries()) {
        Attempt attempt = entry.last();
        int backend = attempt.proxy();
        assertThat(attempt.startNanos())
            .isEqualTo(Math.max(attempt.backendReceivedNanos(), free[backend]));
        free[backend] = attempt.finishNanos();
      }
    }
  }

  @Test
  void doesNotWaitForAnswers() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 10, s -> s)) {
      List<Entry> entries = fixture.run(evenly(10, MILLI, 500 * MILLI / 10)).entries();

      // The last of ten at once waits for nine others: none was held back for an answer.
      long firstDone = entries.stream().mapToLong(Entry::doneNanos).min().orElseThrow();
      assertThat(entries).allMatch(entry -> entry.sentNanos() < firstDone);
    }
  }

  @Test
  void sendsLateWhatItCouldNotSendInTimeAndDropsNothing() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 300, s -> s)) {
      long epoch = System.nanoTime() - SECOND;
      RunLog log = await(fixture.generator.run(evenly(300, MILLI, 0), epoch, Progress.NONE));

      assertThat(log.entries()).hasSize(300).allMatch(Entry::ok);
      assertThat(log.entries()).allMatch(entry -> entry.sentNanos() >= SECOND);
      assertThat(log.entries()).extracting(Entry::sentNanos).isSorted();
    }
  }

  @Test
  void opensConnectionsWhenItFindsTooFewAndCountsThem() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      assertThat(fixture.run(evenly(5, 0, 20 * MILLI)).entries()).hasSize(5).allMatch(Entry::ok);
      assertThat(fixture.generator.openedInRun()).isEqualTo(4);
      // All five are there for the next run.
      assertThat(fixture.run(evenly(5, 0, MILLI)).entries()).allMatch(Entry::ok);
      assertThat(fixture.generator.openedInRun()).isZero();
    }
  }

  @Test
  void failsARequestThatFindsNoConnectionWithinTheLimit() throws Exception {
    try (GeneratorFixture fixture =
        GeneratorFixture.beforeStubs(1, 2, s -> s.withConnectionLimit(2))) {
      List<Entry> entries = fixture.run(evenly(5, 0, 20 * MILLI)).entries();

      assertThat(entries)
          .extracting(Entry::outcome)
          .containsExactly(
              "ok", "ok", "client-no-connection", "client-no-connection", "client-no-connection");
      assertThat(entries.getLast().sentNanos()).isEqualTo(RunLog.UNKNOWN);
      assertThat(entries.getLast().attempts()).isEmpty();
    }
  }

  @Test
  void aStoppedRunTellsOfWhatWasSentAlone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 8, s -> s)) {
      CompletableFuture<RunLog> run =
          fixture.generator.run(
              evenly(100_000, 2 * MILLI, MILLI / 10),
              System.nanoTime(),
              (sent, ended, total) -> begun.countDown());
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      fixture.generator.stop();
      fixture.generator.stop();
      List<Entry> entries = await(run).entries();

      assertThat(entries).hasSizeBetween(1, 50_000).allMatch(Entry::ok);
      assertThat(entries).extracting(Entry::request).isEqualTo(numbers(entries.size()));
      // The generator is free for another run.
      assertThat(fixture.run(evenly(3, MILLI, 0)).entries()).hasSize(3);
    }
  }

  @Test
  void aStoppedRunWaitsForWhatIsInFlightButNotForEver() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 4, timeouts(60_000, 1500))) {
      long start = System.nanoTime();
      CompletableFuture<RunLog> run =
          fixture.begin(
              Trace.of(
                  1,
                  new long[] {0, 1, 2, 3600 * SECOND},
                  new int[4],
                  new long[] {MILLI, 50 * MILLI, 3600 * SECOND, 0}));
      await(() -> fixture.stub().inFlight() == 2);
      fixture.generator.stop();
      List<Entry> entries = await(run).entries();

      assertThat(entries).extracting(Entry::outcome).containsExactly("ok", "ok", "client-timeout");
      assertThat(System.nanoTime() - start).isBetween(1500 * MILLI, 20 * SECOND);
    }
  }

  @Test
  void closingEndsARunThatIsUnderWay() throws Exception {
    CompletableFuture<RunLog> run;
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      run = fixture.begin(evenly(2, 3600 * SECOND, 3600 * SECOND));
      await(() -> fixture.stub().inFlight() == 1);
    }
    assertThat(await(run).entries()).extracting(Entry::outcome).containsExactly("client-timeout");
  }

  @Test
  void closingAgainAndAfterTheLoopDoesNothing() throws Exception {
    GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s);
    fixture.generator.close();
    fixture.close();
    fixture.generator.close();
  }

  @Test
  void runsATraceWithoutRequests() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      assertThat(fixture.run(evenly(0, 0, 0)).entries()).isEmpty();
    }
  }

  @Test
  void tellsItsProgressToTheEnd() throws Exception {
    List<Integer> ended = Collections.synchronizedList(new ArrayList<>());
    Set<Integer> totals = Collections.synchronizedSet(new HashSet<>());
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 4, s -> s)) {
      await(
          fixture.generator.run(
              evenly(30, 20 * MILLI, 0),
              System.nanoTime(),
              (itsSent, itsEnded, total) -> {
                ended.add(itsEnded);
                totals.add(total);
              }));
    }
    assertThat(ended).hasSizeGreaterThan(1).isSorted().endsWith(30);
    assertThat(totals).containsExactly(30);
  }

  @Test
  void refusesWhatItCannotRun() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      assertThatThrownBy(() -> fixture.begin(poisson()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("trace: 4 proxies (expected: at most 1, which are known)");
      CompletableFuture<RunLog> run = fixture.begin(evenly(2, 3600 * SECOND, 0));
      assertThatThrownBy(() -> fixture.begin(evenly(1, 0, 0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("run: \"\" is under way (expected: an id of its own)");
      fixture.generator.stop();
      assertThat(await(run).entries()).hasSizeBetween(0, 1);
    }
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }
}
