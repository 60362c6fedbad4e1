package dev.herdlab.lab.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An admin port and its client, over a socket.
@Timeout(60)
final class AdminServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final HttpClient http = AdminClient.http();
  private final CountDownLatch never = new CountDownLatch(1);
  private final AtomicInteger interrupted = new AtomicInteger();
  private AdminServer server = server(Duration.ofSeconds(30));

  private AdminServer server(Duration bound) {
    AdminResources resources =
        new AdminResources()
            .on(
                "GET",
                "/echo",
                request ->
                    AdminAnswer.json(request.find("q").map(q -> Map.of("q", q)).orElse(Map.of())))
            .on(
                "PUT",
                "/echo",
                request ->
                    AdminAnswer.json(Map.of("text", request.json().only("text").text("text"))))
            .on(
                "GET",
                "/parts/{a}/of/{b}",
                request -> AdminAnswer.json(Map.of("a", request.part("a"), "b", request.part("b"))))
            .on(
                "POST",
                "/small",
                4,
                request -> AdminAnswer.json(Map.of("bytes", request.body().length)))
            .on(
                "GET",
                "/bytes",
                request ->
                    AdminAnswer.bytes(
                        "application/octet-stream", new byte[] {1, 2}, Map.of("x-how", "so")))
            .on(
                "POST",
                "/conflict",
                request -> {
                  throw AdminException.conflict("state: wrong (expected: right)");
                })
            .on(
                "POST",
                "/elsewhere",
                request -> {
                  throw new IOException("somebody else: has gone");
                })
            .on(
                "POST",
                "/broken",
                request -> {
                  throw new IllegalStateException("two\nlines");
                })
            .on(
                "POST",
                "/hang",
                request -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    throw e;
                  }
                  return AdminAnswer.json(Map.of());
                });
    return new AdminServer(ANY_PORT, resources, bound);
  }

  @BeforeEach
  void start() throws IOException {
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
    http.shutdownNow();
  }

  private AdminClient client() {
    return new AdminClient(http, "proxy", at(server.port()));
  }

  private static InetSocketAddress at(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /// What comes back for bytes as they stand, until the server closes.
  private String raw(String request) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(at(server.port()));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String head(String method, String target, int length) {
    return "%s %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        .formatted(method, target, length);
  }

  private static void assertRefused(Refused call, int status, String said) {
    assertThatThrownBy(call::now)
        .isInstanceOf(RefusedException.class)
        .message()
        .matches("proxy 127\\.0\\.0\\.1:[0-9]+: [A-Z]+ /[a-z/0-9]*: .*")
        .endsWith(": " + said)
        .hasLineCount(1);
    assertThatThrownBy(call::now)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.status()).isEqualTo(status));
  }

  private interface Refused {
    void now() throws Exception;
  }

  @Test
  void resourcesAnswerByPathAndMethod() throws Exception {
    assertThat(client().get("/echo?q=a%20%26+b").path("q").asText()).isEqualTo("a & b");
    assertThat(client().put("/echo", Map.of("text", "hi")).path("text").asText()).isEqualTo("hi");
    assertThat(client().get("/parts/1/of/x.y").path("b").asText()).isEqualTo("x.y");
    assertThat(client().post("/small", new byte[4]).path("bytes").asInt()).isEqualTo(4);
  }

  @Test
  void bytesComeWithTheirHeaders() throws Exception {
    AdminClient.Download download = client().download("/bytes");

    assertThat(download.body()).containsExactly(1, 2);
    assertThat(download.header("x-how")).contains("so");
    assertThat(download.header("x-why")).isEmpty();
  }

  @Test
  void unknownPathIsNotFoundAndSaysWhatThereIs() {
    assertRefused(
        () -> client().get("/nothing"),
        404,
        "/nothing: not found (expected: one of /echo, /parts/{a}/of/{b}, /small, /bytes, /conflict,"
            + " /elsewhere, /broken, /hang)");
    assertRefused(
        () -> client().get("/parts//of/x"),
        404,
        "/parts//of/x: not found (expected: one of /echo, /parts/{a}/of/{b}, /small, /bytes, /conflict, /elsewhere, /broken, /hang)");
  }

  @Test
  void wrongMethodIsToldWhichAreAllowed() throws Exception {
    assertRefused(
        () -> client().delete("/echo"), 405, "/echo: DELETE is not allowed (expected: GET, PUT)");
    assertThat(raw(head("DELETE", "/echo", 0)))
        .startsWith("HTTP/1.1 405 ")
        .contains("\r\nAllow: GET, PUT\r\n");
  }

  @Test
  void headIsAnsweredAsGetWithoutABody() throws Exception {
    String answer = raw(head("HEAD", "/bytes", 0));

    assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\n");
    assertThat(answer.toLowerCase(java.util.Locale.ROOT))
        .contains("\r\ncontent-length: 2\r\n")
        .contains("\r\nx-how: so\r\n");
    assertThat(raw(head("HEAD", "/small", 0))).startsWith("HTTP/1.1 405 ");
  }

  @Test
  void connectionEndsWithItsAnswer() throws Exception {
    assertThat(raw(head("GET", "/echo", 0)))
        .containsIgnoringCase("\r\nConnection: close\r\n")
        .endsWith("{}\n");
  }

  @Test
  void whatIsWrongWithARequestIsSaidInOneLine() {
    assertRefused(
        () -> client().put("/echo", Map.of("texts", 1)),
        400,
        "texts: unknown field (expected: text)");
    assertRefused(
        () -> client().get("/echo?q=1&q=2"), 400, "q: twice in the query (expected: once)");
    assertRefused(
        () -> client().post("/small", new byte[5]),
        413,
        "body: longer (expected: at most 4 bytes)");
  }

  @Test
  void failuresHaveAStatusThatTellsWhose() {
    assertRefused(() -> client().post("/conflict"), 409, "state: wrong (expected: right)");
    assertRefused(() -> client().post("/elsewhere"), 502, "somebody else: has gone");
    assertRefused(
        () -> client().post("/broken"),
        500,
        "POST /broken: java.lang.IllegalStateException: two lines");
  }

  @Test
  void commandThatTakesTooLongIsGivenUpAndInterrupted() throws Exception {
    server.close();
    server = server(Duration.ofMillis(100));
    server.start();

    assertRefused(() -> client().post("/hang"), 504, "POST /hang: no answer within 100 ms");

    // Asked twice, to see the message and the status.
    awaitTwo(interrupted);
  }

  private static void awaitTwo(AtomicInteger count) {
    long since = System.nanoTime();
    while (count.get() < 2 && System.nanoTime() - since < 10_000_000_000L) {
      Thread.onSpinWait();
    }
    assertThat(count).hasValue(2);
  }

  @Test
  void whoeverNeverSendsABodyHoldsUpNobody() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        Socket socket = new Socket();
        slow.add(socket);
        socket.connect(at(server.port()));
        socket
            .getOutputStream()
            .write(
                (i % 2 == 0 ? head("PUT", "/echo", 10) : "GET /ec")
                    .getBytes(StandardCharsets.US_ASCII));
      }

      assertThat(client().get("/echo").isEmpty()).isTrue();
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void portInUseIsSaidInOneLine() {
    AdminServer second =
        new AdminServer(at(server.port()), new AdminResources(), Duration.ofSeconds(1));

    assertThatThrownBy(second::start)
        .isInstanceOf(IOException.class)
        .message()
        .startsWith("admin: cannot listen on ")
        .contains(":" + server.port() + ": ")
        .hasLineCount(1);
  }

  @Test
  void componentThatIsNotThereIsNamed() throws Exception {
    int port = server.port();
    server.close();

    assertThatThrownBy(() -> new AdminClient(http, "backend", at(port)).get("/state?x=1"))
        .isInstanceOf(IOException.class)
        .hasMessage("backend 127.0.0.1:" + port + ": GET /state: cannot be reached");
  }

  @Test
  void componentThatSaysNothingIsGivenUp() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      AdminClient client =
          new AdminClient(http, "loadgen", at(mute.getLocalPort())).within(Duration.ofMillis(100));

      assertThatThrownBy(() -> client.get("/state"))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "loadgen 127.0.0.1:%d: GET /state: no answer within 100 ms"
                  .formatted(mute.getLocalPort()));
    }
  }
}
