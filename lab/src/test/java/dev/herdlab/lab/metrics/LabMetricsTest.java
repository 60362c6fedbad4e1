package dev.herdlab.lab.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.lab.report.Samples;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabMetricsTest {
  private static final List<CellResult> CELLS = Samples.run().cells();
  private static final CellResult.Accounting ACCOUNTING =
      new CellResult.Accounting(100, 97, Map.of("connect-failed", 2L, "client-timeout", 1L));

  private final MetricsRegistry registry = new MetricsRegistry();
  private final LabMetrics metrics = new LabMetrics(registry);

  private Scrape scrape() throws Exception {
    try (MetricsServer server = MetricsServer.start("127.0.0.1:0", registry)) {
      return Scrape.text(server);
    }
  }

  private static String of(String metric, CellResult cell, String quantile) {
    return "%s{algorithm=\"%s\",view=\"%s\",quantile=\"%s\"}"
        .formatted(metric, cell.plan().algorithm(), cell.plan().view(), quantile);
  }

  @Test
  void showThePhaseThatRunsNowAndNoOther() throws Exception {
    metrics.begin("1", CELLS.get(0).plan(), Instant.ofEpochMilli(1_500));
    metrics.begin("2", CELLS.get(3).plan(), Instant.ofEpochMilli(61_500));
    Scrape scrape = scrape();

    assertThat(scrape.series().keySet())
        .filteredOn(name -> name.startsWith("herdlab_phase_info"))
        .containsExactly(
            "herdlab_phase_info{algorithm=\"least-conn\",backends=\"16\",phase=\"2\","
                + "proxies=\"16\",view=\"shared-stale(refresh=4)\"}");
    assertThat(scrape.value("herdlab_phase_start_timestamp_seconds")).isEqualTo(61.5);
    assertThat(scrape.value("herdlab_phase_switches_total")).isEqualTo(2);
    assertThat(scrape.value("herdlab_unit_seconds")).isEqualTo(0.01);
  }

  @Test
  void keepThePredictionOfEachPair() throws Exception {
    metrics.predict(CELLS.get(0).plan(), new Quantiles(1, 2, 3, 1.5));
    metrics.predict(CELLS.get(3).plan(), new Quantiles(4, 5, 6, 4.5));
    Scrape scrape = scrape();

    String model = "herdlab_model_latency_seconds";
    assertThat(scrape.value(of(model, CELLS.get(0), "0.95"))).isEqualTo(0.02);
    assertThat(scrape.value(of(model, CELLS.get(3), "0.5"))).isEqualTo(0.04);
    assertThat(scrape.value(of(model, CELLS.get(3), "0.99"))).isEqualTo(0.06);
  }

  @Test
  void showHowAPhaseCameOut() throws Exception {
    CellResult cell = CELLS.get(3);
    CellResult.Comparison comparison = cell.comparison().orElseThrow();
    metrics.finish(cell, ACCOUNTING);
    Scrape scrape = scrape();

    double measured = scrape.value(of("herdlab_measured_latency_seconds", cell, "0.99"));
    double replay = scrape.value(of("herdlab_replay_latency_seconds", cell, "0.99"));
    assertThat(measured).isEqualTo(comparison.measured().p99() * 0.01);
    assertThat(replay).isEqualTo(comparison.replay().p99() * 0.01);
    assertThat(scrape.value(of("herdlab_twin_latency_seconds", cell, "0.95")))
        .isEqualTo(comparison.twin().p95().mean() * 0.01);
    assertThat(scrape.value(of("herdlab_difference_ratio", cell, "0.99")))
        .isCloseTo(measured / replay - 1, within(1e-12));
    assertThat(scrape.value(of("herdlab_twin_agrees", cell, "0.5")))
        .isEqualTo(comparison.twin().p50().agrees() ? 1 : 0);
    String valid = "herdlab_run_valid{algorithm=\"least-conn\",view=\"shared-stale(refresh=4)\"}";
    assertThat(scrape.value(valid)).isEqualTo(cell.verdict().orElseThrow().valid() ? 1 : 0);
  }

  @Test
  void addUpTheAccountingOfAllPhases() throws Exception {
    metrics.finish(CELLS.get(0), ACCOUNTING);
    metrics.finish(CELLS.get(3), ACCOUNTING);
    Scrape scrape = scrape();

    String requests = "herdlab_phase_requests_total{outcome=\"%s\"}";
    assertThat(scrape.value(requests.formatted("sent"))).isEqualTo(200);
    assertThat(scrape.value(requests.formatted("completed"))).isEqualTo(194);
    assertThat(scrape.value(requests.formatted("connect-failed"))).isEqualTo(4);
    assertThat(scrape.value(requests.formatted("client-timeout"))).isEqualTo(2);
  }

  @Test
  void aPhaseWithoutNumbersIsNotValidAndLeavesThoseOfTheOneBefore() throws Exception {
    CellResult sound = CELLS.getFirst();
    List<CellResult> bad = Samples.withoutNumbers().cells().subList(1, 3);
    CellResult failed = bad.getFirst();
    metrics.finish(sound, ACCOUNTING);
    bad.forEach(cell -> metrics.finish(cell, ACCOUNTING));
    Scrape scrape = scrape();

    for (CellResult cell : bad) {
      String valid =
          "herdlab_run_valid{algorithm=\"%s\",view=\"%s\"}"
              .formatted(cell.plan().algorithm(), cell.plan().view());
      assertThat(scrape.value(valid)).isZero();
    }
    assertThat(scrape.series().keySet())
        .contains(Scrape.normal(of("herdlab_measured_latency_seconds", sound, "0.5")))
        .doesNotContain(Scrape.normal(of("herdlab_measured_latency_seconds", failed, "0.5")));
    assertThat(scrape.series().values()).doesNotContain(Double.NaN);
  }
}
