package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.RefusedException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a process of backends can be asked and told.
@Timeout(60)
final class BackendAdminTest {
  private static int ask(String place) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://" + place + "/")).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void stateTellsOfEachBackend() throws Exception {
    try (Running backend =
        Running.backend(
            "backends=2", "speeds=1,2", "name=x", "unit=1ms", "service=deterministic")) {
      assertThat(ask(backend.data().split(",", -1)[1])).isEqualTo(200);

      JsonNode state = backend.state();

      assertThat(state.path("service").asText()).isEqualTo("deterministic(mean=1.0)");
      assertThat(state.path("unit_ns").asLong()).isEqualTo(1_000_000);
      assertThat(state.path("in_flight").asInt()).isZero();
      assertThat(state.path("backends").path(1).path("id").asText()).isEqualTo("x1");
      assertThat(state.path("backends").path(1).path("port"))
          .isEqualTo(backend.ready().path("ports").path(1));
      assertThat(state.path("backends").path(1).path("speed").asDouble()).isEqualTo(2);
      assertThat(state.path("backends").path(1).path("served").asLong()).isEqualTo(1);
      assertThat(state.path("backends").path(0).path("served").asLong()).isZero();
      assertThat(state.path("faults")).hasToString("{\"x0\":\"none\",\"x1\":\"none\"}");
    }
  }

  @Test
  void backendsAreNamedByTheirHostWhereThereAreSeveralProcesses() throws Exception {
    try (Running backend = Running.backend("backends=1", "name=host")) {
      assertThat(backend.state().path("backends").path(0).path("id").asText())
          .isEqualTo(HostName.read() + "-0");
    }
  }

  @Test
  void serviceLawAndSpeedsChangeLive() throws Exception {
    try (Running backend = Running.backend("backends=2")) {
      JsonNode service =
          backend.admin().put("/service", Map.of("service", "deterministic", "unit_ns", 5));
      JsonNode all = backend.admin().put("/speeds", Map.of("speeds", List.of(2, 0.5)));
      JsonNode one = backend.admin().put("/speeds", Map.of("b1", 4));

      assertThat(service.path("service").asText()).isEqualTo("deterministic(mean=1.0)");
      assertThat(service.path("unit_ns").asLong()).isEqualTo(5);
      assertThat(all.path("backends").path(0).path("speed").asDouble()).isEqualTo(2);
      assertThat(all.path("backends").path(1).path("speed").asDouble()).isEqualTo(0.5);
      assertThat(one.path("backends").path(0).path("speed").asDouble()).isEqualTo(2);
      assertThat(backend.state().path("backends").path(1).path("speed").asDouble()).isEqualTo(4);
    }
  }

  @Test
  void faultsBeginAndEnd() throws Exception {
    try (Running backend = Running.backend("backends=1", "unit=1ms", "service=deterministic")) {
      backend.admin().put("/faults", Map.of("b0", "status=503"));
      assertThat(ask(backend.data())).isEqualTo(503);

      JsonNode state = backend.admin().put("/faults", Map.of("b0", "refuse"));
      assertThat(state.path("faults").path("b0").asText()).isEqualTo("refuse");
      assertThatThrownBy(
              () ->
                  new Socket(
                          InetAddress.getLoopbackAddress(),
                          backend.ready().path("ports").path(0).asInt())
                      .close())
          .isInstanceOf(java.net.ConnectException.class);

      backend.admin().put("/faults", Map.of("b0", "none"));
      assertThat(ask(backend.data())).isEqualTo(200);
    }
  }

  @Test
  void whatIsWrongIsRefusedAndChangesNothing() throws Exception {
    try (Running backend = Running.backend("backends=2")) {
      JsonNode before = backend.state().path("backends");

      assertRefused(
          backend,
          "/service",
          Map.of("service", "gamma"),
          "service 'gamma', column 1: gamma (expected: ");
      assertRefused(
          backend,
          "/service",
          Map.of("law", "gamma"),
          "law: unknown field (expected: service, unit_ns)");
      assertRefused(
          backend,
          "/service",
          Map.of("service", "deterministic", "unit_ns", 0),
          "unit_ns: 0 (expected: a whole number of 1 or more)");
      assertRefused(
          backend,
          "/speeds",
          Map.of("speeds", List.of(1)),
          "speeds: 1 of them (expected: 2, one for each backend)");
      assertRefused(
          backend, "/speeds", Map.of("b7", 1), "backend: \"b7\" (expected: one of b0, b1)");
      assertRefused(backend, "/speeds", Map.of("b0", 0), "b0: 0 (expected: a number above 0)");
      assertRefused(backend, "/faults", Map.of("b0", "sulk"), "fault: \"sulk\" (expected: ");

      assertThat(backend.state().path("backends")).isEqualTo(before);
    }
  }

  private static void assertRefused(
      Running backend, String path, Map<String, ?> body, String said) {
    assertThatThrownBy(() -> backend.admin().put(path, body))
        .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(400))
        .hasMessageContaining(": PUT " + path + ": " + said);
  }
}
