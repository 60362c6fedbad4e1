package dev.herdlab.lab.run;

import static dev.herdlab.lab.run.Running.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.workload.RunLog;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The life of components, and the settings that they refuse.
@Timeout(60)
final class ComponentProcessTest {
  @Test
  void saysThatItIsReadyAnswersAndEndsWithItsInput() throws Exception {
    Running backend = Running.backend("backends=2");
    try (backend) {
      assertThat(backend.ready().path("event").asText()).isEqualTo("ready");
      assertThat(backend.ready().path("component").asText()).isEqualTo("backend");
      assertThat(backend.ready().path("ports")).hasSize(2).allMatch(port -> port.asInt() > 0);
      assertThat(backend.admin().get("/health")).hasToString("{\"status\":\"ok\"}");
    }

    assertThat(backend.hasEnded()).isTrue();
    assertThatThrownBy(() -> backend.admin().within(java.time.Duration.ofSeconds(5)).get("/health"))
        .hasMessageContaining("");
  }

  @Test
  void everyProcessSaysWhoItIsAndWhatItUses() throws Exception {
    try (Running backend = Running.backend("backends=1")) {
      JsonNode state = backend.state();

      assertThat(state.path("component").asText()).isEqualTo("backend");
      assertThat(state.path("incarnation").asText()).hasSize(36);
      assertThat(state.path("scheduling").asText()).startsWith("default");
      assertThat(state.path("cpu_ns").asLong()).isPositive();
      assertThat(state.path("gc_ns").asLong()).isGreaterThanOrEqualTo(0);
      assertThat(state.path("stall_ns").asLong()).isGreaterThanOrEqualTo(0);
      assertThat(state.has("loop_failure")).isFalse();
    }
  }

  @Test
  void collectCollectsAndWatchesForStallsAnew() throws Exception {
    try (Running backend = Running.backend("backends=1")) {
      Running.await("a stall", () -> backend.state().path("stall_ns").asLong() > 0);
      long collections = backend.state().path("gc_ns").asLong();

      JsonNode collected = backend.admin().post("/collect");

      assertThat(collected.path("gc_ns").asLong()).isGreaterThan(collections);
      assertThat(collected.path("incarnation")).isEqualTo(backend.state().path("incarnation"));
      assertThat(backend.admin().post("/watch").path("stall_ns").asLong())
          .isLessThan(1_000_000_000L);
    }
  }

  @Test
  void clockIsThatOfThisHost() throws Exception {
    try (Running backend = Running.backend("backends=1")) {
      long before = System.nanoTime();
      JsonNode clock = backend.admin().get("/clock");
      long after = System.nanoTime();

      assertThat(clock.path("nanos").asLong()).isBetween(before, after);
      assertThat(ClockMapping.of(backend.admin())).isEqualTo(ClockMapping.SAME);
    }
  }

  @Test
  void portInUseIsSaidInOneLineAndNothingIsLeftOpen() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  Components.backend(
                      settings(
                          ComponentKeys.BACKEND,
                          "backends=1",
                          "admin=127.0.0.1:" + taken.getLocalPort()),
                      InputStream.nullInputStream(),
                      new PrintWriter(new StringWriter())))
          .isInstanceOf(ConfigException.class)
          .message()
          .startsWith("admin: cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .hasLineCount(1);
    }
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("herdlab-hiccup") && thread.isAlive());
  }

  @Test
  void componentsWorkTogetherWithoutALab() throws Exception {
    try (Running backends = Running.backend("backends=2");
        Running proxies =
            Running.proxy("instances=2", "backends=" + backends.data(), "algorithm=least-conn")) {
      Optional<Components.Sent> sent =
          Components.loadgen(
              settings(
                  ComponentKeys.LOADGEN,
                  "proxies=" + proxies.data(),
                  "unit=5ms",
                  "rate=1",
                  "requests=60",
                  "warmup=0"),
              InputStream.nullInputStream(),
              new PrintWriter(new StringWriter()));

      assertThat(sent.orElseThrow().run().entries()).hasSize(60).allMatch(RunLog.Entry::ok);
      assertThat(proxies.state().path("in_flight").asLong()).isZero();
      assertThat(proxies.state().path("record").path("events").asInt()).isZero();
    }
  }

  @Test
  void proxiesThatCannotBeReachedAreAnErrorInOneLine() {
    assertThatThrownBy(
            () ->
                Components.loadgen(
                    settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1"),
                    InputStream.nullInputStream(),
                    new PrintWriter(new StringWriter())))
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith("proxy 0 (127.0.0.1:1): ")
        .hasLineCount(1);
  }

  @Test
  void settingsOfBackendsThatDoNotFitAreRefusedWithTheirOrigin() {
    Map.of(
            // Their own errors say what was expected; it is not said twice.
            "service=gamma",
            "--set service: service 'gamma', column 1: gamma (expected: ",
            "speeds=1,2",
            "--set speeds: 1,2 (expected: one for each backend, 3 of them)",
            "spin=2ms",
            "--set spin: 2ms (expected: at most 1ms)",
            "name=a b",
            "--set name: a b (expected: printable ASCII without spaces and commas)",
            "engine=wiremock",
            "--set engine: wiremock (expected: with wiremock-root, the folder of its mappings)")
        .forEach(
            (set, message) ->
                assertRefused(
                    message,
                    () ->
                        BackendComponent.of(
                            settings(ComponentKeys.BACKEND, "backends=3", set), Optional.empty())));
  }

  private static void proxy(String... sets) {
    ProxyComponent.of(settings(ComponentKeys.PROXY, sets), Algorithms.builtIn(), Optional.empty());
  }

  @Test
  void settingsOfProxiesThatDoNotFitAreRefusedWithTheirOrigin() {
    assertRefused(
        "--set backends: a=127.0.0.1:1,a=127.0.0.1:2 (expected: ids that differ; a is there twice)",
        () -> proxy("backends=a=127.0.0.1:1,a=127.0.0.1:2"));
    assertRefused("--set algorithm: ", () -> proxy("backends=127.0.0.1:1", "algorithm=p3c"));
    assertRefused(
        "--set pool-warm: 9 (expected: at most pool-cap)",
        () -> proxy("backends=127.0.0.1:1", "pool-warm=9", "pool-cap=8"));
    assertRefused(
        "--set backends: 127.0.0.1 (expected: HOST:PORT or ID=HOST:PORT of a known host)",
        () -> proxy("backends=127.0.0.1"));
    assertRefused(
        "--set backends: 127.0.0.1:1,dns://x:1 (expected: one name alone, or addresses)",
        () -> proxy("backends=127.0.0.1:1,dns://x:1"));
    assertRefused("--set backends: dns://x (expected: ", () -> proxy("backends=dns://x"));
    assertRefused("--set dns: ", () -> proxy("backends=dns://x:1", "dns=x y"));
    assertRefused(
        "--set board: disk (expected: memory or redis://HOST:PORT)",
        () -> proxy("backends=127.0.0.1:1", "board=disk"));
  }

  @Test
  void settingsOfGeneratorsThatDoNotFitAreRefusedWithTheirOrigin() {
    assertRefused(
        "--set arrivals: ",
        () ->
            Components.loadgen(
                settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1", "arrivals=never"),
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter())));
    assertRefused(
        "--set warmup: 10 (expected: fewer than the requests)",
        () ->
            GeneratorComponent.of(
                settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1", "requests=10", "warmup=10"),
                Optional.empty()));
    assertRefused("proxies: not given (expected: HOST:PORT", () -> settings(ComponentKeys.LOADGEN));
    assertRefused(
        "--set admin: here (expected: HOST:PORT or none of a known host)",
        () ->
            Components.loadgen(
                settings(ComponentKeys.LOADGEN, "proxies=127.0.0.1:1", "admin=here"),
                InputStream.nullInputStream(),
                new PrintWriter(new StringWriter())));
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
