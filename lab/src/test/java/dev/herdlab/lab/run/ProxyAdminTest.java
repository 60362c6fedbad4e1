package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.RefusedException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a process of proxies can be asked and told.
@Timeout(60)
final class ProxyAdminTest {
  private final HttpClient http = HttpClient.newHttpClient();
  private Running backends;
  private Running proxies;

  @BeforeEach
  void start() throws Exception {
    backends = Running.backend("backends=2", "unit=100us", "service=deterministic");
    proxies =
        Running.proxy(
            "instances=2", "first-proxy=3", "backends=" + backends.data(), "algorithm=least-conn");
  }

  @AfterEach
  void close() throws Exception {
    proxies.close();
    backends.close();
    http.close();
  }

  private void ask(int times) throws Exception {
    String place = proxies.data().split(",", -1)[0];
    for (int i = 0; i < times; i++) {
      int status =
          http.send(
                  HttpRequest.newBuilder(URI.create("http://" + place + "/")).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(200);
    }
    Running.await("quiet", () -> proxies.state().path("in_flight").asLong() == 0);
  }

  private static Map<String, Object> balancer(Object... more) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < more.length; i += 2) {
      fields.put((String) more[i], more[i + 1]);
    }
    return fields;
  }

  private Dispatches recorded(Dispatches.Part part) throws Exception {
    return Dispatches.of(proxies.admin(), part);
  }

  private static List<String> kinds(Dispatches dispatches) {
    List<String> kinds = new ArrayList<>();
    dispatches
        .log()
        .forEach((kind, proxy, value, argument, nanos) -> kinds.add(kind + "@" + proxy));
    return kinds;
  }

  @Test
  void stateTellsWhatTheProxiesDo() throws Exception {
    ask(3);

    JsonNode state = proxies.state();

    assertThat(state.path("instances")).hasSize(2);
    assertThat(state.path("instances").path(0).path("proxy").asInt()).isEqualTo(3);
    assertThat(state.path("instances").path(0).path("picks").asLong()).isEqualTo(3);
    assertThat(state.path("instances").path(1).path("port"))
        .isEqualTo(proxies.ready().path("ports").path(1));
    assertThat(state.path("algorithm").asText()).isEqualTo("least-conn");
    assertThat(state.path("view").asText()).isEqualTo("local");
    assertThat(state.path("phase").asText()).isEmpty();
    assertThat(state.path("backends").path(1).path("id").asText()).isEqualTo("b1");
    assertThat(state.path("backends").path(1).path("address").asText())
        .isEqualTo(backends.data().split(",", -1)[1]);
    assertThat(state.path("backend_set_version").asLong()).isEqualTo(1);
    assertThat(state.path("board").path("kind").asText()).isEqualTo("memory");
    assertThat(state.path("board").path("connected").asBoolean()).isTrue();
    assertThat(state.path("record").path("room").asInt()).isZero();
  }

  @Test
  void algorithmAndViewChangeWithTheRestKept() throws Exception {
    proxies.admin().put("/balancer", balancer("seed", 7, "unit_ns", 1_000_000, "phase", "one"));

    JsonNode algorithm = proxies.admin().put("/algorithm", Map.of("algorithm", "p2c(d=2)"));
    JsonNode view = proxies.admin().put("/view", Map.of("view", "shared-stale(refresh=4)"));

    assertThat(algorithm.path("view").asText()).isEqualTo("local");
    assertThat(view.path("algorithm").asText()).isEqualTo("p2c(d=2)");
    assertThat(view.path("seed").asLong()).isEqualTo(7);
    JsonNode state = proxies.state();
    assertThat(state.path("view").asText()).isEqualTo("shared-stale(refresh=4)");
    assertThat(state.path("phase").asText()).isEqualTo("one");
    assertThat(state.path("switches").asLong()).isEqualTo(4);
    assertThat(state.path("instances").path(0).path("proxy").asInt()).isEqualTo(3);
  }

  @Test
  void recordBeginsWithItsInstallationAndTheOneBeforeIsKept() throws Exception {
    proxies.admin().put("/balancer", balancer("record_events", 100, "first_proxy", 0));
    ask(2);
    proxies.admin().put("/balancer", balancer("algorithm", "round-robin"));
    ask(1);

    assertThat(kinds(recorded(Dispatches.Part.PREVIOUS)))
        .containsExactly("INSTALL@0", "INSTALL@1", "PICK@0", "SUCCESS@0", "PICK@0", "SUCCESS@0");
    Dispatches current = recorded(Dispatches.Part.CURRENT);
    assertThat(kinds(current)).containsExactly("INSTALL@0", "INSTALL@1", "PICK@0", "SUCCESS@0");
    assertThat(current.inFlight()).isZero();
    assertThat(current.truncated()).isFalse();
  }

  @Test
  void fullRecordStopsAndSaysSo() throws Exception {
    proxies.admin().put("/balancer", balancer("record_events", 3));
    ask(3);

    Dispatches current = recorded(Dispatches.Part.CURRENT);

    assertThat(current.log().size()).isEqualTo(3);
    assertThat(current.truncated()).isTrue();
    assertThat(proxies.state().path("record").path("truncated").asBoolean()).isTrue();
  }

  @Test
  void nothingIsRecordedUnlessAskedFor() throws Exception {
    ask(2);

    assertThat(recorded(Dispatches.Part.CURRENT).log().size()).isZero();
    assertThat(recorded(Dispatches.Part.CURRENT).truncated()).isFalse();
  }

  @Test
  void backendsChangeAndThoseThatStayKeepTheirPlace() throws Exception {
    String[] places = backends.data().split(",", -1);
    ask(2);

    JsonNode answer =
        proxies
            .admin()
            .put(
                "/backends",
                balancer("backends", List.of("b1=" + places[1]), "weights", List.of(3)));

    assertThat(answer.path("backend_set_version").asLong()).isEqualTo(2);
    assertThat(answer.path("backends")).hasSize(1);
    assertThat(answer.path("backends").path(0).path("weight").asInt()).isEqualTo(3);
    long before = backends.state().path("backends").path(1).path("served").asLong();
    ask(4);
    assertThat(backends.state().path("backends").path(1).path("served").asLong())
        .isEqualTo(before + 4);
  }

  @Test
  void warmOpensConnectionsOrSaysWhichItCannot() throws Exception {
    assertThat(proxies.admin().post("/warm")).isEmpty();
    proxies.admin().put("/backends", Map.of("backends", List.of("gone=127.0.0.1:1")));

    assertThatThrownBy(() -> proxies.admin().post("/warm"))
        .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(502))
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void whatIsWrongIsRefusedAndChangesNothing() throws Exception {
    proxies.admin().put("/balancer", balancer("record_events", 100));
    ask(1);
    String[] places = backends.data().split(",", -1);

    assertRefused(
        "/algorithm", Map.of("algorithm", "p3c"), "algorithm 'p3c', column 1: p3c (expected: ");
    assertRefused(
        "/algorithm", Map.of("view", "local"), "view: unknown field (expected: algorithm, seed)");
    assertRefused("/view", Map.of("view", "clear"), "view 'clear', column 1: clear (expected: ");
    assertRefused(
        "/balancer",
        balancer("algorithm", "p2c", "record_events", -1),
        "record_events: -1 (expected: a whole number from 0 to 2147483647)");
    assertRefused(
        "/balancer",
        balancer("record_events", 2_000_000_000),
        "record_events: 2000000000 (expected: at most ");
    assertRefused(
        "/balancer", balancer("unit_ns", 0), "unit_ns: 0 (expected: a whole number of 1 or more)");
    assertRefused(
        "/backends",
        Map.of("backends", List.of("a=" + places[0], "a=" + places[1])),
        "backends: a="
            + places[0]
            + ",a="
            + places[1]
            + " (expected: ids that differ; a is there twice)");
    assertRefused(
        "/backends",
        Map.of("backends", List.of("nowhere")),
        "backends: nowhere (expected: HOST:PORT or ID=HOST:PORT of a known host)");
    assertRefused("/backends", Map.of("backends", "dns://x"), "backends: dns://x (expected: ");
    assertRefused(
        "/backends",
        balancer("backends", List.of(places[0]), "weights", List.of(1, 2)),
        "weights: 2 of them (expected: 1, one for each backend)");

    JsonNode state = proxies.state();
    assertThat(state.path("algorithm").asText()).isEqualTo("least-conn");
    assertThat(state.path("backend_set_version").asLong()).isEqualTo(1);
    assertThat(kinds(recorded(Dispatches.Part.CURRENT)))
        .containsExactly("INSTALL@3", "INSTALL@4", "PICK@3", "SUCCESS@3");
  }

  private void assertRefused(String path, Map<String, ?> body, String said) {
    assertThatThrownBy(() -> proxies.admin().put(path, body))
        .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(400))
        .hasMessageContaining(": PUT " + path + ": " + said);
  }
}
