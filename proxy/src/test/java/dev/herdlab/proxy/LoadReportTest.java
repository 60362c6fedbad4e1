package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSignal.LoadReport;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Load reports in responses.
@Timeout(60)
class LoadReportTest {
  private static final String REPORT =
      "Endpoint-Load-Metrics: TEXT cpu_utilization=0.5,rps_fractional=80,eps=1,"
          + "named_metrics.in_flight=4\r\n";
  private static final LoadReport READ = new LoadReport("b0", 4, 0.5, 80, 1);

  private static RawBackend.Script answering(String fields, String body) {
    return (request, exchange) -> exchange.send("HTTP/1.1 200 OK\r\n" + fields + "\r\n" + body);
  }

  private static List<String> asked(RawBackend backend) {
    return backend.requests().getLast().values("x-herdlab-report");
  }

  @Test
  void aReportIsAskedForAndHeardBeforeTheCompletion() throws Exception {
    try (RawBackend backend = new RawBackend(answering(REPORT + "Content-Length: 2\r\n", "ok"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      RawClient.Response response = client.get("/");
      assertThat(response.body()).isEqualTo("ok");
      assertThat(response.values("endpoint-load-metrics")).isEmpty();
      assertThat(asked(backend)).containsExactly("1");
      assertThat(balancer.heard()).containsExactly(READ, Outcome.SUCCEEDED);
      assertThat(proxy.pool.state().instances().getFirst().signals().reports()).isEqualTo(1);
    }
  }

  @Test
  void oneThatEndsWithItsConnectionIsHeardToo() throws Exception {
    RawBackend.Script untilClose =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\n" + REPORT + "\r\nok");
          exchange.close();
        };
    try (RawBackend backend = new RawBackend(untilClose);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(balancer.heard()).containsExactly(READ, Outcome.SUCCEEDED);
    }
  }

  @Test
  void aFailingBackendsReportIsHeardWithItsFailure() throws Exception {
    RawBackend.Script failing =
        (request, exchange) ->
            exchange.send("HTTP/1.1 500 Oops\r\n" + REPORT + "Content-Length: 0\r\n\r\n");
    try (RawBackend backend = new RawBackend(failing);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      assertThat(client.get("/").status()).isEqualTo(500);
      assertThat(balancer.heard())
          .containsExactly(READ, new Outcome.Failed(FailureKind.ERROR_STATUS));
    }
  }

  @Test
  void aResponseThatBreaksOffReportsNothing() throws Exception {
    RawBackend.Script breaking =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\n" + REPORT + "Content-Length: 9\r\n\r\nok");
          exchange.close();
        };
    try (RawBackend backend = new RawBackend(breaking);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      proxy.eventuallyIdle();
      Fixture.eventually("completed", () -> balancer.heard().size() == 1);
      assertThat(balancer.heard()).containsExactly(new Outcome.Failed(FailureKind.BACKEND_CLOSED));
    }
  }

  @Test
  void oneThatCanNotBeReadIsCountedAndHarmless() throws Exception {
    try (RawBackend backend =
            new RawBackend(
                answering("Endpoint-Load-Metrics: TEXT eps=x\r\nContent-Length: 2\r\n", "ok"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(balancer.heard()).containsExactly(Outcome.SUCCEEDED, Outcome.SUCCEEDED);
      ProxyState.Signals signals = proxy.pool.state().instances().getFirst().signals();
      assertThat(signals.unreadableReports()).isEqualTo(2);
      assertThat(signals.reports()).isZero();
    }
  }

  @Test
  void nobodyIsAskedUnlessTheBalancerWants() throws Exception {
    try (RawBackend backend = new RawBackend(answering(REPORT + "Content-Length: 2\r\n", "ok"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      // Nor for a client that asks: its proxy would keep the answer.
      client.send("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-report: 1\r\n\r\n");
      RawClient.Response response = client.receive();
      assertThat(response.values("endpoint-load-metrics")).isEmpty();
      assertThat(asked(backend)).isEmpty();
      assertThat(balancer.heard()).containsExactly(Outcome.SUCCEEDED);
    }
  }

  @Test
  void theViewReportedShowsTheLastOne() throws Exception {
    try (RawBackend backend = new RawBackend(answering(REPORT + "Content-Length: 2\r\n", "ok"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      proxy.install("least-conn", "reported");
      assertThat(proxy.pool.state().instances().getFirst().viewInFlight()).containsExactly(0);
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(asked(backend)).containsExactly("1");
      assertThat(proxy.pool.state().instances().getFirst().viewInFlight()).containsExactly(4);
    }
  }

  @Test
  void aSwitchBeginsAndEndsTheAsking() throws Exception {
    try (RawBackend backend = new RawBackend(answering(REPORT + "Content-Length: 2\r\n", "ok"));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      var _ = client.get("/");
      assertThat(asked(backend)).isEmpty();
      WantingBalancer balancer = WantingBalancer.of(true, 0, false).installed(proxy);
      var _ = client.get("/");
      assertThat(asked(backend)).containsExactly("1");
      proxy.install("round-robin", "local");
      var _ = client.get("/");
      assertThat(asked(backend)).isEmpty();
      assertThat(balancer.heard()).containsExactly(READ, Outcome.SUCCEEDED);
    }
  }
}
