package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // Line ends are CR LF, which a text block hides.
@Timeout(60)
class FaultTest {
  private static ProxySettings impatient(ProxySettings settings) {
    return settings.withTimeouts(
        Timeouts.DEFAULT
            .withResponseHead(Duration.ofMillis(100))
            .withProgress(Duration.ofMillis(200))
            .withRequestHead(Duration.ofMillis(100)));
  }

  private static Outcome failed(FailureKind kind) {
    return new Outcome.Failed(kind);
  }

  private static void assertError(RawClient.Response response, FailureKind kind) {
    assertThat(response.status()).isEqualTo(kind.status());
    assertThat(response.value("x-herdlab-cause")).isEqualTo(kind.label());
    assertThat(response.body()).isEqualTo(kind.label() + "\n");
  }

  private static InetSocketAddress nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }

  @Test
  void answers502WhenNobodyListensAndKeepsTheClient() throws Exception {
    try (Fixture proxy = new Fixture(List.of(nobody()), settings -> settings);
        RawClient client = proxy.client()) {
      for (int i = 0; i < 3; i++) {
        RawClient.Response response =
            client.ask("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 1\r\n\r\n");
        assertError(response, FailureKind.CONNECT_FAILED);
        assertThat(response.value("x-herdlab-backend")).isEqualTo("b0");
        assertThat(response.value("x-herdlab-proxy-stamps")).endsWith(",-1,-1");
      }
      assertThat(proxy.outcomes()).hasSize(3).containsOnly(failed(FailureKind.CONNECT_FAILED));
    }
  }

  @Test
  void answers503WithoutBackends() throws Exception {
    try (Fixture proxy = new Fixture(List.of(), settings -> settings);
        RawClient client = proxy.client()) {
      assertError(client.get("/"), FailureKind.NO_BACKEND);
      // The body came with the head, so the connection can be kept.
      assertError(
          client.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"),
          FailureKind.NO_BACKEND);
      client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.receive(true).status()).isEqualTo(503);
      assertError(client.get("/"), FailureKind.NO_BACKEND);
      assertThat(proxy.outcomes()).isEmpty();
    }
  }

  @Test
  void failsAtThePoolsCapInsteadOfWaiting() throws Exception {
    var release = new CountDownLatch(1);
    RawBackend.Script held =
        (request, exchange) -> {
          if (request.line().contains("/hold")) {
            await(release);
          }
          RawBackend.OK.answer(request, exchange);
        };
    try (RawBackend backend = new RawBackend(held);
        Fixture proxy =
            Fixture.before(backend, settings -> settings.withPool(new PoolSettings(0, 2)));
        RawClient first = proxy.client();
        RawClient second = proxy.client();
        RawClient third = proxy.client()) {
      first.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n");
      second.send("GET /hold HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("both at the backend", () -> backend.requests().size() == 2);
      RawClient.Response refused = third.get("/");
      assertError(refused, FailureKind.POOL_EXHAUSTED);
      assertThat(refused.value("x-herdlab-backend")).isEqualTo("b0");
      assertThat(proxy.inFlight()).isEqualTo(2);
      release.countDown();
      assertThat(first.receive().status()).isEqualTo(200);
      assertThat(second.receive().status()).isEqualTo(200);
      assertThat(third.get("/").status()).isEqualTo(200);
      assertThat(backend.connections()).isEqualTo(2);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void repeatsARequestOnceThatMetAConnectionJustClosed() throws Exception {
    // The second request on a connection finds it closed, as after an idle time-out.
    RawBackend.Script once =
        (request, exchange) -> {
          if (request.line().contains("/last")) {
            exchange.close();
          } else {
            RawBackend.OK.answer(request, exchange);
          }
        };
    try (RawBackend backend = new RawBackend(once);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertThat(client.get("/").status()).isEqualTo(200);
      // The pooled connection is closed without a byte, then a new one too: tried twice, not more.
      assertError(client.get("/last"), FailureKind.BACKEND_CLOSED);
      assertThat(backend.requests()).hasSize(3);
      assertThat(backend.connections()).isEqualTo(2);
      assertThat(proxy.outcomes())
          .containsExactly(Outcome.SUCCEEDED, failed(FailureKind.BACKEND_CLOSED));
    }
  }

  @Test
  void repeatsNothingThatMetANewConnection() throws Exception {
    try (RawBackend backend = new RawBackend((request, exchange) -> exchange.close());
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertError(client.get("/"), FailureKind.BACKEND_CLOSED);
      assertThat(backend.requests()).hasSize(1);
    }
  }

  @Test
  void theRepetitionSucceedsUnderTheSameLease() throws Exception {
    RawBackend.Script closesReused =
        new RawBackend.Script() {
          private final java.util.Set<Integer> seen =
              java.util.concurrent.ConcurrentHashMap.newKeySet();

          @Override
          public void answer(RawBackend.Request request, RawBackend.Exchange exchange)
              throws IOException {
            if (seen.add(request.connection())) {
              RawBackend.OK.answer(request, exchange);
            } else {
              exchange.reset();
            }
          }
        };
    try (RawBackend backend = new RawBackend(closesReused);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.get("/" + i).status()).isEqualTo(200);
      }
      assertThat(proxy.outcomes()).hasSize(5).containsOnly(Outcome.SUCCEEDED);
      assertThat(backend.connections()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /last HTTP/1.1\r\nHost: h\r\n\r\n",
        "PUT /last HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx"
      })
  void repeatsNothingThatMayHaveHadAnEffect(String request) throws Exception {
    RawBackend.Script once =
        (seen, exchange) -> {
          if (seen.line().contains("/last")) {
            exchange.close();
          } else {
            RawBackend.OK.answer(seen, exchange);
          }
        };
    try (RawBackend backend = new RawBackend(once);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.get("/");
      assertError(client.ask(request), FailureKind.BACKEND_CLOSED);
      assertThat(backend.requests()).hasSize(2);
    }
  }

  @Test
  void answers504WhenTheResponseIsLate() throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend backend = new RawBackend((request, exchange) -> await(release));
        Fixture proxy = Fixture.before(backend, FaultTest::impatient);
        RawClient client = proxy.client()) {
      assertError(client.get("/"), FailureKind.RESPONSE_TIMEOUT);
      Fixture.eventually("connection given up", () -> proxy.connections().backends() == 0);
      assertThat(proxy.outcomes()).containsExactly(failed(FailureKind.RESPONSE_TIMEOUT));
      release.countDown();
    }
  }

  @Test
  void closesTheClientWhenABodyStops() throws Exception {
    var release = new CountDownLatch(1);
    RawBackend.Script half =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
          await(release);
        };
    try (RawBackend backend = new RawBackend(half);
        Fixture proxy = Fixture.before(backend, FaultTest::impatient);
        RawClient client = proxy.client()) {
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(RawBackend.readHead(client.in())).contains("Content-Length: 10");
      assertThat(new String(client.in().readNBytes(5), java.nio.charset.StandardCharsets.US_ASCII))
          .isEqualTo("hello");
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(proxy.outcomes()).containsExactly(failed(FailureKind.RESPONSE_TIMEOUT));
      release.countDown();
    }
  }

  @Test
  void resetsTheClientWhenAResponseWithoutLengthIsCutOff() throws Exception {
    var read = new CountDownLatch(1);
    RawBackend.Script cutOff =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\n\r\npart");
          await(read);
          exchange.reset();
        };
    try (RawBackend backend = new RawBackend(cutOff);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      RawBackend.readHead(client.in());
      client.in().readNBytes(4);
      read.countDown();
      // An end in order would make the part look like the whole.
      assertThatThrownBy(() -> client.in().read()).isInstanceOf(SocketException.class);
      assertThat(proxy.outcomes()).containsExactly(failed(FailureKind.BACKEND_CLOSED));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HT",
        "POST / HTTP/1.1\r\nHost: h\r\n",
      })
  void answers408WhenAHeadStops(String start) throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend, FaultTest::impatient);
        RawClient client = proxy.client()) {
      assertError(client.ask(start), FailureKind.REQUEST_TIMEOUT);
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(backend.requests()).isEmpty();
    }
  }

  @Test
  void answers408WhenABodyStops() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend, FaultTest::impatient);
        RawClient client = proxy.client()) {
      assertError(
          client.ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhe"),
          FailureKind.REQUEST_TIMEOUT);
      assertThat(client.isClosedByProxy()).isTrue();
      // Not the backend's fault.
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED);
      assertThat(backend.requests()).isEmpty();
    }
  }

  @Test
  void answers400WhenABodyTurnsOutMalformed() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n");
      Fixture.eventually("picked", () -> proxy.inFlight() == 1);
      assertError(client.ask("okay\r\n"), FailureKind.BAD_REQUEST);
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\r\nInjected\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      })
  void answers502ToABadResponse(String text) throws Exception {
    try (RawBackend backend = new RawBackend((request, exchange) -> exchange.send(text));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertError(client.get("/"), FailureKind.BAD_RESPONSE);
      // The client's connection is as good as before; the backend's is not used again.
      assertError(client.get("/"), FailureKind.BAD_RESPONSE);
      assertThat(backend.connections()).isEqualTo(2);
    }
  }

  @Test
  void doesNotReuseAConnectionThatSentMoreThanAsked() throws Exception {
    RawBackend.Script twice =
        (request, exchange) ->
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
    try (RawBackend backend = new RawBackend(twice);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertThat(client.get("/a").body()).isEqualTo("ok");
      assertThat(client.get("/b").body()).isEqualTo("ok");
      assertThat(backend.connections()).isEqualTo(2);
    }
  }

  @Test
  void closesBothSidesAfterAResponseThatDidNotWaitForTheBody() throws Exception {
    RawBackend.Script early =
        new RawBackend.Script() {
          @Override
          public void beforeBody(RawBackend.Request request, RawBackend.Exchange exchange)
              throws IOException {
            exchange.send("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig");
          }

          @Override
          public void answer(RawBackend.Request request, RawBackend.Exchange exchange) {}
        };
    try (RawBackend backend = new RawBackend(early);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nstart");
      Fixture.eventually("answered", () -> proxy.outcomes().size() == 1);
      // Sent before the response is read: the rest is dropped, and no reset overtakes the response.
      client.send("y".repeat(100_000));
      client.send("y".repeat(100_000));
      RawClient.Response response = client.receive();
      assertThat(response.status()).isEqualTo(413);
      assertThat(response.value("connection")).isEqualTo("close");
      assertThat(response.body()).isEqualTo("big");
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(proxy.connections().backends()).isZero();
      assertThat(proxy.outcomes()).containsExactly(Outcome.SUCCEEDED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "half-close", "reset", "pipelined"})
  void cancelsTheExchangeOfAClientThatLeaves(String how) throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend backend = new RawBackend((request, exchange) -> await(release));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      switch (how) {
        case "half-close" -> client.endSending();
        case "reset" -> client.reset();
        case "pipelined" -> {
          // More than is read ahead, so that the proxy has stopped reading when the client leaves.
          client.send("GET /next HTTP/1.1\r\nHost: h\r\n\r\n".repeat(4000));
          client.endSending();
        }
        default -> client.leave();
      }
      Fixture.eventually("cancelled", () -> proxy.outcomes().size() == 1);
      assertThat(proxy.outcomes()).containsExactly(Outcome.CANCELLED);
      assertThat(proxy.inFlight()).isZero();
      assertThat(proxy.connections().backends()).isZero();
      release.countDown();
    }
  }
}
