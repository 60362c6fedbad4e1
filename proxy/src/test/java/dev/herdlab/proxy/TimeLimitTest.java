package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that wait only so long, and backends that shed.
@SuppressWarnings("StringConcatToTextBlock") // Line ends are CR LF, which a text block hides.
@Timeout(60)
class TimeLimitTest {
  private static final long MILLI = 1_000_000;

  private static String request(long timeoutNanos) {
    return "GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 1\r\nx-herdlab-timeout: "
        + timeoutNanos
        + "\r\n\r\n";
  }

  @Test
  void givesUpForTheClientClosesTheBackendsConnectionAndKeepsTheClients() throws Exception {
    try (RawBackend backend = new RawBackend((request, exchange) -> {});
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      for (int i = 1; i <= 2; i++) {
        RawClient.Response response = client.ask(request(50 * MILLI));

        assertThat(response.status()).isEqualTo(504);
        assertThat(response.value("x-herdlab-cause")).isEqualTo("deadline-exceeded");
        assertThat(response.value("x-herdlab-backend")).isEqualTo("b0");
        // Received, picked and forwarded; nothing returned.
        assertThat(response.value("x-herdlab-proxy-stamps")).matches("\\d+,\\d+,\\d+,-1");
        int times = i;
        Fixture.eventually("closed", () -> backend.ended() == times);
      }
      assertThat(proxy.outcomes())
          .containsExactly(
              new Outcome.Failed(FailureKind.DEADLINE_EXCEEDED),
              new Outcome.Failed(FailureKind.DEADLINE_EXCEEDED));
      assertThat(proxy.ended())
          .allSatisfy(
              one -> {
                assertThat(one.outcome()).isEqualTo("deadline-exceeded");
                assertThat(one.endedNanos() - one.received()).isBetween(50 * MILLI, 5_000 * MILLI);
              });
      assertThat(backend.requests().getFirst().values("x-herdlab-timeout"))
          .containsExactly(String.valueOf(50 * MILLI));
    }
  }

  @Test
  void anAnswerInTimeEndsTheLimit() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      for (int i = 0; i < 20; i++) {
        assertThat(client.ask(request(3_600_000 * MILLI)).status()).isEqualTo(200);
      }
      assertThat(proxy.onLoop(proxy.loop::pendingDeadlines)).isLessThan(20);
      assertThat(
              client.ask("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-timeout: soon\r\n\r\n").status())
          .isEqualTo(200);
      assertThat(proxy.outcomes()).hasSize(21).containsOnly(Outcome.SUCCEEDED);
    }
  }

  @Test
  void aBackendThatShedsIsNotJustInError() throws Exception {
    try (RawBackend backend =
            new RawBackend(
                (request, exchange) ->
                    exchange.send(
                        "HTTP/1.1 503 Service Unavailable\r\nx-herdlab-refusal: shed\r\n"
                            + "Content-Length: 0\r\n\r\n"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      RawClient.Response response = client.get("/");

      assertThat(response.status()).isEqualTo(503);
      assertThat(response.value("x-herdlab-refusal")).isEqualTo("shed");
      assertThat(proxy.outcomes()).containsExactly(new Outcome.Failed(FailureKind.SHED));
    }
  }
}
