package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.RefusedException;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a generator can be asked and told. It sends to backends here, as if they were proxies.
@Timeout(60)
final class GeneratorAdminTest {
  private static final long NEVER = Long.MAX_VALUE / 4;

  private Running backends;
  private Running generator;

  @BeforeEach
  void start() throws Exception {
    backends = Running.backend("backends=2", "unit=100us", "service=deterministic");
    generator = Running.generator("proxies=" + backends.data(), "connections=1");
  }

  @AfterEach
  void close() throws Exception {
    generator.close();
    backends.close();
  }

  /// Requests, alternately to the two proxies.
  private static Trace trace(long... intendedNanos) {
    int[] proxy = new int[intendedNanos.length];
    long[] service = new long[intendedNanos.length];
    for (int i = 0; i < intendedNanos.length; i++) {
      proxy[i] = i % 2;
      service[i] = 1_000;
    }
    return Trace.of(2, intendedNanos, proxy, service);
  }

  private JsonNode post(String id, Trace trace) throws Exception {
    return generator
        .admin()
        .post("/runs?id=" + id + "&epoch_ns=" + System.nanoTime(), CsvBytes.of(trace));
  }

  private JsonNode run(String id) {
    try {
      return generator.admin().get("/runs/" + id);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private boolean isOver(String id) {
    return run(id).path("over").asBoolean();
  }

  @Test
  void runIsPlayedAndItsRequestsAreHandedOver() throws Exception {
    assertThat(generator.admin().post("/connect").path("connections").asInt()).isEqualTo(2);
    long epochNanos = System.nanoTime() + 50_000_000;

    JsonNode accepted =
        generator
            .admin()
            .post(
                "/runs?id=one&epoch_ns="
                    + epochNanos
                    + "&phase=3&algorithm=p2c%28d%3D2%29&view=local",
                CsvBytes.of(trace(0, 10_000_000, 20_000_000)));
    Running.await("the end", () -> isOver("one"));

    assertThat(accepted.path("epoch_ns").asLong()).isEqualTo(epochNanos);
    assertThat(accepted.path("algorithm").asText()).isEqualTo("p2c(d=2)");
    assertThat(run("one").path("sent").asInt()).isEqualTo(3);
    assertThat(run("one").path("ended").asInt()).isEqualTo(3);
    assertThat(run("one").path("total").asInt()).isEqualTo(3);
    assertThat(run("one").path("phase").asText()).isEqualTo("3");
    GeneratorRun.Result result =
        CsvBytes.result(generator.admin().download("/runs/one/requests").body());
    assertThat(result.run().entries()).hasSize(3).allMatch(RunLog.Entry::ok);
    assertThat(result.trace().intendedNanos(2)).isEqualTo(20_000_000);
    assertThat(result.trace().proxy(1)).isEqualTo(1);
    assertThat(result.run().entries().getFirst().sentNanos()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void runsOverlap() throws Exception {
    var _ = post("long", trace(0, NEVER));
    var _ = post("short", trace(0, 1_000_000));

    Running.await("the short one's end", () -> isOver("short"));

    assertThat(isOver("long")).isFalse();
    assertThat(generator.state().path("runs")).hasSize(2);
    assertThat(generator.admin().get("/runs").path("runs").path(0).path("id").asText())
        .isEqualTo("long");
  }

  @Test
  void deletingARunEndsItAndDeletingItAgainForgetsIt() throws Exception {
    var _ = post("a", trace(0, NEVER));

    var _ = generator.admin().delete("/runs/a");
    Running.await("the end", () -> isOver("a"));
    assertThat(
            CsvBytes.result(generator.admin().download("/runs/a/requests").body()).run().entries())
        .hasSize(1);
    var _ = generator.admin().delete("/runs/a");

    assertRefused(404, () -> generator.admin().get("/runs/a"), "run: a (expected: one of [])");
  }

  @Test
  void requestsOfARunThatIsUnderWayAreNotHandedOver() throws Exception {
    var _ = post("a", trace(NEVER));

    assertRefused(
        409,
        () -> generator.admin().download("/runs/a/requests"),
        "run: a is under way (expected: over)");
  }

  @Test
  void oldestRunThatIsOverMakesRoomAndOthersDoNot() throws Exception {
    var _ = post("over", trace(0));
    Running.await("its end", () -> isOver("over"));
    for (int i = 0; i < 8; i++) {
      var _ = post("r" + i, trace(NEVER));
    }

    assertThat(generator.admin().get("/runs").path("runs")).hasSize(8);
    assertRefused(
        409, () -> post("r8", trace(NEVER)), "runs: 8 are not over (expected: fewer than 8)");
    assertRefused(404, () -> generator.admin().get("/runs/over"), "run: over (expected: one of ");
  }

  @Test
  void runThatCannotBePlayedIsRefused() throws Exception {
    var _ = post("a", trace(NEVER));

    assertRefused(409, () -> post("a", trace(0)), "id: a (expected: one that no kept run has)");
    assertRefused(400, () -> post("a/b", trace(0)), "id: a/b (expected: letters, digits, . _ ~ -)");
    assertRefused(
        400,
        () -> post("b", Trace.of(3, new long[1], new int[] {2}, new long[1])),
        "trace: 3 proxies (expected: at most 2, which are known)");
    assertRefused(
        400,
        () -> generator.admin().post("/runs?id=c&epoch_ns=0", new byte[] {1, 2, 3}),
        "no gzip (expected: gzipped CSV)");
    assertRefused(
        400,
        () -> generator.admin().post("/runs?id=c", CsvBytes.of(trace(0))),
        "epoch_ns: nothing (expected: ?epoch_ns=...)");
    assertThat(generator.admin().get("/runs").path("runs")).hasSize(1);
  }

  @Test
  void proxiesAreExchangedLive() throws Exception {
    String second = backends.data().split(",", -1)[1];

    JsonNode answer = generator.admin().put("/proxies", Map.of("proxies", List.of(second)));
    var _ = post("a", Trace.of(1, new long[1], new int[1], new long[1]));
    Running.await("the end", () -> isOver("a"));

    assertThat(answer).hasToString("{\"proxies\":[\"" + second + "\"]}");
    assertThat(backends.state().path("backends").path(1).path("served").asLong()).isEqualTo(1);
    assertRefused(
        400,
        () -> generator.admin().put("/proxies", Map.of("proxies", List.of("nowhere"))),
        "proxies: nowhere (expected: HOST:PORT of a known host)");
    assertRefused(
        400,
        () -> generator.admin().put("/proxies", Map.of("proxies", "dns://x")),
        "proxies: dns://x (expected: ");
  }

  @Test
  void proxiesThatCannotBeReachedAreNamed() throws Exception {
    generator.admin().put("/proxies", Map.of("proxies", List.of("127.0.0.1:1")));

    assertRefused(502, () -> generator.admin().post("/connect"), "127.0.0.1:1");
  }

  @Test
  void rateIsSetForWhatIsNotSentYet() throws Exception {
    // An hour of pause, a thousand times as fast: some seconds.
    var _ = post("a", trace(0, 3_600_000_000_000L));

    var _ = generator.admin().put("/rate", Map.of("factor", 1000));

    assertThat(generator.state().path("rate_factor").asDouble()).isEqualTo(1000);
    Running.await("the end", () -> isOver("a"));
    assertThat(
            CsvBytes.result(generator.admin().download("/runs/a/requests").body())
                .trace()
                .intendedNanos(1))
        .isBetween(3_600_000_000L, 30_000_000_000L);
    assertRefused(
        400,
        () -> generator.admin().put("/rate", Map.of("factor", 0)),
        "factor: 0 (expected: a number above 0)");
    assertRefused(
        400,
        () -> generator.admin().put("/rate", Map.of("factor", 1e9)),
        "factor: 1.0E9 (expected: ");
  }

  private interface Call {
    void now() throws Exception;
  }

  private static void assertRefused(int status, Call call, String said) {
    assertThatThrownBy(call::now)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.status()).isEqualTo(status))
        .message()
        .contains(said)
        .hasLineCount(1);
  }
}
