package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.stub.RawClient.Stamps;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the stub makes of the bytes that it gets.
class ProtocolTest {
  private static final String POST =
      "POST /upload HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: 1000\r\n";

  @Test
  void keepsTheConnection() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      for (int i = 0; i < 3; i++) {
        Response response = client.exchange(get(1000));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.backend()).isEqualTo("b0");
        assertThat(response.body()).isEqualTo("xx\n");
      }
    }
  }

  @Test
  void tellsPeopleTheTimesInMilliseconds() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      assertThat(stub.client().exchange(get(12_034_567)).field("server-timing"))
          .isEqualTo("wait;dur=0.000, service;dur=12.034");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "-1",
        "+1",
        "1.5",
        "1e9",
        "0x10",
        "1 2",
        "3600000000001",
        "9999999999999999999"
      })
  void refusesAServiceTimeThatIsNoNumberInRangeAndGoesOn(String value) throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      Response refused =
          client.exchange(
              "GET / HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: " + value + "\r\n\r\n");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("x-herdlab-service");
      assertThat(client.exchange(get(1)).status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: stub\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: stub\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      })
  void refusesWhatHasNoCertainLengthAndCloses(String request) throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      Response refused = client.exchange(request + "GET / HTTP/1.1\r\nHost: stub\r\n\r\n");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.field("connection")).isEqualTo("close");
      assertThat(client.atEnd()).isTrue();
      assertThat(stub.pool.inFlight()).isZero();
    }
  }

  @Test
  void readsARequestThatComesByteByByte() throws Exception {
    String request = POST + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      for (int at = 0; at < request.length(); at++) {
        assertThat(stub.pool.inFlight()).isZero();
        client.write(request.substring(at, at + 1));
      }
      assertThat(client.read().status()).isEqualTo(200);
    }
  }

  @Test
  void readsARequestThatIsSplitAnywhere() throws Exception {
    String request = POST + "Content-Length: 4\r\n\r\nbody";
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      for (int at = 1; at < request.length(); at++) {
        client.write(request.substring(0, at)).write(request.substring(at));
        assertThat(client.read().status()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nTrailer: t\r\n\r\n",
        "Content-Length: 11\r\n\r\nhello world",
        "Content-Length: 0\r\n\r\n"
      })
  void aRequestArrivesWithTheEndOfItsBody(String rest) throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      int last = rest.length() - 1;
      client.write(POST + rest.substring(0, last));
      assertThat(stub.pool.inFlight()).isZero();
      long before = System.nanoTime();
      Response response = client.exchange(rest.substring(last));

      assertThat(response.status()).isEqualTo(200);
      assertThat(response.stamps().received()).isGreaterThanOrEqualTo(before);
      assertThat(client.exchange(get(1)).status()).isEqualTo(200);
    }
  }

  @Test
  void saysThatABodyMayCome() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      client.write(POST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
      assertThat(client.readWithoutBody().status()).isEqualTo(100);
      assertThat(client.exchange("ok").status()).isEqualTo(200);
    }
  }

  @Test
  void answersRequestsThatWereSentAheadInOrder() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      client.write(
          get(3 * MILLI)
              + get(2 * MILLI)
              + "GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-service: x\r\n\r\n"
              + get(MILLI));
      Stamps first = client.read().stamps();
      Stamps second = client.read().stamps();
      Response refused = client.read();
      Stamps last = client.read().stamps();

      assertThat(List.of(first.service(), second.service(), last.service()))
          .containsExactly(3 * MILLI, 2 * MILLI, MILLI);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(second.received()).isGreaterThanOrEqualTo(first.delivered());
    }
  }

  @Test
  void readsNoFurtherAheadThanItsBoundAndLosesNothing() throws Exception {
    StubSettings settings = StubFixture.settings(1).withBounds(3, 100, 1024);
    int requests = 2000;
    try (StubFixture stub = new StubFixture(settings)) {
      RawClient client = stub.client();
      client.write(get(50 * MILLI));
      stub.awaitInFlight(1);
      Thread writer = Thread.startVirtualThread(() -> writeMany(client, requests));
      for (int i = 0; i <= requests; i++) {
        assertThat(client.read().status()).isEqualTo(200);
      }
      writer.join();
    }
  }

  @Test
  void servesNoFurtherAheadThanItsClientReads() throws Exception {
    int requests = 100;
    StubSettings settings = StubFixture.settings(1).withBounds(1_000_000, 100, 64 * 1024);
    try (StubFixture stub = new StubFixture(settings)) {
      RawClient client = stub.client().write(get(0).repeat(requests));
      long reading = System.nanoTime();
      for (int i = 1; i < requests; i++) {
        client.read();
      }
      // A hundred megabytes fit into no socket's buffers.
      assertThat(client.read().stamps().received()).isGreaterThan(reading);
    }
  }

  private static void writeMany(RawClient client, int requests) {
    try {
      client.write(get(0).repeat(requests));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void answersHeadWithoutBody() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      Response head = client.write(get(1000).replace("GET", "HEAD")).readWithoutBody();

      assertThat(head.status()).isEqualTo(200);
      assertThat(head.field("content-length")).isEqualTo("3");
      assertThat(client.exchange(get(1000)).body()).isEqualTo("xx\n");
    }
  }

  @Test
  void closesWhenTheClientWantsIt() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      Response response = client.exchange(get(1).replace("Host", "Connection: close\r\nHost"));

      assertThat(response.field("connection")).isEqualTo("close");
      assertThat(client.atEnd()).isTrue();
    }
  }

  @Test
  void keepsAConnectionOfHttp10OnlyWhenAsked() throws Exception {
    String request = get(1).replace("HTTP/1.1", "HTTP/1.0");
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient client = stub.client();
      Response kept = client.exchange(request.replace("Host", "Connection: keep-alive\r\nHost"));
      assertThat(kept.field("connection")).isEqualTo("keep-alive");
      assertThat(client.exchange(request).field("connection")).isEqualTo("close");
      assertThat(client.atEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100_000})
  void answersWithABodyOfTheConfiguredLength(int bytes) throws Exception {
    try (StubFixture stub = new StubFixture(StubFixture.settings(1).withBounds(bytes, 10, 1024))) {
      RawClient client = stub.client();
      assertThat(client.exchange(get(1)).body()).hasSize(bytes);
      assertThat(client.exchange(get(1)).body()).hasSize(bytes);
    }
  }

  @Test
  void refusesWhatExceedsTheQueueAndKeepsTheConnection() throws Exception {
    try (StubFixture stub = new StubFixture(StubFixture.settings(1).withBounds(3, 1, 1024))) {
      RawClient busy = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      RawClient client = stub.client();
      assertThat(client.exchange(get(1)).status()).isEqualTo(503);
      busy.close();
      stub.awaitInFlight(0);
      assertThat(client.exchange(get(1)).status()).isEqualTo(200);
    }
  }

  @Test
  void aBackendThatIsKilledLosesItsRequestsAndItsPort() throws Exception {
    try (StubFixture stub = StubFixture.of(1, 1)) {
      RawClient waiting = stub.client(0).write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      stub.pool.kill(0);

      assertThat(waiting.atEnd()).isTrue();
      assertThat(stub.pool.inFlight()).isZero();
      // The port must be free, but not for whoever comes first.
      try (Socket guard = new Socket()) {
        guard.setReuseAddress(true);
        guard.bind(stub.pool.addresses().getFirst());
        assertThatThrownBy(() -> stub.client(0)).isInstanceOf(ConnectException.class);
      }
      assertThat(stub.client(1).exchange(get(1)).status()).isEqualTo(200);
    }
  }

  @Test
  void saysWhichPortIsInUse() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      int port = stub.pool.addresses().getFirst().getPort();
      StubSettings taken = StubFixture.settings(1).with(List.of(new StubBackend("taken", port, 1)));
      assertThatThrownBy(() -> new StubFixture(taken).close())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("backend taken: 127.0.0.1:" + port + ": ")
          .hasMessageContaining("in use");
    }
  }

  @Test
  void closingAgainAndAfterTheLoopDoesNothing() throws Exception {
    StubFixture stub = StubFixture.of(1, 1);
    stub.pool.close();
    stub.pool.close();
    stub.close();
    stub.pool.close();
  }
}
