package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The control stream of components.
@Timeout(60)
final class ComponentProcessTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private static Settings settings(KeyTable keys, String... sets) {
    List<String> all = new ArrayList<>(Arrays.asList(sets));
    return Settings.bind(keys, Sources.read(Optional.empty(), all, Map.of()));
  }

  private static InputStream lines(String... lines) {
    return new ByteArrayInputStream(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
  }

  private static List<JsonNode> replies(StringWriter out) throws IOException {
    List<JsonNode> replies = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      replies.add(JSON.readTree(line));
    }
    return replies;
  }

  @Test
  void saysThatItIsReadyObeysAndEndsWithItsStream() throws IOException {
    StringWriter out = new StringWriter();

    Components.backend(
        settings(ComponentKeys.BACKEND, "control=stdin", "backends=2"),
        lines("{\"do\":\"collected\"}", "", "{\"do\":\"fly\"}", "no json", "{\"do\":\"collect\"}"),
        new PrintWriter(out));

    List<JsonNode> replies = replies(out);
    assertThat(replies).hasSize(5);
    assertThat(replies.get(0).path("event").asText()).isEqualTo("ready");
    assertThat(replies.get(0).path("component").asText()).isEqualTo("backend");
    assertThat(replies.get(0).path("ports")).hasSize(2).allMatch(port -> port.asInt() > 0);
    assertThat(replies.get(1).path("event").asText()).isEqualTo("done");
    assertThat(replies.get(1).has("loop_failure")).isFalse();
    assertThat(replies.get(2))
        .isEqualTo(
            JSON.readTree(
                "{\"event\":\"failed\",\"do\":\"fly\",\"error\":\"do: fly (expected: collect or"
                    + " collected)\"}"));
    assertThat(replies.get(3).path("event").asText()).isEqualTo("failed");
    assertThat(replies.get(4).path("gc_ns").asLong()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void generatorRefusesToHandOverARunThatIsUnderWay() throws IOException {
    Path file = folder.resolve("trace.csv.gz");
    Trace.of(1, new long[] {Long.MAX_VALUE / 4}, new int[1], new long[] {1}).write(file);
    StringWriter out = new StringWriter();

    Components.loadgen(
        settings(ComponentKeys.LOADGEN, "control=stdin", "proxies=127.0.0.1:1"),
        lines(
            "{\"do\":\"begin\",\"trace\":\"%s\",\"epoch_ns\":%d}"
                .formatted(file, System.nanoTime()),
            "{\"do\":\"finish\",\"file\":\"%s\"}".formatted(folder.resolve("requests.csv.gz")),
            "{\"do\":\"begin\",\"trace\":\"%s\",\"epoch_ns\":%d}"
                .formatted(file, System.nanoTime())),
        new PrintWriter(out));

    List<JsonNode> replies = replies(out);
    assertThat(replies.get(1).path("event").asText()).isEqualTo("done");
    assertThat(replies.get(2).path("error").asText())
        .isEqualTo("finish: the run is under way (expected: over)");
    assertThat(replies.get(3).path("error").asText()).startsWith("run: one is under way");
  }

  @Test
  void componentsWorkTogetherWithoutALab() throws Exception {
    try (BackendComponent backends =
            BackendComponent.of(settings(ComponentKeys.BACKEND, "backends=2"));
        ProxyComponent proxies =
            ProxyComponent.of(
                settings(
                    ComponentKeys.PROXY,
                    "instances=2",
                    "backends=" + addresses(backends.start()),
                    "algorithm=least-conn"),
                Algorithms.builtIn())) {
      Optional<Components.Sent> sent =
          Components.loadgen(
              settings(
                  ComponentKeys.LOADGEN,
                  "proxies=" + addresses(proxies.start()),
                  "unit=5ms",
                  "rate=1",
                  "requests=60",
                  "warmup=0"),
              InputStream.nullInputStream(),
              new PrintWriter(new StringWriter()));

      assertThat(sent.orElseThrow().run().entries()).hasSize(60).allMatch(RunLog.Entry::ok);
      assertThat(proxies.obey("log", json(folder.resolve("log")))).containsEntry("in_flight", 0L);
    }
  }

  private static JsonNode json(Path file) {
    return JSON.createObjectNode().put("file", file.toString());
  }

  private static String addresses(Map<String, Object> ready) {
    return String.join(
        ",", ((List<?>) ready.get("ports")).stream().map(port -> "127.0.0.1:" + port).toList());
  }

  @Test
  void proxiesThatCannotBeReachedAreAnErrorInOneLine() {
    Settings settings = settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1");

    assertThatThrownBy(
            () ->
                Components.loadgen(
                    settings, InputStream.nullInputStream(), new PrintWriter(new StringWriter())))
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith("proxy 0 (127.0.0.1:1): ")
        .hasLineCount(1);
  }

  @Test
  void settingsThatDoNotFitAreRefusedWithTheirOrigin() {
    // Their own errors say what was expected; it is not said twice.
    assertRefused(
        "--set service: service 'gamma', column 1: gamma (expected: ",
        () -> BackendComponent.of(settings(ComponentKeys.BACKEND, "service=gamma")));
    assertRefused(
        "--set backends: a=127.0.0.1:1,a=127.0.0.1:2 (expected: ids that differ; a is there twice)",
        () ->
            ProxyComponent.of(
                settings(ComponentKeys.PROXY, "backends=a=127.0.0.1:1,a=127.0.0.1:2"),
                Algorithms.builtIn()));
    assertRefused(
        "--set arrivals: ",
        () ->
            Components.loadgen(
                settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1", "arrivals=never"),
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter())));
    assertRefused(
        "--set algorithm: ",
        () ->
            ProxyComponent.of(
                settings(ComponentKeys.PROXY, "backends=127.0.0.1:1", "algorithm=p3c"),
                Algorithms.builtIn()));
    assertRefused(
        "--set pool-warm: 9 (expected: at most pool-cap)",
        () ->
            ProxyComponent.of(
                settings(ComponentKeys.PROXY, "backends=127.0.0.1:1", "pool-warm=9", "pool-cap=8"),
                Algorithms.builtIn()));
    assertRefused(
        "--set backends: 127.0.0.1 (expected: HOST:PORT or ID=HOST:PORT of a known host)",
        () ->
            ProxyComponent.of(
                settings(ComponentKeys.PROXY, "backends=127.0.0.1"), Algorithms.builtIn()));
    assertRefused(
        "--set speeds: 1,2 (expected: one for each backend, 3 of them)",
        () -> BackendComponent.of(settings(ComponentKeys.BACKEND, "backends=3", "speeds=1,2")));
    assertRefused(
        "--set spin: 2ms (expected: at most 1ms)",
        () -> BackendComponent.of(settings(ComponentKeys.BACKEND, "spin=2ms")));
    assertRefused(
        "--set warmup: 10 (expected: fewer than the requests)",
        () ->
            GeneratorComponent.of(
                settings(
                    ComponentKeys.LOADGEN, "proxies=127.0.0.1:1", "requests=10", "warmup=10")));
    assertRefused(
        "proxies: not given (expected: HOST:PORT)", () -> settings(ComponentKeys.LOADGEN));
  }

  private static void assertRefused(String message, Runnable start) {
    assertThatThrownBy(start::run)
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith(message)
        .hasLineCount(1)
        .containsOnlyOnce("(expected: ");
  }
}
