package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a generator lets others decide and hear.
class SeamsTest {
  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  private final RequestListener listener =
      new RequestListener() {
        @Override
        public void sent(int proxy, long intendedNanos, long sentNanos) {
          heard.add("sent %d %d %d".formatted(proxy, intendedNanos, sentNanos));
        }

        @Override
        public void ended(
            int proxy,
            String outcome,
            long intendedNanos,
            long sentNanos,
            long doneNanos,
            String run) {
          heard.add(
              "ended %d %s %d %d %d %s"
                  .formatted(proxy, outcome, intendedNanos, sentNanos, doneNanos, run));
        }
      };

  @Test
  void aChoiceOfTheProxyReplacesThePlansAndIsInTheTraceAsExecuted() throws Exception {
    // As a client does that goes on with the first address of an answer until it is too old.
    ProxyChoice choice = (trace, request) -> request / 2 % 3;
    try (GeneratorFixture fixture =
        GeneratorFixture.beforeStubs(3, 4, s -> s, choice, RequestListener.NONE)) {
      Trace plan = evenly(9, MILLI, 0);
      CompletedRun done = await(fixture.generator.run("a", plan, fixture.nanos(), Progress.NONE));

      assertThat(done.log().entries()).hasSize(9).allMatch(Entry::ok);
      assertThat(done.log().entries())
          .extracting(entry -> entry.last().backend())
          .containsExactly("b0", "b0", "b1", "b1", "b2", "b2", "b0", "b0", "b1");
      assertThat(IntStream.range(0, 9).map(done.trace()::proxy))
          .containsExactly(0, 0, 1, 1, 2, 2, 0, 0, 1);
      assertThat(done.trace().proxies()).isEqualTo(3);
      assertThat(done.log().entries()).extracting(entry -> entry.last().proxy()).endsWith(0, 0, 1);
    }
  }

  @Test
  void theListenerHearsWhatTheLogSays() throws Exception {
    try (GeneratorFixture fixture =
        GeneratorFixture.beforeStubs(2, 4, s -> s, ProxyChoice.PLANNED, listener)) {
      Trace trace =
          Trace.of(2, new long[] {0, MILLI, 40 * MILLI}, new int[] {1, 0, 1}, new long[3]);
      long epoch = fixture.nanos();
      CompletedRun done = await(fixture.generator.run("a", trace, epoch, Progress.NONE));

      for (Entry entry : done.log().entries()) {
        int proxy = trace.proxy(entry.request());
        long intended = epoch + trace.intendedNanos(entry.request());
        long sent = epoch + entry.sentNanos();
        assertThat(heard)
            .contains(
                "sent %d %d %d".formatted(proxy, intended, sent),
                "ended %d ok %d %d %d a"
                    .formatted(proxy, intended, sent, epoch + entry.doneNanos()));
      }
      assertThat(heard).hasSize(6);
    }
  }

  @Test
  void theListenerHearsOfTheEndOfWhatWasNeverWritten() throws Exception {
    try (GeneratorFixture fixture =
        GeneratorFixture.beforeStubs(
            1, 1, s -> s.withConnectionLimit(1), ProxyChoice.PLANNED, listener)) {
      await(fixture.generator.run("a", evenly(2, 0, 50 * MILLI), fixture.nanos(), Progress.NONE));

      assertThat(heard).hasSize(3);
      assertThat(heard).filteredOn(line -> line.startsWith("sent")).hasSize(1);
      assertThat(heard).anyMatch(line -> line.startsWith("ended 0 client-no-connection "));
    }
  }
}
