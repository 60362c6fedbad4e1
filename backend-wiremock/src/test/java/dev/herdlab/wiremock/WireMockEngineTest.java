package dev.herdlab.wiremock;

import static dev.herdlab.wiremock.EngineFixture.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.wiremock.RawClient.Response;
import dev.herdlab.wiremock.WireMockSettings.Templating;
import dev.herdlab.workload.RandomStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A user's WireMock folder behind the queue.
class WireMockEngineTest {
  @TempDir private Path root;

  @BeforeEach
  void makeFolders() throws IOException {
    Files.createDirectories(root.resolve("mappings"));
    Files.createDirectories(root.resolve("__files"));
  }

  private void save(String name, String json) throws IOException {
    Files.writeString(root.resolve("mappings").resolve(name + ".json"), json);
  }

  private static String mapping(String path, String response) {
    return "{\"request\":{\"method\":\"ANY\",\"urlPath\":\"%s\"},\"response\":%s}"
        .formatted(path, response);
  }

  private EngineFixture start() throws Exception {
    return start(WireMockSettings.of(root));
  }

  private static EngineFixture start(WireMockSettings settings) throws Exception {
    return new EngineFixture(new WireMockEngine(settings), EngineFixture.settings(1));
  }

  private static String request(String method, String target, String fields, String body) {
    return "%s %s HTTP/1.1\r\nHost: mocks:81\r\nx-herdlab-service: 1000\r\n%s\r\n%s"
        .formatted(method, target, fields, body);
  }

  private static String get(String target) {
    return request("GET", target, "", "");
  }

  private static String post(String target, String fields, String body) {
    return request("POST", target, fields + "Content-Length: " + body.length() + "\r\n", body);
  }

  @Test
  void answersWithTheMappingsStatusFieldsAndBody() throws Exception {
    save(
        "made",
        mapping(
            "/made",
            """
            {"status": 201, "statusMessage": "Made",
             "headers": {"X-One": "1", "X-Bad": "a\\r\\nb", "Content-Length": "999",
                         "x-herdlab-backend": "me"},
             "jsonBody": {"a": 1}}
            """));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      for (int i = 0; i < 2; i++) {
        Response response = client.exchange(get("/made"));
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.body()).isEqualTo("{\"a\":1}");
        assertThat(response.field("x-one")).isEqualTo("1");
        assertThat(response.field("x-bad")).isEqualTo("a  b");
        assertThat(response.backend()).isEqualTo("b0");
        assertThat(response.stamps().service()).isEqualTo(1000);
        assertThat(response.field("x-herdlab-in-flight")).isEqualTo("1");
      }
    }
  }

  @Test
  void servesABodyFile() throws Exception {
    String text = "line\n".repeat(40_000);
    Files.writeString(root.resolve("__files").resolve("long.txt"), text);
    save("file", mapping("/file", "{\"bodyFileName\": \"long.txt\"}"));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      assertThat(client.exchange(get("/file")).body()).isEqualTo(text);
      Response head = client.write(request("HEAD", "/file", "", "")).readWithoutBody();
      assertThat(head.field("content-length")).isEqualTo(String.valueOf(text.length()));
      assertThat(client.exchange(get("/file")).status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource(Templating.class)
  void aBodyFileThatIsMissingIsAnErrorOfThatRequestAlone(Templating templating) throws Exception {
    save("file", mapping("/file", "{\"bodyFileName\": \"none.txt\"}"));
    save("fine", mapping("/fine", "{}"));
    try (EngineFixture backend = start(WireMockSettings.of(root).with(templating))) {
      RawClient client = backend.client();
      assertThat(client.exchange(get("/file")).status()).isEqualTo(500);
      assertThat(client.exchange(get("/fine")).status()).isEqualTo(200);
    }
  }

  @Test
  void servesFilesByTheirPathWhereNoMappingMatches() throws Exception {
    Files.writeString(root.resolve("__files").resolve("a b.json"), "{}");
    Files.writeString(root.resolve("secret.txt"), "secret");
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      Response file = client.exchange(get("/a%20b.json?x"));
      assertThat(file.body()).isEqualTo("{}");
      assertThat(file.field("content-type")).isEqualTo("application/json");
      assertThat(client.exchange(get("/../secret.txt")).status()).isEqualTo(404);
      assertThat(client.exchange(get("/%2e%2e/secret.txt")).status()).isEqualTo(404);
      assertThat(client.exchange(get("/")).status()).isEqualTo(404);
    }
  }

  @Test
  void anUnmatchedRequestIsServedAndThen404() throws Exception {
    save("other", mapping("/other", "{}"));
    try (EngineFixture backend = start()) {
      Response response = backend.client().exchange(get("/othre"));
      assertThat(response.status()).isEqualTo(404);
      assertThat(response.body()).contains("Request was not matched").contains("/othre");
      assertThat(response.stamps().service()).isEqualTo(1000);
      assertThat(backend.state().served()).isEqualTo(1);
    }
  }

  @Test
  void matchesWhatTheRequestSays() throws Exception {
    save(
        "all",
        """
        {"request": {"method": "POST", "urlPathTemplate": "/things/{id}",
           "headers": {"X-Key": {"equalTo": "k"}}, "queryParameters": {"q": {"equalTo": "a b"}},
           "cookies": {"session": {"equalTo": "s"}}, "pathParameters": {"id": {"equalTo": "7"}},
           "bodyPatterns": [{"matchesJsonPath": "$.wanted"}]},
         "response": {"body": "all"}}
        """);
    save(
        "form",
        """
        {"request": {"method": "POST", "urlPath": "/form",
           "formParameters": {"tool": {"equalTo": "saw & plane"}}}, "response": {"body": "form"}}
        """);
    save(
        "multipart",
        """
        {"request": {"method": "POST", "urlPath": "/parts",
           "multipartPatterns": [{"name": "part", "bodyPatterns": [{"equalTo": "piece"}]}]},
         "response": {"body": "parts"}}
        """);
    save(
        "host",
        """
        {"request": {"method": "GET", "url": "/host", "host": {"equalTo": "elsewhere"},
           "port": 99}, "response": {"body": "host"}}
        """);
    String json = "X-Key: k\r\nCookie: a=b; session=s\r\nContent-Type: application/json\r\n";
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      assertThat(client.exchange(post("/things/7?q=a+b", json, "{\"wanted\":1}")).body())
          .isEqualTo("all");
      String chunked =
          request(
              "POST",
              "/things/7?q=a%20b",
              json + "Transfer-Encoding: chunked\r\n",
              "5;x=y\r\n{\"wan\r\n7\r\nted\":1}\r\n0\r\n\r\n");
      assertThat(client.exchange(chunked).body()).isEqualTo("all");
      assertThat(client.exchange(post("/things/8?q=a+b", json, "{\"wanted\":1}")).status())
          .isEqualTo(404);
      assertThat(client.exchange(post("/things/7?q=a+b", json, "{}")).status()).isEqualTo(404);
      String form = "Content-Type: application/x-www-form-urlencoded\r\n";
      assertThat(client.exchange(post("/form", form, "x=1&tool=saw+%26+plane")).body())
          .isEqualTo("form");
      String parts = "Content-Type: multipart/form-data; boundary=cut\r\n";
      String piece =
          "--cut\r\nContent-Disposition: form-data; name=\"part\"\r\n\r\npiece\r\n--cut--\r\n";
      assertThat(client.exchange(post("/parts", parts, piece)).body()).isEqualTo("parts");
      assertThat(client.exchange(get("http://elsewhere:99/host")).body()).isEqualTo("host");
      assertThat(client.exchange(get("/host")).status()).isEqualTo(404);
    }
  }

  @Test
  void refusesABodyThatIsTooLong() throws Exception {
    WireMockSettings small = new WireMockSettings(root, Templating.MAPPINGS, 0, 10);
    save("any", mapping("/any", "{}"));
    try (EngineFixture backend = start(small)) {
      assertThat(backend.client().exchange(post("/any", "", "0123456789")).status()).isEqualTo(200);
      assertThat(backend.client().exchange(post("/any", "", "0123456789x")).status())
          .isEqualTo(413);
      String chunked =
          request("POST", "/any", "Transfer-Encoding: chunked\r\n", "b\r\n0123456789x\r\n");
      assertThat(backend.client().exchange(chunked).status()).isEqualTo(413);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"fixedDelayMilliseconds\": 3} | 3000000",
        "{\"fixedDelayMilliseconds\": 0} | 0",
        "{\"delayDistribution\": {\"type\": \"fixed\", \"milliseconds\": 4}} | 4000000",
        "{\"fixedDelayMilliseconds\": 2, \"body\": \"abcd\","
            + " \"chunkedDribbleDelay\": {\"numberOfChunks\": 2, \"totalDuration\": 5}} | 7000000",
        "{\"fixedDelayMilliseconds\": 1,"
            + " \"delayDistribution\": {\"type\": \"uniform\", \"lower\": 2, \"upper\": 2}} | 3000000",
      })
  void aMappingsDelayIsTheServiceTime(String response, long serviceNanos) throws Exception {
    save("slow", mapping("/slow", response));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      assertThat(service(client, "/slow")).isEqualTo(serviceNanos);
      // What the request names itself comes first.
      assertThat(client.exchange(get("/slow")).stamps().service()).isEqualTo(1000);
    }
  }

  /// Drawn in nanoseconds, from the backend's stream of the seed.
  @Test
  void aMappingsDistributionIsDrawnFromTheSeed() throws Exception {
    save(
        "free",
        mapping(
            "/free",
            "{\"delayDistribution\": {\"type\": \"lognormal\", \"median\": 1, \"sigma\": 0.5}}"));
    save(
        "capped",
        mapping(
            "/capped",
            "{\"delayDistribution\":"
                + " {\"type\": \"lognormal\", \"median\": 1, \"sigma\": 2, \"maxValue\": 1.5}}"));
    save(
        "uniform",
        mapping(
            "/uniform",
            "{\"delayDistribution\": {\"type\": \"uniform\", \"lower\": 1, \"upper\": 2}}"));
    RandomStream stream = RandomStream.of(42, "stub-service/b0");
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      for (int i = 0; i < 5; i++) {
        assertThat(service(client, "/free"))
            .isEqualTo(Math.round(MILLI * StrictMath.exp(0.5 * stream.normal())));
      }
      for (int i = 0; i < 5; i++) {
        assertThat(service(client, "/uniform")).isEqualTo(Math.round(MILLI * (1 + stream.unit())));
      }
      for (int i = 0; i < 10; i++) {
        assertThat(service(client, "/capped")).isLessThanOrEqualTo(3 * MILLI / 2);
      }
    }
  }

  private static long service(RawClient client, String path) throws IOException {
    String unnamed = "GET " + path + " HTTP/1.1\r\nHost: stub\r\n\r\n";
    return client.exchange(unnamed).stamps().service();
  }

  @Test
  void aGlobalDelayIsTheServiceTimeOfMappingsWithoutOne() throws Exception {
    save("any", mapping("/any", "{}"));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      String settings = "{\"fixedDelay\": 2}";
      assertThat(client.exchange(post("/__admin/settings", "", settings)).status()).isEqualTo(200);
      assertThat(service(client, "/any")).isEqualTo(2 * MILLI);
    }
  }

  @Test
  void theAdminApiAddsAMappingLiveAndIsNotQueued() throws Exception {
    try (EngineFixture backend = start()) {
      RawClient busy = backend.client().write(RawClient.get(3600 * EngineFixture.SECOND));
      backend.awaitInFlight(1);
      RawClient client = backend.client();
      Response added =
          client.exchange(post("/__admin/mappings", "", mapping("/new", "{\"body\": \"new\"}")));
      assertThat(added.status()).isEqualTo(201);
      assertThat(client.exchange(get("/__admin/mappings")).body()).contains("/new");
      assertThat(client.exchange(get("/__admin/nonsense")).status()).isEqualTo(404);
      assertThat(client.exchange(post("/__admin/shutdown", "", "")).status()).isEqualTo(403);
      assertThat(backend.state().inFlight()).isEqualTo(1);
      busy.close();
      assertThat(client.exchange(get("/new")).body()).isEqualTo("new");
      // Only what begins like it is not the admin API.
      assertThat(client.exchange(get("/__administer")).body()).contains("not matched");
      assertThat(backend.state().served()).isEqualTo(2);
    }
  }

  @Test
  void theJournalIsOffUnlessItIsAskedFor() throws Exception {
    save("any", mapping("/any", "{}"));
    for (int entries : new int[] {0, 2}) {
      try (EngineFixture backend = start(WireMockSettings.of(root).withJournal(entries))) {
        RawClient client = backend.client();
        for (int i = 0; i < 3; i++) {
          client.exchange(get("/any?n=" + i));
        }
        String journal = client.exchange(get("/__admin/requests")).body();
        assertThat(journal.split("\"absoluteUrl\"", -1)).hasSize(entries + 1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "EMPTY_RESPONSE",
        "CONNECTION_RESET_BY_PEER",
        "RANDOM_DATA_THEN_CLOSE",
        "MALFORMED_RESPONSE_CHUNK"
      })
  void appliesAMappingsFaultOnceItIsServed(String fault) throws Exception {
    save("bad", mapping("/bad", "{\"fault\": \"" + fault + "\"}"));
    save("good", mapping("/good", "{}"));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client().write(get("/bad"));
      switch (fault) {
        case "EMPTY_RESPONSE" -> assertThat(client.atEnd()).isTrue();
        case "CONNECTION_RESET_BY_PEER" ->
            assertThatThrownBy(client::atEnd).isInstanceOf(SocketException.class);
        case "RANDOM_DATA_THEN_CLOSE" ->
            assertThat(client.rest()).isNotEmpty().doesNotContain("HTTP");
        default ->
            assertThat(client.rest())
                .startsWith("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nneither");
      }
      assertThat(backend.state().served()).isEqualTo(1);
      assertThat(backend.state().busyNanos()).isEqualTo(1000);
      assertThat(backend.client().exchange(get("/good")).status()).isEqualTo(200);
    }
  }

  @Test
  void aMappingMayCloseTheConnection() throws Exception {
    save("last", mapping("/last", "{\"headers\": {\"Connection\": \"close\"}}"));
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      assertThat(client.exchange(get("/last")).field("connection")).isEqualTo("close");
      assertThat(client.atEnd()).isTrue();
    }
  }

  @Test
  void rendersTemplatesByTheSwitch() throws Exception {
    String body = "{\"body\": \"{{request.query.a}} {{request.port}}\"%s}";
    save("plain", mapping("/plain", body.formatted("")));
    save(
        "marked",
        mapping("/marked", body.formatted(", \"transformers\": [\"response-template\"]")));
    for (Templating templating : Templating.values()) {
      try (EngineFixture backend = start(WireMockSettings.of(root).with(templating))) {
        RawClient client = backend.client();
        String plain = client.exchange(get("/plain?a=x")).body();
        String marked = client.exchange(get("/marked?a=x")).body();
        assertThat(plain.equals("x 81")).isEqualTo(templating == Templating.ALL);
        assertThat(marked.equals("x 81")).isEqualTo(templating != Templating.OFF);
      }
    }
  }

  @Test
  void keepsTheStateOfAScenario() throws Exception {
    save(
        "first",
        """
        {"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "later",
         "request": {"url": "/s"}, "response": {"body": "first"}}
        """);
    save(
        "later",
        """
        {"scenarioName": "s", "requiredScenarioState": "later",
         "request": {"url": "/s"}, "response": {"body": "later"}}
        """);
    try (EngineFixture backend = start()) {
      RawClient client = backend.client();
      assertThat(client.exchange(get("/s")).body()).isEqualTo("first");
      assertThat(client.exchange(get("/s")).body()).isEqualTo("later");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{nonsense",
        "{\"request\": {\"urll\": \"/x\"}, \"response\": {}}",
        "{\"request\": {\"urlPattern\": \"/[\"}, \"response\": {}}"
      })
  void saysInOneLineWhichMappingIsBad(String json) throws Exception {
    save("bad", json);
    assertThatThrownBy(() -> start().close())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("wiremock: ")
        .hasMessageContaining("bad.json")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void saysThatTheFolderIsMissing() {
    assertThatThrownBy(() -> start(WireMockSettings.of(root.resolve("none"))).close())
        .isInstanceOf(IOException.class)
        .hasMessage(
            "wiremock root: "
                + root.resolve("none")
                + " (expected: a folder with mappings/ and __files/)");
  }

  @Test
  void noServerOfWireMocksIsThere() {
    assertThatThrownBy(() -> Class.forName("org.eclipse.jetty.server.Server"))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void bytesOutsideAsciiPassUnchanged() throws Exception {
    save(
        "echo",
        mapping(
            "/echo",
            "{\"body\": \"{{request.body}}\"," + " \"transformers\": [\"response-template\"]}"));
    try (EngineFixture backend = start()) {
      String utf8 =
          new String("grün".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      assertThat(backend.client().exchange(post("/echo", "", utf8)).body()).isEqualTo(utf8);
    }
  }
}
