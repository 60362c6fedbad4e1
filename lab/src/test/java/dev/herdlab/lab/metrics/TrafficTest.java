package dev.herdlab.lab.metrics;

import static dev.herdlab.lab.metrics.MeteredSystem.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.workload.RunLog.Entry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What scrapes over HTTP show after known traffic over real sockets.
class TrafficTest {
  private static final ViewSpec STALE =
      new ViewSpec.SharedStale(4 * MILLI, ViewSpec.OwnPicks.IGNORED, ViewSpec.Phase.SYNC);

  @Test
  void allProcessesCountEachRequestOnce() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "first");
      system.generatorMetrics.label("a", "round-robin", "local");
      List<Entry> entries = system.run("a", 40, 5 * MILLI, MILLI).log().entries();
      assertThat(entries).hasSize(40).allMatch(Entry::ok);

      Map<String, Double> proxy = Scrape.text(system.proxyServer).series();
      Map<String, Double> backend = Scrape.text(system.backendServer).series();
      Map<String, Double> generator = Scrape.text(system.generatorServer).series();
      for (String p : List.of("0", "1")) {
        for (String b : List.of("b0", "b1")) {
          assertThat(proxy)
              .containsEntry(
                  "herdlab_proxy_requests_total{backend=\"%s\",outcome=\"ok\",proxy=\"%s\"}"
                      .formatted(b, p),
                  10.0)
              .containsEntry(
                  "herdlab_proxy_in_flight{backend=\"%s\",proxy=\"%s\"}".formatted(b, p), 0.0);
        }
        assertThat(proxy)
            .containsEntry("herdlab_proxy_pick_seconds_count{proxy=\"%s\"}".formatted(p), 20.0)
            .containsEntry(latencyCount(p, "round-robin", "local"), 20.0)
            .containsEntry("herdlab_proxy_backends{proxy=\"%s\"}".formatted(p), 2.0)
            .containsEntry("herdlab_proxy_switches_total{proxy=\"%s\"}".formatted(p), 1.0);
        assertThat(generator)
            .containsEntry(
                "herdlab_loadgen_requests_total{outcome=\"ok\",proxy=\"%s\"}".formatted(p), 20.0);
      }
      assertThat(generator)
          .containsEntry("herdlab_loadgen_sent_total", 40.0)
          .containsEntry("herdlab_loadgen_scheduled_total", 40.0)
          .containsEntry("herdlab_loadgen_in_flight", 0.0)
          .containsEntry("herdlab_loadgen_send_lag_seconds_count", 40.0)
          .containsEntry(
              "herdlab_loadgen_latency_seconds_count{algorithm=\"round-robin\",view=\"local\"}",
              40.0);
      assertThat(backend)
          .containsEntry("herdlab_backend_lateness_seconds_count", 40.0)
          .containsEntry("herdlab_backend_requests_total{backend=\"b0\",outcome=\"served\"}", 20.0)
          .containsEntry("herdlab_backend_service_seconds_count{backend=\"b1\"}", 20.0)
          .containsEntry("herdlab_backend_wait_seconds_count{backend=\"b1\"}", 20.0)
          .containsEntry("herdlab_backend_speed{backend=\"b1\"}", 1.0);
      assertThat(backend.get("herdlab_backend_busy_seconds_total{backend=\"b0\"}"))
          .isCloseTo(0.02, within(1e-9));
      assertThat(backend.get("herdlab_backend_service_seconds_sum{backend=\"b0\"}"))
          .isCloseTo(0.02, within(1e-9));
    }
  }

  private static String latencyCount(String proxy, String algorithm, String view) {
    return "herdlab_proxy_latency_seconds_count{algorithm=\"%s\",proxy=\"%s\",view=\"%s\"}"
        .formatted(algorithm, proxy, view);
  }

  @Test
  void whatBalancersHearIsCounted() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("lsq(samples=1,reports=true,idle=true)", new ViewSpec.Local(), "local", "");
      while (streams(system) < 2) {
        Thread.onSpinWait();
      }
      system.run("a", 20, 5 * MILLI, MILLI);
      double probes = 0;
      while (probes < 20) { // the last reply may come after its request's end
        Scrape scrape = Scrape.text(system.proxyServer);
        probes = ofBoth(scrape, "herdlab_proxy_probes_total{proxy=\"%s\",result=\"answered\"}");
      }

      Scrape scrape = Scrape.text(system.proxyServer);
      assertThat(ofBoth(scrape, "herdlab_proxy_probes_total{proxy=\"%s\",result=\"answered\"}"))
          .isEqualTo(20);
      assertThat(ofBoth(scrape, "herdlab_proxy_probes_total{proxy=\"%s\",result=\"lost\"}"))
          .isZero();
      assertThat(ofBoth(scrape, "herdlab_proxy_load_reports_total{proxy=\"%s\",result=\"read\"}"))
          .isEqualTo(20);
      assertThat(
              ofBoth(
                  scrape, "herdlab_proxy_load_reports_total{proxy=\"%s\",result=\"unreadable\"}"))
          .isZero();
      assertThat(ofBoth(scrape, "herdlab_proxy_idle_notices_total{proxy=\"%s\"}")).isPositive();
      assertThat(ofBoth(scrape, "herdlab_proxy_waiting{proxy=\"%s\"}")).isZero();
    }
  }

  private static double streams(MeteredSystem system) throws Exception {
    return Scrape.text(system.proxyServer).value("herdlab_proxy_idle_streams{proxy=\"0\"}");
  }

  private static double ofBoth(Scrape scrape, String series) {
    return scrape.value(series.formatted("0")) + scrape.value(series.formatted("1"));
  }

  @Test
  void requestsThatWaitAtTheProxyAreShown() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("limit(of=random,n=1,queue=10)", new ViewSpec.Local(), "local", "");
      var slow = system.begin("slow", 10, 0, 200 * MILLI);
      while (ofBoth(Scrape.text(system.proxyServer), "herdlab_proxy_waiting{proxy=\"%s\"}") < 6) {
        Thread.onSpinWait();
      }
      slow.get(30, TimeUnit.SECONDS);
      assertThat(ofBoth(Scrape.text(system.proxyServer), "herdlab_proxy_waiting{proxy=\"%s\"}"))
          .isZero();
    }
  }

  @Test
  void latencyIsThatOfTheLog() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "");
      system.generatorMetrics.label("a", "round-robin", "local");
      var run = system.run("a", 30, 5 * MILLI, MILLI);
      double sum =
          run.log().entries().stream()
              .mapToLong(e -> e.doneNanos() - run.trace().intendedNanos(e.request()))
              .sum();

      assertThat(
              Scrape.text(system.generatorServer)
                  .value(
                      "herdlab_loadgen_latency_seconds_sum{algorithm=\"round-robin\",view=\"local\"}"))
          .isCloseTo(sum / 1e9, within(1e-9));
    }
  }

  @Test
  void aRequestCountsForThePairThatPickedForIt() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "first");
      var slow = system.begin("slow", 2, 0, 200 * MILLI);
      while (system.backends.inFlight() < 2) {
        Thread.onSpinWait();
      }
      system.install("least-conn", STALE, "shared-stale(refresh=4)", "second");
      slow.get(30, TimeUnit.SECONDS);
      system.run("then", 4, MILLI, 0);

      Scrape scrape = Scrape.text(system.proxyServer);
      assertThat(scrape.value(latencyCount("0", "round-robin", "local"))).isEqualTo(1);
      assertThat(scrape.value(latencyCount("0", "least-conn", "shared-stale(refresh=4)")))
          .isEqualTo(2);
      assertThat(scrape.series().keySet())
          .filteredOn(name -> name.startsWith("herdlab_proxy_algorithm_info"))
          .containsExactly(
              info("0", "least-conn", "shared-stale(refresh=4)", "second"),
              info("1", "least-conn", "shared-stale(refresh=4)", "second"));
      assertThat(scrape.value("herdlab_proxy_view_refresh_seconds{proxy=\"0\"}")).isEqualTo(0.004);
      assertThat(scrape.value("herdlab_proxy_switches_total{proxy=\"0\"}")).isEqualTo(2);
    }
  }

  private static String info(String proxy, String algorithm, String view, String phase) {
    return "herdlab_proxy_algorithm_info{algorithm=\"%s\",phase=\"%s\",proxy=\"%s\",view=\"%s\"}"
        .formatted(algorithm, phase, proxy, view);
  }

  @Test
  void aBackendThatHasLeftIsGoneAfterItsLastRequestWasSeen() throws Exception {
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "");
      var slow = system.begin("slow", 4, 0, 100 * MILLI);
      while (system.backends.inFlight() < 4) {
        Thread.onSpinWait();
      }
      List<BackendAddress> stays = system.addresses().subList(0, 1);
      system.proxies.update(stays);
      slow.get(30, TimeUnit.SECONDS);

      assertThat(Scrape.text(system.proxyServer).series().keySet())
          .anyMatch(name -> name.contains("requests_total") && name.contains("\"b1\""))
          .noneMatch(name -> name.contains("in_flight") && name.contains("\"b1\""));
      assertThat(Scrape.text(system.proxyServer).series().keySet())
          .anyMatch(name -> name.contains("requests_total") && name.contains("\"b0\""))
          .noneMatch(name -> name.contains("\"b1\""));
    }
  }

  @Test
  void requestsInFlightAreShownAsTheProxyAndAsItsViewCountThem() throws Exception {
    try (MeteredSystem system = new MeteredSystem(1)) {
      system.install("round-robin", new ViewSpec.Shared(), "shared", "");
      var slow = system.begin("slow", 2, 0, 300 * MILLI);
      while (system.backends.inFlight() < 2) {
        Thread.onSpinWait();
      }
      Scrape scrape = Scrape.text(system.proxyServer);
      assertThat(scrape.value("herdlab_proxy_in_flight{backend=\"b0\",proxy=\"0\"}")).isEqualTo(1);
      assertThat(scrape.value("herdlab_proxy_view_in_flight{backend=\"b0\",proxy=\"0\"}"))
          .isEqualTo(2);
      assertThat(Scrape.text(system.generatorServer).value("herdlab_loadgen_in_flight"))
          .isEqualTo(2);
      assertThat(
              Scrape.text(system.backendServer).value("herdlab_backend_in_flight{backend=\"b0\"}"))
          .isEqualTo(2);
      slow.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void runsWithoutALabelAreCountedButTheirLatenciesAreNotKept() throws Exception {
    try (MeteredSystem system = new MeteredSystem(1)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "");
      system.run("burn-in", 4, MILLI, 0);

      Scrape scrape = Scrape.text(system.generatorServer);
      assertThat(scrape.value("herdlab_loadgen_sent_total")).isEqualTo(4);
      assertThat(scrape.asText()).doesNotContain("herdlab_loadgen_latency_seconds_count");
    }
  }

  @Test
  void aLoopThatHasEndedLeavesWhatWasKnown() throws Exception {
    try (MeteredSystem system = new MeteredSystem(1)) {
      system.install("round-robin", new ViewSpec.Local(), "local", "");
      system.run("a", 4, MILLI, 0);
      Scrape.text(system.generatorServer);
      system.loop.close();

      assertThat(Scrape.text(system.generatorServer).value("herdlab_loadgen_sent_total"))
          .isEqualTo(4);
    }
  }
}
