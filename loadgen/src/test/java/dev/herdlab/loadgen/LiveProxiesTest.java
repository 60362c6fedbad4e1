package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.Trace;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The proxies come and go while requests are sent.
class LiveProxiesTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  // Alternately to proxies 0 and 1.
  private static Trace alternating(int requests, long gapNanos, long serviceNanos) {
    return Trace.of(
        2,
        IntStream.range(0, requests).mapToLong(i -> i * gapNanos).toArray(),
        IntStream.range(0, requests).map(i -> i % 2).toArray(),
        IntStream.range(0, requests).mapToLong(i -> serviceNanos).toArray());
  }

  private static GeneratorFixture beforeFour(List<InetSocketAddress> all) throws Exception {
    GeneratorFixture fixture = GeneratorFixture.beforeStubs(4, 8, s -> s);
    all.addAll(fixture.addresses());
    return fixture;
  }

  @Test
  void loseNoRequestWhenAllAreExchangedUnderLoad() throws Exception {
    List<InetSocketAddress> all = new ArrayList<>();
    try (GeneratorFixture fixture = beforeFour(all)) {
      fixture.generator.setProxies(all.subList(0, 2));
      // Each backend is busy for half of the time, so that one is in flight at the exchange.
      Trace trace = alternating(1000, 3 * MILLI, 3 * MILLI);
      var run = fixture.generator.run("a", trace, fixture.nanos(), Progress.NONE);
      await(() -> fixture.generator.state().sent() > 300);
      fixture.generator.setProxies(List.of(all.get(3), all.get(2)));
      List<Entry> entries = await(run).log().entries();

      assertThat(entries).hasSize(1000).allMatch(Entry::ok);
      List<String> backends = entries.stream().map(entry -> entry.last().backend()).toList();
      int exchanged =
          IntStream.range(0, 1000).filter(i -> isNew(backends.get(i))).findFirst().orElseThrow();
      assertThat(exchanged).isBetween(301, 999);
      for (int i = 0; i < 1000; i++) {
        String expected = i < exchanged ? "b" + i % 2 : "b" + (3 - i % 2);
        assertThat(backends.get(i)).isEqualTo(expected);
      }
    }
  }

  private static boolean isNew(String backend) {
    return backend.equals("b2") || backend.equals("b3");
  }

  @Test
  void aRequestInFlightAtAProxyThatLeavesEndsWell() throws Exception {
    List<InetSocketAddress> all = new ArrayList<>();
    try (GeneratorFixture fixture = beforeFour(all)) {
      var run =
          fixture.generator.run("a", evenly(1, 0, 300 * MILLI), fixture.nanos(), Progress.NONE);
      await(() -> fixture.stub().inFlight() == 1);
      fixture.generator.setProxies(all.subList(1, 2));

      // Of the eight to each of four, those to the one that stayed, and the one in use.
      await(() -> fixture.generator.state().connections() == 9);
      assertThat(run).isNotDone();
      assertThat(await(run).log().entries().getFirst().last().backend()).isEqualTo("b0");
      await(() -> fixture.generator.state().connections() == 8);
    }
  }

  @Test
  void aRequestForANumberThatNobodyHasFailsWithACauseOfItsOwn() throws Exception {
    List<InetSocketAddress> all = new ArrayList<>();
    try (GeneratorFixture fixture = beforeFour(all)) {
      var run =
          fixture.generator.run(
              "a", alternating(400, 5 * MILLI, 0), fixture.nanos(), Progress.NONE);
      await(() -> fixture.generator.state().sent() > 100);
      fixture.generator.setProxies(all.subList(0, 1));
      List<Entry> entries = await(run).log().entries();

      assertThat(entries).hasSize(400).extracting(Entry::outcome).endsWith("ok", "client-no-proxy");
      for (Entry entry : entries) {
        if (!entry.ok()) {
          assertThat(entry.outcome()).isEqualTo("client-no-proxy");
          assertThat(entry.request() % 2).isEqualTo(1);
          assertThat(entry.sentNanos()).isEqualTo(RunLog.UNKNOWN);
          assertThat(entry.attempts()).isEmpty();
        }
      }
      assertThat(fixture.generator.state().inFlight()).isZero();
    }
  }

  @Test
  void withoutAnyProxyEveryRequestFails() throws Exception {
    List<InetSocketAddress> all = new ArrayList<>();
    try (GeneratorFixture fixture = beforeFour(all)) {
      var run =
          fixture.generator.run("a", evenly(3, 0, 0), fixture.nanos() + 200 * MILLI, Progress.NONE);
      fixture.generator.setProxies(List.of());

      assertThat(await(run).log().entries())
          .hasSize(3)
          .extracting(Entry::outcome)
          .containsOnly("client-no-proxy");
    }
  }

  @Test
  void oneThatStaysKeepsItsConnectionsUnderItsNewNumber() throws Exception {
    try (RawServer stays = RawServer.answering(OK);
        RawServer comes = RawServer.answering(OK);
        GeneratorFixture fixture = GeneratorFixture.before(stays.address(), 3, s -> s)) {
      fixture.generator.setProxies(List.of(comes.address(), stays.address()));
      await(() -> comes.accepted() == 3);
      Trace trace = alternating(4, 20 * MILLI, 0);
      assertThat(fixture.run(trace).entries()).hasSize(4).allMatch(Entry::ok);

      assertThat(stays.accepted()).isEqualTo(3);
      assertThat(stays.ended()).isZero();
      assertThat(fixture.generator.openedInRun()).isZero();
    }
  }

  @Test
  void oneThatLeavesHasItsIdleConnectionsClosed() throws Exception {
    try (RawServer leaves = RawServer.answering(OK);
        RawServer comes = RawServer.answering(OK);
        GeneratorFixture fixture = GeneratorFixture.before(leaves.address(), 3, s -> s)) {
      fixture.generator.setProxies(List.of(comes.address()));

      await(() -> leaves.ended() == 3);
      await(() -> comes.accepted() == 3);
      assertThat(fixture.run(evenly(1, 0, 0)).entries()).allMatch(Entry::ok);
    }
  }

  @Test
  void oneThatCannotBeReachedFailsItsOwnRequestsAlone() throws Exception {
    try (RawServer works = RawServer.answering(OK);
        RawServer refuses = RawServer.answering(OK);
        GeneratorFixture fixture = GeneratorFixture.before(works.address(), 1, s -> s)) {
      refuses.refuse();
      fixture.generator.setProxies(List.of(works.address(), refuses.address()));

      assertThat(fixture.run(alternating(4, 20 * MILLI, 0)).entries())
          .extracting(Entry::outcome)
          .containsExactly("ok", "client-connect-failed", "ok", "client-connect-failed");
    }
  }
}
