package dev.herdlab.proxy;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The misbehaving backend is WireMock: a server that is not ours.
@Timeout(120)
class WireMockFaultTest {
  private static final Duration PATIENT = Duration.ofSeconds(30);
  private static final WireMockServer WIRE_MOCK =
      new WireMockServer(WireMockConfiguration.options().dynamicPort().bindAddress("127.0.0.1"));

  @BeforeAll
  static void start() {
    WIRE_MOCK.start();
  }

  @AfterAll
  static void stop() {
    WIRE_MOCK.stop();
  }

  @BeforeEach
  void reset() {
    WIRE_MOCK.resetAll();
    WIRE_MOCK.stubFor(any(urlEqualTo("/good")).willReturn(aResponse().withBody("good")));
  }

  private static Fixture proxy(Duration responseTimeout) throws Exception {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), WIRE_MOCK.port());
    return new Fixture(
        List.of(address),
        settings -> settings.withTimeouts(Timeouts.DEFAULT.withResponseHead(responseTimeout)));
  }

  @Test
  void servesWhatAServerOfAnotherMakeSends() throws Exception {
    try (Fixture proxy = proxy(PATIENT);
        RawClient client = proxy.client()) {
      for (int i = 0; i < 3; i++) {
        assertThat(client.get("/good").body()).contains("good");
      }
      assertThat(proxy.connections().backends()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void countsAreBackAtZeroAfterAFault(Fault fault) throws Exception {
    WIRE_MOCK.stubFor(any(urlEqualTo("/bad")).willReturn(aResponse().withFault(fault)));
    try (Fixture proxy = proxy(PATIENT)) {
      try (RawClient client = proxy.client()) {
        switch (fault) {
          case CONNECTION_RESET_BY_PEER, EMPTY_RESPONSE -> {
            RawClient.Response response = client.get("/bad");
            assertThat(response.status()).isEqualTo(502);
            assertThat(response.value("x-herdlab-cause")).isEqualTo("backend-closed");
          }
          case RANDOM_DATA_THEN_CLOSE -> {
            RawClient.Response response = client.get("/bad");
            assertThat(response.status()).isEqualTo(502);
            // Whichever comes first: a byte that no head may have, or the end.
            assertThat(response.value("x-herdlab-cause")).isIn("bad-response", "backend-closed");
          }
          // The head may be on its way to the client already when the bad chunk comes.
          case MALFORMED_RESPONSE_CHUNK -> assertFailsInTheMiddle(client);
        }
      }
      Fixture.eventually("ended", () -> proxy.outcomes().size() == 1);
      assertThat(proxy.outcomes().getFirst()).isInstanceOf(Outcome.Failed.class);
      assertThat(proxy.inFlight()).isZero();
      try (RawClient client = proxy.client()) {
        assertThat(client.get("/good").status()).isEqualTo(200);
      }
    }
  }

  private static void assertFailsInTheMiddle(RawClient client) {
    assertThatThrownBy(
            () -> {
              RawClient.Response response = client.get("/bad");
              if (response.status() == 502) {
                throw new IOException("502 as a whole");
              }
            })
        .isInstanceOfAny(IOException.class, NumberFormatException.class);
  }

  @Test
  void doesNotWaitForeverForAResponse() throws Exception {
    WIRE_MOCK.stubFor(any(anyUrl()).willReturn(aResponse().withFixedDelay(5_000)));
    try (Fixture proxy = proxy(Duration.ofMillis(300));
        RawClient client = proxy.client()) {
      long start = System.nanoTime();
      RawClient.Response response = client.get("/");
      assertThat(response.status()).isEqualTo(504);
      assertThat(response.value("x-herdlab-cause")).isEqualTo("response-timeout");
      // Never early.
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(300_000_000L);
      assertThat(proxy.outcomes())
          .containsExactly(new Outcome.Failed(FailureKind.RESPONSE_TIMEOUT));
    }
  }
}
