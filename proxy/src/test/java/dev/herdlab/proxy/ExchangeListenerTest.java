package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExchangeListenerTest {
  private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\n";

  private static List<String> outcomes(Fixture proxy) {
    return proxy.ended().stream().map(Fixture.Ended::outcome).toList();
  }

  @Test
  void hearsOfASuccessWithItsInstantsInOrder() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      long before = System.nanoTime();
      client.get("/");
      client.get("/");
      Fixture.eventually("reported", () -> proxy.ended().size() == 2);
      for (Fixture.Ended ended : proxy.ended()) {
        assertThat(ended.proxy()).isZero();
        assertThat(ended.backend()).isEqualTo("b0");
        assertThat(ended.outcome()).isEqualTo("ok");
        assertThat(ended.received()).isGreaterThan(before);
        assertThat(ended.picked()).isGreaterThanOrEqualTo(ended.received());
        assertThat(ended.endedNanos()).isGreaterThan(ended.picked());
      }
      assertThat(proxy.ended().get(1).received())
          .isGreaterThanOrEqualTo(proxy.ended().get(0).endedNanos());
    }
  }

  @Test
  void hearsWhatABackendDidWrong() throws Exception {
    RawBackend.Script script =
        (request, exchange) -> {
          if (request.line().contains("/error")) {
            exchange.send("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
          } else if (request.line().contains("/garbage")) {
            exchange.send("garbage\r\n\r\n");
          } else {
            exchange.close();
          }
        };
    try (RawBackend backend = new RawBackend(script);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.get("/error");
      client.get("/garbage");
      client.ask(POST + "Content-Length: 0\r\n\r\n");
      assertThat(outcomes(proxy)).containsExactly("error-status", "bad-response", "backend-closed");
      assertThat(proxy.ended()).allMatch(ended -> ended.backend().equals("b0"));
    }
  }

  @Test
  void hearsThatNobodyListens() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
    try (Fixture proxy = new Fixture(List.of(nobody), settings -> settings);
        RawClient client = proxy.client()) {
      client.get("/");
      assertThat(outcomes(proxy)).containsExactly("connect-failed");
    }
  }

  @Test
  void hearsOfARequestThatNothingWasPickedFor() throws Exception {
    try (Fixture proxy = new Fixture(List.of(), settings -> settings);
        RawClient client = proxy.client()) {
      client.get("/");
      assertThat(outcomes(proxy)).containsExactly("no-backend");
      assertThat(proxy.ended().getFirst().backend()).isEmpty();
      assertThat(proxy.ended().getFirst().picked()).isEqualTo(-1);
    }
  }

  @Test
  void hearsOfAClientThatLeaves() throws Exception {
    var never = new CountDownLatch(1);
    RawBackend.Script held =
        (request, exchange) -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    try (RawBackend backend = new RawBackend(held);
        Fixture proxy = Fixture.before(backend)) {
      RawClient client = proxy.client();
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      client.leave();
      Fixture.eventually("reported", () -> proxy.ended().size() == 1);
      assertThat(outcomes(proxy)).containsExactly("cancelled");
      never.countDown();
    }
  }

  @Test
  void hearsWhatAClientDidWrong() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy =
            Fixture.before(
                backend,
                settings ->
                    settings.withTimeouts(
                        settings.timeouts().withProgress(Duration.ofMillis(50))))) {
      try (RawClient client = proxy.client()) {
        // Both heads are whole, and neither request can begin.
        client.ask("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n");
      }
      try (RawClient client = proxy.client()) {
        client.ask(POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
      }
      assertThat(proxy.ended()).allMatch(ended -> ended.backend().isEmpty());
      try (RawClient client = proxy.client()) {
        client.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
        Fixture.eventually("picked", () -> proxy.inFlight() == 1);
        client.ask("zz\r\n");
      }
      try (RawClient client = proxy.client()) {
        client.ask(POST + "Content-Length: 9\r\n\r\nhalf");
      }
      assertThat(outcomes(proxy))
          .containsExactly("bad-request", "bad-request", "bad-request", "request-timeout");
    }
  }

  @Test
  void hearsNothingOfAConnectionWithoutAHead() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend)) {
      try (RawClient client = proxy.client()) {
        client.send("GET / HT");
      }
      try (RawClient client = proxy.client()) {
        client.ask("garbage\r\n\r\n");
      }
      Fixture.eventually("closed", () -> proxy.connections().clients() == 0);
      assertThat(proxy.ended()).isEmpty();
    }
  }
}
