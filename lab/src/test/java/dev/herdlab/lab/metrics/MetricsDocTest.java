package dev.herdlab.lab.metrics;

import static dev.herdlab.lab.metrics.MeteredSystem.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.report.Samples;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every metric is declared, shown and documented: `docs/metrics.md` is written from the
/// declarations, rewritten only with `-Dgolden.update=true`, and scrapes show the same.
class MetricsDocTest {
  private static final Path FILE = Path.of("..", "docs", "metrics.md");

  private static final Map<String, List<Declaration>> BY_PROCESS = new LinkedHashMap<>();

  static {
    BY_PROCESS.put("proxy", ProxyMetrics.declared());
    BY_PROCESS.put("backend", BackendMetrics.declared());
    BY_PROCESS.put("loadgen", GeneratorMetrics.declared());
    BY_PROCESS.put("lab", LabMetrics.declared());
  }

  @Test
  void documentShowsTheDeclarationsAsTheyAre() throws IOException {
    String document = document();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, document);
    }

    assertThat(Files.readString(FILE))
        .as("docs/metrics.md; rewrite it with: mvn -pl lab test -Dgolden.update=true")
        .isEqualTo(document);
  }

  @Test
  void eachProcessShowsWhatItDeclaresAndNothingElse() throws Exception {
    for (Map.Entry<String, Scrape> each : scrapes().entrySet()) {
      Map<String, String> expected = new TreeMap<>();
      Stream.concat(BY_PROCESS.get(each.getKey()).stream(), ProcessMetrics.declared().stream())
          .forEach(it -> expected.put(it.name(), it.kind().name().toLowerCase(Locale.ROOT)));

      assertThat(each.getValue().types()).as(each.getKey()).isEqualTo(expected);
    }
  }

  @Test
  void promtoolFindsNothingToComplainOf() throws Exception {
    Optional<Path> promtool = onPath("promtool");
    if ("true".equals(System.getenv("CI"))) {
      assertThat(promtool).as("promtool").isPresent();
    }
    assumeThat(promtool).isPresent();
    for (Map.Entry<String, Scrape> each : scrapes().entrySet()) {
      Process check =
          new ProcessBuilder(promtool.orElseThrow().toString(), "check", "metrics")
              .redirectErrorStream(true)
              .start();
      try (var in = check.getOutputStream()) {
        in.write(each.getValue().asText().getBytes(StandardCharsets.UTF_8));
      }
      String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(check.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(said).as(each.getKey()).isEmpty();
      assertThat(check.exitValue()).isZero();
    }
  }

  private static Optional<Path> onPath(String program) {
    String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin:/usr/bin";
    return Stream.of(path.split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// A text scrape of each process after some traffic.
  private static Map<String, Scrape> scrapes() throws Exception {
    Map<String, Scrape> scrapes = new LinkedHashMap<>();
    try (MeteredSystem system = new MeteredSystem(2)) {
      system.install("p2c", new ViewSpec.Shared(), "shared", "1");
      system.generatorMetrics.label("a", "p2c", "shared");
      system.run("a", 10, MILLI, MILLI);
      scrapes.put("proxy", Scrape.text(system.proxyServer));
      scrapes.put("backend", Scrape.text(system.backendServer));
      scrapes.put("loadgen", Scrape.text(system.generatorServer));
    }
    MetricsRegistry registry = MeteredSystem.process("lab");
    LabMetrics metrics = new LabMetrics(registry);
    CellResult cell = Samples.run().cells().getFirst();
    metrics.begin("1", cell.plan(), Instant.ofEpochSecond(1));
    metrics.predict(cell.plan(), new Quantiles(1, 2, 3, 4));
    metrics.finish(cell, new CellResult.Accounting(2, 1, Map.of("connect-failed", 1L)));
    try (MetricsServer server = MetricsServer.start("127.0.0.1:0", registry)) {
      scrapes.put("lab", Scrape.text(server));
    }
    return scrapes;
  }

  private static String document() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # Metrics

        Written from the declarations by `MetricsDocTest`; do not edit. Each process serves its
        metrics at `/metrics` on a port of its own (key `metrics`), in text, OpenMetrics or
        protobuf, as the scraper asks. Everything is in base units.

        - Distributions are native histograms (schema 5: a bucket is 2.2 % wide; at most 400, which
          span 12 octaves before they get coarser). Prometheus takes these with protobuf alone
          (`--enable-feature=native-histograms`). Beside them stand classic buckets, in every
          format: six to a decade from 100 us to 60 s for what clients wait for, three to a decade
          from 1 us to 5 s for what the machinery takes.
        - A scrape shows all requests that had ended when it came: it asks the loop for its newest
          events and for its state, both at the same instant. A loop that does not answer within a
          second leaves what was known.
        - Labels are bounded. Series of backends and proxies that are gone are removed, counters once
          a scrape has shown their last request; of pairs of algorithm and view the 16 used last
          are kept; names beyond 4096 are called `other`.
        - What bears the label `quantile` was computed from raw samples by the lab, and is untyped:
          Prometheus wants that label at summaries alone.
        """);
    BY_PROCESS.forEach((process, declared) -> append(out, "`" + process + "`", declared));
    append(out, "Every process", ProcessMetrics.declared());
    return out.toString();
  }

  private static void append(StringBuilder out, String title, List<Declaration> declared) {
    out.append("\n## ").append(title).append("\n\n");
    out.append("| metric | type | unit | labels | meaning |\n|-|-|-|-|-|\n");
    for (Declaration each : declared) {
      String labels = each.labels().isEmpty() ? "" : "`" + String.join("`, `", each.labels()) + "`";
      out.append(
          "| `%s` | %s | %s | %s | %s |\n"
              .formatted(
                  each.name(),
                  each.kind().name().toLowerCase(Locale.ROOT),
                  each.unit(),
                  labels,
                  each.description()));
    }
  }
}
