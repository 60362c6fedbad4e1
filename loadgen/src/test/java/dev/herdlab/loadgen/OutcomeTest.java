package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.SECOND;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static dev.herdlab.loadgen.GeneratorFixture.timeouts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLog.Attempt;
import dev.herdlab.workload.RunLog.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How a request ends when the other side does not behave.
class OutcomeTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static String message(String... lines) {
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  private static List<Entry> run(RawServer server, int requests) throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.before(server)) {
      return oneAfterTheOther(fixture, requests);
    }
  }

  // A run for each, so that none can find the connection of the one before still in use.
  private static List<Entry> oneAfterTheOther(GeneratorFixture fixture, int requests)
      throws Exception {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      entries.addAll(fixture.run(evenly(1, 0, i)).entries());
    }
    return entries;
  }

  @Test
  void asksForThePathWithTheNumberAndTheServiceTime() throws Exception {
    List<String> requests = new CopyOnWriteArrayList<>();
    try (RawServer server =
        new RawServer(
            peer -> {
              for (String head = peer.request(); !head.isEmpty(); head = peer.request()) {
                requests.add(head);
                peer.write(OK);
              }
            })) {
      assertThat(run(server, 2)).allMatch(Entry::ok).allMatch(entry -> entry.attempts().isEmpty());
      String common = "GET / HTTP/1.1\r\nhost: 127.0.0.1:" + server.address().getPort() + "\r\n";
      assertThat(requests)
          .containsExactly(
              common + "x-herdlab-request: 0\r\nx-herdlab-service: 0\r\n\r\n",
              common + "x-herdlab-request: 0\r\nx-herdlab-service: 1\r\n\r\n");
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  /// A request that is sent late has the less time left.
  @Test
  void tellsTheProxyHowLongItWaitsFromTheIntendedInstantOn() throws Exception {
    List<String> requests = new CopyOnWriteArrayList<>();
    try (RawServer server =
            new RawServer(
                peer -> {
                  for (String head = peer.request(); !head.isEmpty(); head = peer.request()) {
                    requests.add(head);
                    peer.write(OK);
                  }
                });
        GeneratorFixture fixture =
            GeneratorFixture.before(
                server.address(), 1, settings -> settings.withLimit(5 * SECOND))) {
      fixture.run(evenly(1, 0, 0));
      String field = "x-herdlab-timeout: ";
      String head = requests.getFirst();
      int from = head.indexOf(field) + field.length();
      assertThat(Long.parseLong(head.substring(from, head.indexOf('\r', from))))
          .isBetween(1L, 5 * SECOND);
    }
  }

  @Test
  void aRefusalIsNamedAsTheBackendNamesIt() throws Exception {
    try (RawServer server =
        new RawServer(
            peer -> {
              for (String head = peer.request(); !head.isEmpty(); head = peer.request()) {
                peer.write(
                    message(
                        "HTTP/1.1 503 Service Unavailable",
                        "x-herdlab-backend: b3",
                        "x-herdlab-refusal: shed",
                        "Content-Length: 0"));
              }
            })) {
      assertThat(run(server, 2)).extracting(Entry::outcome).containsOnly("shed");
    }
  }

  @Test
  void aSilentServerMeansATimeoutAndAClosedConnection() throws Exception {
    try (RawServer server = new RawServer(RawServer.Peer::awaitEnd);
        GeneratorFixture fixture =
            GeneratorFixture.before(server.address(), 3, timeouts(150, 1000))) {
      List<Entry> entries = fixture.run(evenly(3, 20 * MILLI, 0)).entries();

      assertThat(entries).extracting(Entry::outcome).containsOnly("client-timeout");
      assertThat(entries)
          .allSatisfy(
              entry ->
                  assertThat(entry.doneNanos() - entry.sentNanos())
                      .isBetween(150 * MILLI, 10 * SECOND));
      await(() -> server.ended() == 3);
    }
  }

  @Test
  void anAnswerThatComesInTimeIsNotTouchedByTheTimeoutOfAnother() throws Exception {
    try (RawServer server =
            new RawServer(
                peer -> {
                  while (true) {
                    String head = peer.request();
                    if (head.isEmpty()) {
                      return;
                    }
                    if (!head.contains("x-herdlab-request: 0\r")) {
                      peer.write(OK);
                    }
                  }
                });
        GeneratorFixture fixture =
            GeneratorFixture.before(server.address(), 2, timeouts(1500, 1000))) {
      List<Entry> entries = fixture.run(evenly(30, 60 * MILLI, 0)).entries();

      assertThat(entries.getFirst().outcome()).isEqualTo("client-timeout");
      assertThat(entries.subList(1, 30)).allMatch(Entry::ok);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"
      })
  void aConnectionThatClosesBeforeTheEndFails(String part) throws Exception {
    try (RawServer server =
        new RawServer(
            peer -> {
              peer.request();
              peer.write(part);
            })) {
      assertThat(run(server, 1)).extracting(Entry::outcome).containsExactly("client-closed");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\n\r\nuntil the end",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nx-herdlab-backend-stamps: 1,2,3\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nx-herdlab-proxy-stamps: 1,2,3,x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nx-herdlab-proxy: first\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nx-herdlab-backend: b,1\r\n\r\n"
      })
  void aResponseThatIsNoneIsBadAndItsConnectionClosed(String response) throws Exception {
    try (RawServer server = RawServer.answering(response)) {
      assertThat(run(server, 1)).extracting(Entry::outcome).containsExactly("client-bad-response");
      await(() -> server.ended() == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 302, 404, 500})
  void anotherStatusThan200Fails(int status) throws Exception {
    String body = status == 204 ? "\r\n" : "Content-Length: 2\r\n\r\nok";
    try (RawServer server = RawServer.answering("HTTP/1.1 " + status + " Some Reason\r\n" + body)) {
      assertThat(run(server, 2)).extracting(Entry::outcome).containsOnly("client-status");
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  @Test
  void takesTheCauseFromTheProxy() throws Exception {
    try (RawServer server =
            RawServer.answering(
                message(
                    "HTTP/1.1 502 Bad Gateway",
                    "Content-Length: 0",
                    "x-herdlab-cause: connect-failed",
                    "x-herdlab-backend: b3",
                    "x-herdlab-proxy: 7",
                    "x-herdlab-proxy-stamps: 1000000000000,1000000000500,-1,-1"));
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      long epoch = System.nanoTime();
      Entry entry =
          await(fixture.generator.run(evenly(1, 0, 0), epoch, Progress.NONE)).entries().getFirst();

      assertThat(entry.outcome()).isEqualTo("connect-failed");
      assertThat(entry.last())
          .isEqualTo(
              new Attempt(
                  "b3",
                  7,
                  1_000_000_000_000L - epoch,
                  1_000_000_000_500L - epoch,
                  -1,
                  -1,
                  -1,
                  -1,
                  -1,
                  -1));
    }
  }

  @Test
  void keepsAllEightInstants() throws Exception {
    try (RawServer server =
            RawServer.answering(
                message(
                    "HTTP/1.1 200 OK",
                    "Content-Length: 0",
                    "X-Herdlab-Backend: b0",
                    "X-Herdlab-Proxy: 0",
                    "X-Herdlab-Backend-Stamps: 13,14,15,16",
                    "X-Herdlab-Proxy-Stamps: 10,11,12,17"));
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      RunLog log = await(fixture.generator.run(evenly(1, 0, 0), 3, Progress.NONE));

      assertThat(log.entries().getFirst().last())
          .isEqualTo(new Attempt("b0", 0, 7, 8, 9, 10, 11, 12, 13, 14));
    }
  }

  @Test
  void stampsOfOneResponseAreNotTakenForThoseOfTheNext() throws Exception {
    try (RawServer server =
        new RawServer(
            peer -> {
              peer.request();
              peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nx-herdlab-backend: b1\r\n\r\n");
              peer.request();
            })) {
      List<Entry> entries = run(server, 2);
      assertThat(entries.getFirst().last().backend()).isEqualTo("b1");
      assertThat(entries.getLast().outcome()).isEqualTo("client-closed");
      assertThat(entries.getLast().attempts()).isEmpty();
    }
  }

  @Test
  void aConnectionThatCannotBeOpenedFailsItsRequestAlone() throws Exception {
    try (RawServer server =
            new RawServer(
                peer -> {
                  peer.request();
                  peer.write(OK.substring(0, OK.length() - 1));
                  // The rest comes after the second request has failed.
                  peer.request();
                });
        GeneratorFixture fixture =
            GeneratorFixture.before(server.address(), 1, timeouts(300, 1000))) {
      server.refuse();
      List<Entry> entries = fixture.run(evenly(2, 10 * MILLI, 0)).entries();

      assertThat(entries)
          .extracting(Entry::outcome)
          .containsExactly("client-timeout", "client-connect-failed");
      assertThat(entries.getLast().sentNanos()).isEqualTo(RunLog.UNKNOWN);
    }
  }

  @Test
  void saysWhichProxyRefusesConnections() throws Exception {
    try (RawServer server = new RawServer(RawServer.Peer::awaitEnd)) {
      server.refuse();
      assertThatThrownBy(() -> GeneratorFixture.before(server))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("proxy 0 (127.0.0.1:" + server.address().getPort() + "): ")
          .hasMessageContaining("refused");
    }
  }

  @Test
  void readsAResponseInPiecesWithChunksAfterAnInterimOne() throws Exception {
    String response =
        message("HTTP/1.1 103 Early Hints", "Link: x")
            + message("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "x-herdlab-backend: b5")
            + message("3", "abc", "2;x", "de", "0");
    try (RawServer server =
        new RawServer(
            peer -> {
              while (!peer.request().isEmpty()) {
                for (int i = 0; i < response.length(); i++) {
                  peer.write(response.substring(i, i + 1));
                }
              }
            })) {
      assertThat(run(server, 3))
          .hasSize(3)
          .allMatch(Entry::ok)
          .allMatch(entry -> entry.last().backend().equals("b5"));
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  @Test
  void opensANewConnectionAfterOneThatTheServerWantsClosed() throws Exception {
    try (RawServer server =
            RawServer.answering(OK.replace("Content", "Connection: close\r\nContent"));
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      assertThat(oneAfterTheOther(fixture, 3)).allMatch(Entry::ok);
      assertThat(server.accepted()).isEqualTo(3);
    }
  }

  @Test
  void bytesThatNobodyAskedForAreNotTakenForAResponse() throws Exception {
    try (RawServer server = RawServer.answering(OK + OK);
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      assertThat(oneAfterTheOther(fixture, 3)).allMatch(Entry::ok);
      assertThat(server.accepted()).isEqualTo(3);
    }
  }

  @Test
  void connectingAgainReplacesWhatWasLost() throws Exception {
    try (RawServer server =
            RawServer.answering(OK.replace("Content", "Connection: close\r\nContent"));
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      fixture.run(evenly(1, 0, 0));
      await(() -> server.ended() == 1);
      fixture.generator.connect();
      CompletableFuture<RunLog> second = fixture.begin(evenly(1, 0, 0));
      assertThat(await(second).entries()).allMatch(Entry::ok);
      assertThat(fixture.generator.openedInRun()).isZero();
    }
  }
}
