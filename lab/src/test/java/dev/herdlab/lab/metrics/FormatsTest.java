package dev.herdlab.lab.metrics;

import static dev.herdlab.lab.metrics.MeteredSystem.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.ViewSpec;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How metrics are served.
class FormatsTest {
  @Test
  void latenciesAreNativeHistogramsInProtobufAndClassicOnesInText() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "");
      system.generatorMetrics.label("a", "round-robin", "local");
      system.run("a", 40, 2 * MILLI, MILLI);

      Scrape protobuf = Scrape.protobuf(system.generatorServer);
      assertThat(protobuf.contentType()).startsWith("application/vnd.google.protobuf");
      assertThat(protobuf.nativeCounts())
          .containsEntry("herdlab_loadgen_latency_seconds", 40L)
          .containsEntry("herdlab_loadgen_send_lag_seconds", 40L);
      assertThat(Scrape.protobuf(system.proxyServer).nativeCounts())
          .containsEntry("herdlab_proxy_latency_seconds", 40L)
          .containsEntry("herdlab_proxy_pick_seconds", 40L);
      assertThat(Scrape.protobuf(system.backendServer).nativeCounts())
          .containsEntry("herdlab_backend_wait_seconds", 40L)
          .containsEntry("herdlab_backend_service_seconds", 40L)
          .containsEntry("herdlab_backend_lateness_seconds", 40L);

      Scrape text = Scrape.text(system.generatorServer);
      assertThat(text.contentType()).startsWith("text/plain");
      String series =
          "herdlab_loadgen_latency_seconds_bucket"
              + "{algorithm=\"round-robin\",view=\"local\",le=\"%s\"}";
      assertThat(text.value(series.formatted("1.0E-4"))).isZero();
      assertThat(text.value(series.formatted("60.0"))).isEqualTo(40);
      assertThat(text.value(series.formatted("+Inf"))).isEqualTo(40);

      Scrape open = Scrape.openMetrics(system.generatorServer);
      assertThat(open.contentType()).startsWith("application/openmetrics-text");
      assertThat(open.asText()).endsWith("# EOF\n");
      assertThat(open.value("herdlab_loadgen_sent_total")).isEqualTo(40);
    }
  }

  @Test
  void classicBucketsSpanWhatMayBe() {
    assertThat(Buckets.LATENCY.seconds()).isSorted().startsWith(1e-4, 1.5e-4).endsWith(40, 60);
    assertThat(Buckets.OVERHEAD.seconds()).isSorted().startsWith(1e-6, 2e-6).endsWith(2, 5);
  }

  /// 16 backends, 6 pairs of algorithm and view, as the design bounds it.
  @Test
  void aScrapeOfAProxyIsFarBelowAMegabyte() throws Exception {
    try (MeteredSystem system = new MeteredSystem(16)) {
      List<String> algorithms = List.of("round-robin", "least-conn", "p2c");
      for (String algorithm : algorithms) {
        for (String view : List.of("local", "shared-stale(refresh=4,own=true,phase=random)")) {
          system.install(algorithm, new ViewSpec.Local(), view, view + " " + algorithm);
          system.run("a", 64, MILLI / 5, MILLI / 2);
        }
      }
      // Two proxies.
      assertThat(Scrape.text(system.proxyServer).bytes()).isLessThan(150_000);
      assertThat(Scrape.protobuf(system.proxyServer).bytes()).isLessThan(150_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9400", ":9400", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536"})
  void refusesWhatIsNotAHostAndAPort(String text) {
    assertThatThrownBy(() -> MetricsServer.start(text, new MetricsRegistry()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("metrics: " + text + " (expected: HOST:PORT)");
  }

  @Test
  void saysInOneLineThatThePortIsTaken() throws Exception {
    try (MetricsServer server = MetricsServer.start("127.0.0.1:0", new MetricsRegistry())) {
      String taken = "127.0.0.1:" + server.port();
      assertThatThrownBy(() -> MetricsServer.start(taken, new MetricsRegistry()))
          .isInstanceOf(IOException.class)
          .hasMessage("metrics: " + taken + ": Address already in use");
    }
  }
}
