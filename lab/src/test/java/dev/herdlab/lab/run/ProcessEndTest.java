package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How components end, and how others see that they are well: as processes of their own.
@EnabledOnOs(OS.LINUX)
@Timeout(120)
final class ProcessEndTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private int started;

  private LabProcess component(String name, String... sets) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(name));
    for (String set : sets) {
      arguments.addAll(List.of("--set", set));
    }
    return LabProcess.start(Files.createDirectory(folder.resolve("p" + started++)), "", arguments);
  }

  private static JsonNode ready(LabProcess process) throws IOException {
    process.await("a ready line", () -> out(process).endsWith("\n"));
    return JSON.readTree(process.out());
  }

  private static String out(LabProcess process) {
    try {
      return process.out();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String place(JsonNode port) {
    return "127.0.0.1:" + port.asInt();
  }

  @Test
  void proxyThatIsToldToEndAnswersWhatItHasAccepted() throws Exception {
    try (Running backend = Running.backend("backends=1", "unit=300ms", "service=deterministic");
        LabProcess proxy = component("proxy", "backends=" + backend.data());
        HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://" + place(ready(proxy).path("ports").path(0)) + "/");
      List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        answers.add(
            http.sendAsync(
                HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding()));
      }
      proxy.await("all in flight", () -> backend.state().path("in_flight").asInt() == 4);

      proxy.signal("TERM");

      for (CompletableFuture<HttpResponse<Void>> answer : answers) {
        assertThat(answer.join().statusCode()).isEqualTo(200);
      }
      assertThat(proxy.exitCode()).isEqualTo(143);
      assertThat(proxy.err()).isEmpty();
    }
  }

  @Test
  void drainEndsAfterItsBound() throws Exception {
    try (Running backend = Running.backend("backends=1", "unit=60s", "service=deterministic");
        LabProcess proxy = component("proxy", "backends=" + backend.data(), "drain=100ms");
        HttpClient http = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://" + place(ready(proxy).path("ports").path(0)) + "/");
      CompletableFuture<HttpResponse<Void>> answer =
          http.sendAsync(
              HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding());
      proxy.await("in flight", () -> backend.state().path("in_flight").asInt() == 1);

      proxy.signal("TERM");

      assertThat(proxy.exitCode()).isEqualTo(143);
      assertThat(answer.isCompletedExceptionally() || answer.handle((a, e) -> e != null).join())
          .isTrue();
    }
  }

  @Test
  void backendServesWhatItHasBeforeItEnds() throws Exception {
    try (LabProcess backend =
            component(
                "backend",
                "backends=1",
                "unit=300ms",
                "service=deterministic",
                "admin=127.0.0.1:0");
        HttpClient http = HttpClient.newHttpClient()) {
      JsonNode ready = ready(backend);
      CompletableFuture<HttpResponse<Void>> answer =
          http.sendAsync(
              HttpRequest.newBuilder(
                      URI.create("http://" + place(ready.path("ports").path(0)) + "/"))
                  .build(),
              HttpResponse.BodyHandlers.discarding());
      URI state = URI.create("http://" + place(ready.path("admin")) + "/state");
      backend.await("in flight", () -> get(http, state).contains("\"in_flight\":1,\"backends\""));

      backend.signal("TERM");

      assertThat(answer.join().statusCode()).isEqualTo(200);
      assertThat(backend.exitCode()).isEqualTo(143);
    }
  }

  private static String get(HttpClient http, URI uri) {
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void generatorThatIsToldToEndSendsNothingMoreAndEndsInOrder() throws Exception {
    try (Running backend = Running.backend("backends=1", "unit=1ms");
        LabProcess generator =
            component("loadgen", "proxies=" + backend.data(), "admin=127.0.0.1:0");
        Fleet fleet =
            new Fleet(
                new Fleet.Places(
                    List.of(), List.of(), List.of(place(ready(generator).path("admin")))),
                at -> List.of(ComponentLists.address(at, 1).orElseThrow()))) {
      var _ = fleet.look();
      long[] intended = new long[1000];
      for (int i = 0; i < intended.length; i++) {
        intended[i] = i * 10_000_000L;
      }
      fleet
          .run(fleet.generators().getFirst(), "r")
          .begin(
              Trace.of(1, intended, new int[1000], new long[1000]),
              System.nanoTime(),
              new GeneratorRun.Labels("", "", ""));
      Running.await(
          "a request", () -> backend.state().path("backends").path(0).path("served").asLong() > 0);

      generator.signal("TERM");

      assertThat(generator.exitCode()).isEqualTo(143);
      JsonNode end = backend.state();
      assertThat(end.path("in_flight").asInt()).isZero();
      assertThat(end.path("backends").path(0).path("cancelled").asLong()).isZero();
      assertThat(end.path("backends").path(0).path("served").asLong()).isLessThan(1000);
    }
  }

  @Test
  void endOfStandardInputEndsOneThatIsToldSo() throws Exception {
    // Its standard input is a pipe of this test's.
    try (LabProcess backend = component("backend", "backends=1", "until=stdin")) {
      var _ = ready(backend);

      backend.endInput();

      assertThat(backend.exitCode()).isZero();
      assertThat(backend.err()).isEmpty();
    }
  }

  @Test
  void healthIsOneLineAndAnExitCode() throws Exception {
    try (Running backend = Running.backend("backends=1")) {
      assertHealth(
          backend.adminPlace(),
          0,
          "herdlab: " + backend.adminPlace() + ": {\"status\":\"ok\"}",
          "");
      String url = "http://" + backend.adminPlace() + "/state";
      LabProcess other = health(url);
      assertThat(other.exitCode()).isZero();
      assertThat(other.out())
          .startsWith("herdlab: " + url + ": {\"component\":\"backend\"")
          .hasLineCount(1);
      String missing = "http://" + backend.adminPlace() + "/nothing";
      LabProcess ill = health(missing);
      assertThat(ill.exitCode()).isEqualTo(1);
      assertThat(ill.err())
          .startsWith("herdlab: " + missing + ": HTTP/1.1 404 Not Found {\"error\":")
          .hasLineCount(1);
    }
    assertHealth("127.0.0.1:1", 1, "", "herdlab: 127.0.0.1:1: Connection refused");
    assertHealth(
        "ftp://x", 2, "", "herdlab: health: ftp://x (expected: HOST:PORT or http://HOST:PORT)");
  }

  private LabProcess health(String place) throws IOException {
    return LabProcess.start(
        Files.createDirectory(folder.resolve("p" + started++)), "", List.of("health", place));
  }

  private void assertHealth(String place, int exitCode, String out, String err) throws Exception {
    try (LabProcess health = health(place)) {
      assertThat(health.exitCode()).isEqualTo(exitCode);
      assertThat(health.out()).isEqualToIgnoringNewLines(out);
      assertThat(health.err()).isEqualToIgnoringNewLines(err);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"admin", "metrics"})
  void portInUseIsSaidInOneLine(String key) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        LabProcess backend =
            component("backend", "backends=1", key + "=127.0.0.1:" + taken.getLocalPort())) {
      assertThat(backend.exitCode()).isEqualTo(2);
      assertThat(backend.err())
          .startsWith("herdlab: " + key + ": ")
          .contains("127.0.0.1:" + taken.getLocalPort())
          .contains("in use")
          .hasLineCount(1);
      assertThat(backend.out()).isEmpty();
    }
  }
}
