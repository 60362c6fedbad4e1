package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@SuppressWarnings("StringConcatToTextBlock") // Line ends are CR LF, which a text block hides.
@Timeout(60)
class ForwardingTest {
  @Test
  void keepsConnectionsOnBothSides() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.get("/" + i).body()).isEqualTo("ok");
      }
      assertThat(backend.connections()).isEqualTo(1);
      assertThat(backend.requests()).hasSize(20);
      assertThat(backend.requests().get(7).line()).isEqualTo("GET /7 HTTP/1.1");
      assertThat(proxy.outcomes()).hasSize(20).containsOnly(Outcome.SUCCEEDED);
      assertThat(proxy.connections()).isEqualTo(new ProxyState.Connections(1, 1, 1, 0));
    }
  }

  @Test
  void removesWhatBelongsToTheHopAndAddsItsOwn() throws Exception {
    try (RawBackend backend =
            new RawBackend(
                (request, exchange) ->
                    exchange.send(
                        "HTTP/1.1 200 Fine\r\nConnection: X-Drop\r\nX-Drop: 1\r\nKeep-Alive: 5\r\n"
                            + "Via: 1.1 other\r\nX-Keep: 2\r\nContent-Length: 0\r\n\r\n"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response response =
          client.ask(
              "GET /x HTTP/1.1\r\nHost: example:81\r\nConnection: keep-alive, X-Mine\r\n"
                  + "X-Mine: secret\r\nTE: trailers\r\nUpgrade: websocket\r\n"
                  + "Proxy-Connection: keep-alive\r\nX-Forwarded-For: 10.1.1.1\r\n"
                  + "X-Forwarded-For: 10.2.2.2\r\nX-Other: stays \t\r\nVia: 1.0 front\r\n\r\n");
      assertThat(backend.requests().getFirst().head())
          .isEqualTo(
              "GET /x HTTP/1.1\r\nHost: example:81\r\nX-Other: stays \t\r\nVia: 1.0 front\r\n"
                  + "via: 1.1 herdlab\r\nx-forwarded-for: 10.1.1.1, 10.2.2.2, 127.0.0.1\r\n\r\n");
      assertThat(response.head())
          .isEqualTo(
              "HTTP/1.1 200 Fine\r\nVia: 1.1 other\r\nX-Keep: 2\r\nContent-Length: 0\r\n"
                  + "via: 1.1 herdlab\r\n\r\n");
    }
  }

  @Test
  void addsStampsToARequestOfTheLab() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      long before = System.nanoTime();
      RawClient.Response response =
          client.ask(
              "GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 5\r\nx-herdlab-service: 9\r\n\r\n");
      long after = System.nanoTime();
      assertThat(response.value("x-herdlab-proxy")).isEqualTo("0");
      List<Long> stamps =
          List.of(response.value("x-herdlab-proxy-stamps").split(",", -1)).stream()
              .map(Long::valueOf)
              .toList();
      assertThat(stamps).hasSize(4).isSorted();
      assertThat(stamps.getFirst()).isGreaterThanOrEqualTo(before);
      assertThat(stamps.getLast()).isLessThanOrEqualTo(after);
      RawBackend.Request seen = backend.requests().getFirst();
      assertThat(seen.values("x-herdlab-request")).containsExactly("5");
      assertThat(seen.values("x-herdlab-service")).containsExactly("9");
      assertThat(client.get("/").values("x-herdlab-proxy-stamps")).isEmpty();
    }
  }

  @Test
  void noBackendSpeaksForTheProxy() throws Exception {
    RawBackend.Script forged =
        (request, exchange) ->
            exchange.send(
                "HTTP/1.1 200 OK\r\nX-Herdlab-Cause: no-backend\r\nx-herdlab-proxy: 7\r\nA: 1\r\n"
                    + "x-herdlab-proxy-stamps: 1,2,3,4\r\nContent-Length: 0\r\n\r\n");
    try (RawBackend backend = new RawBackend(forged);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertThat(client.get("/").head())
          .isEqualTo("HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 0\r\nvia: 1.1 herdlab\r\n\r\n");
      RawClient.Response asked =
          client.ask("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 5\r\n\r\n");
      assertThat(asked.values("x-herdlab-proxy")).containsExactly("0");
      assertThat(asked.values("x-herdlab-proxy-stamps")).hasSize(1).doesNotContain("1,2,3,4");
    }
  }

  @Test
  void forwardsBodiesOfEveryFraming() throws Exception {
    RawBackend.Script echo =
        (request, exchange) -> {
          if (request.values("transfer-encoding").isEmpty()) {
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Length: "
                    + request.body().length()
                    + "\r\n\r\n"
                    + request.body());
          } else {
            exchange.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n"
                    + request.body());
          }
        };
    try (RawBackend backend = new RawBackend(echo);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      for (int length : new int[] {0, 1, 2000, 2048, 2049, 70_000, 1_000_000}) {
        String body = "0123456789".repeat(length / 10 + 1).substring(0, length);
        String head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
        assertThat(client.ask(head + body).body()).isEqualTo(body);
      }
      String chunks = "5;x=\"y\"\r\nhello\r\n3\r\nabc\r\n0\r\nT: 1\r\n\r\n";
      assertThat(
              client
                  .ask("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
                  .body())
          .isEqualTo(chunks);
      assertThat(backend.connections()).isEqualTo(1);
    }
  }

  @Test
  void forwardsARequestThatComesByteByByte() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      String request =
          "POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
      for (int i = 0; i < request.length(); i++) {
        client.send(request.substring(i, i + 1));
      }
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(backend.requests().getFirst().body()).isEqualTo("3\r\nabc\r\n0\r\n\r\n");
    }
  }

  @Test
  void servesPipelinedRequestsOneAfterTheOther() throws Exception {
    RawBackend.Script slowFirst =
        (request, exchange) -> {
          // If the second were forwarded before the first was answered, its bytes would be here
          // already.
          assertThat(exchange.in().available()).isZero();
          exchange.send(
              "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + request.line().substring(4, 6));
        };
    try (RawBackend backend = new RawBackend(slowFirst);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 10; i++) {
        all.append("GET /").append(i).append(" HTTP/1.1\r\nHost: h\r\n\r\n");
      }
      client.send(all.toString());
      for (int i = 0; i < 10; i++) {
        assertThat(client.receive().body()).isEqualTo("/" + i);
      }
      assertThat(backend.requests()).hasSize(10);
    }
  }

  @Test
  void sendsNoBodyWhereThereIsNone() throws Exception {
    RawBackend.Script bodiless =
        (request, exchange) ->
            exchange.send(
                switch (request.line().split(" ", -1)[1]) {
                  case "/head" -> "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n";
                  case "/204" -> "HTTP/1.1 204 No Content\r\nContent-Length: 7\r\n\r\n";
                  default -> "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n";
                });
    try (RawBackend backend = new RawBackend(bodiless);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("HEAD /head HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.receive(true).value("content-length")).isEqualTo("500");
      // A length says nothing in a 204, so it is not passed on; in a 304 it does.
      assertThat(client.get("/204").values("content-length")).isEmpty();
      assertThat(client.get("/304").value("content-length")).isEqualTo("9");
      assertThat(backend.connections()).isEqualTo(1);
    }
  }

  @Test
  void passesInterimResponsesOnAndKeepsWaiting() throws Exception {
    RawBackend.Script script =
        new RawBackend.Script() {
          @Override
          public void beforeBody(RawBackend.Request request, RawBackend.Exchange exchange)
              throws java.io.IOException {
            if (!request.values("expect").isEmpty()) {
              exchange.send("HTTP/1.1 100 Continue\r\n\r\n");
            }
          }

          @Override
          public void answer(RawBackend.Request request, RawBackend.Exchange exchange)
              throws java.io.IOException {
            exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Length: "
                    + request.body().length()
                    + "\r\n\r\n"
                    + (request.line().startsWith("HEAD") ? "" : request.body()));
          }
        };
    try (RawBackend backend = new RawBackend(script);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send(
          "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(100);
      client.send("body");
      RawClient.Response hints = client.receive();
      assertThat(hints.status()).isEqualTo(103);
      assertThat(hints.value("link")).isEqualTo("</a>");
      assertThat(client.receive().body()).isEqualTo("body");
      // Interim responses and HEAD, pipelined: each final response is taken for its own request.
      client.send(
          "GET /a HTTP/1.1\r\nHost: h\r\n\r\nHEAD /b HTTP/1.1\r\nHost: h\r\n\r\n"
              + "GET /c HTTP/1.1\r\nHost: h\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(103);
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(client.receive().status()).isEqualTo(103);
      assertThat(client.receive(true).status()).isEqualTo(200);
      assertThat(client.receive().status()).isEqualTo(103);
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(proxy.outcomes()).hasSize(4).containsOnly(Outcome.SUCCEEDED);
    }
  }

  @Test
  void closesAfterAResponseThatEndsWithItsConnection() throws Exception {
    RawBackend.Script untilClose =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(100_000));
          exchange.close();
        };
    try (RawBackend backend = new RawBackend(untilClose);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response response = client.get("/");
      assertThat(response.value("connection")).isEqualTo("close");
      assertThat(response.body()).hasSize(100_000);
      assertThat(proxy.outcomes()).containsExactly(Outcome.SUCCEEDED);
      assertThat(proxy.connections().backends()).isZero();
    }
  }

  @Test
  void obeysConnectionCloseOfEitherSide() throws Exception {
    RawBackend.Script closing =
        (request, exchange) ->
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
                    + (request.line().contains("/close") ? "Connection: close\r\n" : "")
                    + "\r\nok");
    try (RawBackend backend = new RawBackend(closing);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response response = client.get("/close");
      assertThat(response.values("connection")).isEmpty();
      assertThat(client.get("/").status()).isEqualTo(200);
      assertThat(backend.connections()).isEqualTo(2);
      RawClient.Response last =
          client.ask("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
      assertThat(last.value("connection")).isEqualTo("close");
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(backend.requests().getLast().values("connection")).isEmpty();
      assertThat(backend.connections()).isEqualTo(2);
    }
  }

  @Test
  void servesAnHttp10Client() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response kept = client.ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
      assertThat(kept.value("connection")).isEqualTo("keep-alive");
      RawClient.Response last = client.ask("GET / HTTP/1.0\r\n\r\n");
      assertThat(last.value("connection")).isEqualTo("close");
      assertThat(client.isClosedByProxy()).isTrue();
      assertThat(backend.requests().getFirst().line()).isEqualTo("GET / HTTP/1.0");
    }
  }

  @Test
  void makesAnAbsoluteTargetOriginFormAndLetsItNameTheHost() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.ask("GET http://right:8/p?q HTTP/1.1\r\nHost: wrong\r\nX: 1\r\n\r\n");
      client.ask("GET http://right?q HTTP/1.1\r\nHost: wrong\r\n\r\n");
      client.ask("OPTIONS http://right HTTP/1.1\r\nHost: wrong\r\n\r\n");
      client.ask("OPTIONS http://right/ HTTP/1.1\r\nHost: wrong\r\n\r\n");
      assertThat(backend.requests().getFirst().values("host")).containsExactly("right:8");
      assertThat(backend.requests().getFirst().values("x")).containsExactly("1");
      assertThat(backend.requests())
          .extracting(RawBackend.Request::line)
          .containsExactly(
              "GET /p?q HTTP/1.1", "GET /?q HTTP/1.1", "OPTIONS * HTTP/1.1", "OPTIONS / HTTP/1.1");
    }
  }

  @Test
  void forwardsABackendsErrorAsItIsAndCountsIt() throws Exception {
    RawBackend.Script broken =
        (request, exchange) ->
            exchange.send("HTTP/1.1 500 Broken\r\nContent-Length: 4\r\n\r\noops");
    try (RawBackend backend = new RawBackend(broken);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response response = client.get("/");
      assertThat(response.status()).isEqualTo(500);
      assertThat(response.body()).isEqualTo("oops");
      assertThat(response.values("x-herdlab-cause")).isEmpty();
      assertThat(proxy.outcomes())
          .containsExactly(new Outcome.Failed(dev.herdlab.balancer.FailureKind.ERROR_STATUS));
      assertThat(backend.connections()).isEqualTo(1);
    }
  }
}
