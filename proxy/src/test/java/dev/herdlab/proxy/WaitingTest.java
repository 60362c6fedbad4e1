package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that wait at the proxy, since no backend has room.
@Timeout(120)
class WaitingTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

  /// Answers as many requests as it is allowed to.
  private static final class Gate implements RawBackend.Script {
    final Semaphore answers = new Semaphore(0);

    @Override
    public void answer(RawBackend.Request request, RawBackend.Exchange exchange)
        throws IOException {
      answers.acquireUninterruptibly();
      RawBackend.OK.answer(request, exchange);
    }
  }

  private static int waiting(Fixture proxy) {
    return proxy.onLoop(() -> proxy.pool.waiting());
  }

  @Test
  void aRequestWaitsForTheOneBeforeItAndUsesItsConnection() throws Exception {
    Gate gate = new Gate();
    try (RawBackend backend = new RawBackend(gate);
        Fixture proxy = Fixture.before(backend);
        RawClient first = proxy.client();
        RawClient second = proxy.client();
        RawClient third = proxy.client()) {
      proxy.install("limit(of=round-robin,n=1)", "local");
      int warm = backend.connections();
      first.send(GET);
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      second.send(GET);
      Fixture.eventually("second waits", () -> waiting(proxy) == 1);
      third.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n");
      Fixture.eventually("third waits", () -> waiting(proxy) == 2);
      third.send("12345");
      assertThat(proxy.inFlight()).isEqualTo(1);
      assertThat(backend.requests()).hasSize(1);

      gate.answers.release();
      assertThat(first.receive().status()).isEqualTo(200);
      Fixture.eventually("the second's turn", () -> backend.requests().size() == 2);
      assertThat(waiting(proxy)).isEqualTo(1);
      gate.answers.release(2);
      assertThat(second.receive().status()).isEqualTo(200);
      assertThat(third.receive().status()).isEqualTo(200);
      assertThat(backend.requests().getLast().body()).isEqualTo("12345");
      Fixture.eventually("accepted", () -> backend.connections() == Math.max(1, warm));
    }
  }

  @Test
  void aClientThatLeavesGivesItsPlaceUp() throws Exception {
    Gate gate = new Gate();
    try (RawBackend backend = new RawBackend(gate);
        Fixture proxy = Fixture.before(backend);
        RawClient first = proxy.client();
        RawClient second = proxy.client()) {
      proxy.install("limit(of=round-robin,n=1)", "local");
      first.send(GET);
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      second.send(GET);
      Fixture.eventually("waits", () -> waiting(proxy) == 1);
      second.leave();
      Fixture.eventually("gone", () -> waiting(proxy) == 0);

      gate.answers.release();
      assertThat(first.receive().status()).isEqualTo(200);
      proxy.eventuallyIdle();
      assertThat(backend.requests()).hasSize(1);
      assertThat(proxy.outcomes()).containsExactly(Outcome.SUCCEEDED);
      assertThat(proxy.ended()).extracting(Fixture.Ended::outcome).contains("cancelled", "ok");
    }
  }

  @Test
  void oneMoreThanMayWaitIsRefused() throws Exception {
    Gate gate = new Gate();
    try (RawBackend backend = new RawBackend(gate);
        Fixture proxy = Fixture.before(backend);
        RawClient first = proxy.client();
        RawClient second = proxy.client()) {
      proxy.install("limit(of=round-robin,n=1,queue=0)", "local");
      first.send(GET);
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      RawClient.Response refused = second.ask(GET);
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.value("x-herdlab-cause")).isEqualTo("no-backend");

      gate.answers.release(2);
      assertThat(first.receive().status()).isEqualTo(200);
      assertThat(second.ask(GET).status()).isEqualTo(200);
    }
  }

  @Test
  void aRequestDoesNotWaitForEver() throws Exception {
    Gate gate = new Gate();
    Timeouts brief = Timeouts.DEFAULT.withResponseHead(Duration.ofMillis(200));
    try (RawBackend backend = new RawBackend(gate);
        Fixture proxy = Fixture.before(backend, settings -> settings.withTimeouts(brief));
        RawClient first = proxy.client();
        RawClient second = proxy.client()) {
      proxy.install("limit(of=round-robin,n=1)", "local");
      first.send(GET);
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      // Its own backend's time-out comes first, and serves the second, whose time runs out too.
      assertThat(first.receive().status()).isEqualTo(504);
      RawClient.Response later = second.ask(GET);
      assertThat(later.status()).isEqualTo(504);
      assertThat(waiting(proxy)).isZero();
    }
  }
}
