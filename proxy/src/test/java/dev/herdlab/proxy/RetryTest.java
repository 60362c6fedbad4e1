package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Retries and hedges over real connections: who is asked, what the client gets, and that every
/// lease and connection comes to its end.
@Timeout(120)
class RetryTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 7\r\n\r\n";
  private static final long MILLI = 1_000_000;
  private static final AttemptPolicy.Budget FREE = AttemptPolicy.Budget.NONE;
  private static final RawBackend.Script ERROR =
      (request, exchange) ->
          exchange.send("HTTP/1.1 500 Oh\r\nx-own: 1\r\nContent-Length: 4\r\n\r\noops");
  private static final Outcome STATUS = new Outcome.Failed(FailureKind.ERROR_STATUS);

  private static AttemptPolicy retries(int retries) {
    return new AttemptPolicy(retries, FREE, AttemptPolicy.Hedge.NEVER);
  }

  private static AttemptPolicy hedge(long millis) {
    return new AttemptPolicy(0, FREE, new AttemptPolicy.Hedge.After(millis * MILLI));
  }

  private static Fixture proxy(AttemptPolicy policy, InetSocketAddress... backends)
      throws Exception {
    return new Fixture(List.of(backends), settings -> settings.withAttempts(policy));
  }

  private static AttemptCounts counts(Fixture proxy) {
    return proxy.onLoop(() -> proxy.pool.dispatcher(0).attemptCounts());
  }

  private static InetSocketAddress nobody() throws Exception {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(closed.getInetAddress(), closed.getLocalPort());
    }
  }

  @Test
  void aBackendThatCannotBeReachedIsPassedOver() throws Exception {
    try (RawBackend works = new RawBackend(RawBackend.OK);
        Fixture proxy = proxy(retries(1), nobody(), works.address());
        RawClient client = proxy.client()) {
      RawClient.Response response = client.ask(GET);

      assertThat(response.status()).isEqualTo(200);
      assertThat(response.value("x-herdlab-attempts")).startsWith("b0,").endsWith(",-1,-1");
      assertThat(proxy.outcomes())
          .containsExactly(new Outcome.Failed(FailureKind.CONNECT_FAILED), Outcome.SUCCEEDED);
      assertThat(counts(proxy)).isEqualTo(new AttemptCounts(2, 1, 0, 0, 0));
      assertThat(proxy.ended()).extracting(Fixture.Ended::backend).containsExactly("b1");
    }
  }

  @Test
  void anErrorIsRetriedAndTheLastOneComesAsItIs() throws Exception {
    try (RawBackend bad = new RawBackend(ERROR);
        RawBackend works = new RawBackend(RawBackend.OK);
        Fixture one = proxy(retries(1), bad.address(), works.address());
        Fixture none = proxy(retries(2), bad.address(), bad.address());
        RawClient client = one.client();
        RawClient unlucky = none.client()) {
      assertThat(client.ask(GET).status()).isEqualTo(200);
      assertThat(one.outcomes()).containsExactly(STATUS, Outcome.SUCCEEDED);

      RawClient.Response last = unlucky.ask(GET);
      assertThat(last.status()).isEqualTo(500);
      assertThat(last.body()).isEqualTo("oops");
      none.eventuallyIdle();
      assertThat(none.outcomes()).containsExactly(STATUS, STATUS, STATUS);
    }
  }

  @Test
  void whatBreaksOffBeforeItsHeadIsRetriedAndWhatComesLaterIsNot() throws Exception {
    RawBackend.Script breaks = (request, exchange) -> exchange.close();
    RawBackend.Script late =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
          exchange.close();
        };
    try (RawBackend first = new RawBackend(breaks);
        RawBackend second = new RawBackend(late);
        Fixture proxy = proxy(retries(5), first.address(), second.address());
        RawClient client = proxy.client()) {
      client.send(GET);
      Fixture.eventually("both have ended", () -> proxy.outcomes().size() == 2);
      Outcome closed = new Outcome.Failed(FailureKind.BACKEND_CLOSED);
      assertThat(proxy.outcomes()).containsExactly(closed, closed);
    }
  }

  @Test
  void aRequestThatMayHaveHadAnEffectIsNotRepeated() throws Exception {
    try (RawBackend bad = new RawBackend(ERROR);
        RawBackend works = new RawBackend(RawBackend.OK);
        Fixture proxy = proxy(retries(1), bad.address(), works.address());
        RawClient client = proxy.client()) {
      assertThat(client.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi").status())
          .isEqualTo(500);
      assertThat(works.requests()).isEmpty();
    }
  }

  @Test
  void theBudgetEnds() throws Exception {
    AttemptPolicy policy =
        new AttemptPolicy(1, new AttemptPolicy.Budget(0), AttemptPolicy.Hedge.NEVER);
    try (RawBackend bad = new RawBackend(ERROR);
        Fixture proxy = proxy(policy, bad.address(), bad.address());
        RawClient client = proxy.client()) {
      for (int i = 0; i < 120; i++) {
        assertThat(client.ask(GET).status()).isEqualTo(500);
      }
      // A hundred in ten seconds, and these took less.
      assertThat(counts(proxy)).isEqualTo(new AttemptCounts(220, 100, 0, 0, 20));
    }
  }

  @Test
  void theFirstAnswerWinsAndTheOtherAttemptIsGivenUp() throws Exception {
    try (HeldBackend slow = new HeldBackend();
        RawBackend fast = new RawBackend(RawBackend.OK);
        Fixture proxy = proxy(hedge(20), slow.address(), fast.address());
        RawClient client = proxy.client()) {
      slow.hold();
      RawClient.Response response = client.ask(GET);
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.value("x-herdlab-attempts")).startsWith("b0,").doesNotEndWith(",-1");
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED, Outcome.SUCCEEDED);
      assertThat(counts(proxy)).isEqualTo(new AttemptCounts(2, 0, 1, 1, 0));
      assertThat(proxy.connections().backends()).as("the slow one's is closed").isEqualTo(1);

      slow.letGo();
      // The next request begins at b0 again, on a connection of its own.
      assertThat(client.ask(GET).status()).isEqualTo(200);
      assertThat(client.ask(GET).status()).isEqualTo(200);
    }
  }

  @Test
  void aHedgeThatLosesWhileItConnectsIsNoFailure() throws Exception {
    // An address that answers no connection: its backlog is full.
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Backlog filled = Backlog.fill(deaf);
        HeldBackend slow = new HeldBackend();
        Fixture proxy =
            proxy(
                hedge(10),
                slow.address(),
                new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort()));
        RawClient client = proxy.client()) {
      assertThat(filled.size()).isPositive();
      slow.hold();
      client.send(GET);
      Fixture.eventually("hedged", () -> counts(proxy).hedges() == 1);
      slow.letGo();
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED, Outcome.SUCCEEDED);
      assertThat(client.ask(GET).status()).isEqualTo(200);
    }
  }

  @Test
  void aFailureBesideAHedgeLeavesItToTheHedge() throws Exception {
    try (HeldBackend slow = new HeldBackend();
        RawBackend bad = new RawBackend(ERROR);
        Fixture proxy = proxy(hedge(10), slow.address(), bad.address());
        RawClient client = proxy.client()) {
      slow.hold();
      client.send(GET);
      Fixture.eventually("hedge failed", () -> proxy.outcomes().size() == 1);
      assertThat(proxy.outcomes()).containsExactly(STATUS);
      slow.letGo();
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @Test
  void aClientThatLeavesCancelsAllAttempts() throws Exception {
    try (HeldBackend one = new HeldBackend();
        HeldBackend other = new HeldBackend();
        Fixture proxy = proxy(hedge(10), one.address(), other.address());
        RawClient client = proxy.client()) {
      one.hold();
      other.hold();
      client.send(GET);
      Fixture.eventually("hedged", () -> counts(proxy).hedges() == 1);
      client.leave();
      proxy.eventuallyIdle();
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED, Outcome.CANCELLED);
      assertThat(proxy.ended()).extracting(Fixture.Ended::outcome).containsExactly("cancelled");
    }
  }

  @Test
  void manyHedgedRequestsAllComeToTheirEnd() throws Exception {
    RawBackend.Script uneven =
        (request, exchange) -> {
          LockSupport.parkNanos(request.connection() % 3 == 0 ? 3 * MILLI : 1000);
          RawBackend.OK.answer(request, exchange);
        };
    AttemptPolicy policy =
        new AttemptPolicy(2, FREE, new AttemptPolicy.Hedge.After(Duration.ofMillis(1).toNanos()));
    try (RawBackend a = new RawBackend(uneven);
        RawBackend b = new RawBackend(uneven);
        RawBackend c = new RawBackend(ERROR);
        Fixture proxy = proxy(policy, a.address(), b.address(), c.address());
        RawClient client = proxy.client()) {
      for (int i = 0; i < 500; i++) {
        assertThat(client.ask(GET).status()).isEqualTo(200);
      }
      AttemptCounts counts = counts(proxy);
      assertThat(counts.attempts()).isEqualTo(500 + counts.retries() + counts.hedges());
      assertThat(counts.retries()).isPositive();
      assertThat(proxy.outcomes().stream().filter(Outcome.SUCCEEDED::equals)).hasSize(500);
      assertThat(proxy.outcomes()).hasSize((int) counts.attempts());
    }
  }
}
