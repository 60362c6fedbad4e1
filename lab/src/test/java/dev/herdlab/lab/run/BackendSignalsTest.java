package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What real proxies hear from real backends for algorithms that want it, and that it begins and
/// ends with a switch.
@Timeout(120)
final class BackendSignalsTest {
  private static final int BACKENDS = 24;
  private static final int REQUESTS = 50;

  private final HttpClient http = HttpClient.newHttpClient();
  private Running backends;
  private Running proxies;

  @BeforeEach
  void start() throws Exception {
    backends = Running.backend("backends=" + BACKENDS, "unit=100us", "service=deterministic");
    // A probe's time is never over here.
    proxies = Running.proxy("backends=" + backends.data(), "probe-timeout=600s");
  }

  @AfterEach
  void close() throws Exception {
    proxies.close();
    backends.close();
    http.close();
  }

  private void switchTo(String algorithm, String view) throws Exception {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("algorithm", algorithm);
    fields.put("view", view);
    proxies.admin().put("/balancer", fields);
  }

  private void ask() throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      int status =
          http.send(
                  HttpRequest.newBuilder(URI.create("http://" + proxies.data() + "/")).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode();
      assertThat(status).isEqualTo(200);
    }
  }

  private long signal(String name) {
    try {
      JsonNode instance = proxies.state().path("instances").path(0);
      return instance.path("signals").path(name).asLong(-1);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void assertOnlyRequestsAreCounted(long requests) throws Exception {
    JsonNode proxy = proxies.state();
    assertThat(proxy.path("in_flight").asLong()).isZero();
    assertThat(proxy.path("instances").path(0).path("picks").asLong()).isEqualTo(requests);
    long served = 0;
    for (JsonNode backend : backends.state().path("backends")) {
      assertThat(backend.path("in_flight").asLong()).isZero();
      assertThat(backend.path("refused").asLong()).isZero();
      assertThat(backend.path("cancelled").asLong()).isZero();
      served += backend.path("served").asLong();
    }
    assertThat(served).isEqualTo(requests);
  }

  @Test
  void everyBackendTellsJoinIdleQueueThatItIsIdle() throws Exception {
    switchTo("join-idle-queue", "local");
    Running.await("streams", () -> signal("idle_streams") == BACKENDS);
    ask();
    Running.await("notices", () -> signal("idle_notices") == REQUESTS);
    switchTo("join-idle-queue(d=2)", "local");
    Running.await("streams", () -> signal("idle_streams") == BACKENDS);
    ask();
    Running.await("notices", () -> signal("idle_notices") == 2 * REQUESTS);
    switchTo("round-robin", "local");
    assertThat(signal("idle_streams")).isZero();
    ask();
    assertThat(signal("idle_notices")).isEqualTo(2 * REQUESTS);
    assertOnlyRequestsAreCounted(3 * REQUESTS);
  }

  @Test
  void backendsAnswerPrequalsProbes() throws Exception {
    switchTo("prequal", "local");
    ask();
    Running.await(
        "replies",
        () -> signal("probes_sent") == signal("probes_answered") + signal("probes_lost"));
    assertThat(signal("probes_answered")).isGreaterThan(REQUESTS);
    switchTo("round-robin", "local");
    long sent = signal("probes_sent");
    ask();
    assertThat(signal("probes_sent")).isEqualTo(sent);
    assertOnlyRequestsAreCounted(2 * REQUESTS);
  }

  @Test
  void everyResponseReportsItsBackendsLoadToTheViewThatShowsIt() throws Exception {
    switchTo("least-conn", "reported");
    ask();
    assertThat(signal("reports")).isEqualTo(REQUESTS);
    assertThat(signal("unreadable_reports")).isZero();
    switchTo("client-weighted", "local");
    ask();
    assertThat(signal("reports")).isEqualTo(2 * REQUESTS);
    switchTo("least-conn", "local");
    ask();
    assertThat(signal("reports")).isEqualTo(2 * REQUESTS);
    assertOnlyRequestsAreCounted(3 * REQUESTS);
  }
}
