package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSignal.IdleNotice;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Idle notices of backends.
@Timeout(60)
class IdleStreamTest {
  private static final IdleNotice NOTICE = new IdleNotice("b0");

  private static Fixture before(SignalBackend backend) throws Exception {
    return new Fixture(List.of(backend.address()), settings -> settings);
  }

  private static ProxyState.Signals signals(Fixture proxy) {
    return proxy.pool.state().instances().getFirst().signals();
  }

  private static SignalBackend.Stream stream(SignalBackend backend, int number) {
    Fixture.eventually("stream " + number, () -> backend.streams().size() >= number);
    return backend.streams().get(number - 1);
  }

  @Test
  void noticesComeToTheBalancer() throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend)) {
      WantingBalancer balancer = WantingBalancer.of(false, 2, false).installed(proxy);
      SignalBackend.Stream stream = stream(backend, 1);
      assertThat(stream.request().line()).isEqualTo("GET /-/idle?choices=2 HTTP/1.1");
      Fixture.eventually("open", () -> signals(proxy).idleStreams() == 1);
      stream.tell();
      Fixture.eventually("told", () -> balancer.heard().size() == 1);
      // A line is a notice, however it is cut into chunks and reads.
      "6\r\nidle\nx\r\n3\r\ny\n\n\r\n".chars().forEach(octet -> stream.send("" + (char) octet));
      Fixture.eventually("told", () -> balancer.heard().size() == 4);
      assertThat(balancer.heard()).containsOnly(NOTICE);
      assertThat(signals(proxy)).isEqualTo(new ProxyState.Signals(0, 0, 0, 1, 4, 0, 0));
      assertThat(proxy.connections().backends()).as("of the pools").isZero();
      assertThat(proxy.inFlight()).isZero();
      assertThat(proxy.ended()).isEmpty();
    }
  }

  @Test
  void aStreamThatBreaksIsAskedForAgain() throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend)) {
      WantingBalancer balancer = WantingBalancer.of(false, 1, false).installed(proxy);
      stream(backend, 1).end();
      stream(backend, 2).send("0\r\n\r\n");
      stream(backend, 3).tell();
      Fixture.eventually("told", () -> balancer.heard().size() == 1);
      assertThat(signals(proxy).idleStreams()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nidle\n",
        "nonsense\r\n\r\n",
      })
  void aBackendThatCanNotIsAskedEverMoreSeldom(String head) throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend)) {
      Queue<Long> nanos = new ConcurrentLinkedQueue<>();
      backend.streamHead(head);
      var _ = WantingBalancer.of(false, 1, false).installed(proxy);
      for (int i = 1; i <= 4; i++) {
        var _ = stream(backend, i);
        nanos.add(System.nanoTime());
      }
      List<Long> asked = List.copyOf(nanos);
      // 50, 100 and 200 ms, less what the look at the first was late.
      boolean granted = head.contains("200 OK");
      assertThat(asked.get(3) - asked.get(0)).isGreaterThan((granted ? 100 : 300) * 1_000_000L);
      assertThat(signals(proxy).idleStreams()).isZero();
      backend.streamHead("HTTP/1.1 200 OK\r\n\r\n");
      Fixture.eventually("open", () -> signals(proxy).idleStreams() == 1);
    }
  }

  @Test
  void requestsTellTheLengthOfTheQueueWhereItCounts() throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(false, 2, false);
      balancer.knowsIdle(7);
      var _ = balancer.installed(proxy);
      String asked = stream(backend, 1).request().values("x-herdlab-idle-queue").getFirst();
      assertThat(asked).matches("\\d{1,18},7");
      balancer.knowsIdle(8);
      // A client's own word is not passed on.
      client.send("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-idle-queue: 1,1\r\n\r\n");
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(backend.requests("GET / ").getFirst().values("x-herdlab-idle-queue"))
          .containsExactly(asked.replace(",7", ",8"));
      var _ = WantingBalancer.of(false, 1, false).installed(proxy);
      assertThat(client.get("/").status()).isEqualTo(200);
      assertThat(backend.requests("GET / ").getLast().values("x-herdlab-idle-queue")).isEmpty();
    }
  }

  @Test
  void aSwitchBeginsAndEndsTheStreams() throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend)) {
      assertThat(backend.connections()).isZero();
      var _ = WantingBalancer.of(false, 1, false).installed(proxy);
      var _ = stream(backend, 1);
      // The same wish keeps the stream, another one begins a new one.
      var _ = WantingBalancer.of(false, 1, false).installed(proxy);
      var _ = WantingBalancer.of(false, 3, false).installed(proxy);
      assertThat(stream(backend, 2).request().line()).contains("choices=3");
      Fixture.eventually("open", () -> signals(proxy).idleStreams() == 1);
      backend.streams().forEach(SignalBackend.Stream::tell);
      proxy.install("round-robin", "local");
      assertThat(signals(proxy).idleStreams()).isZero();
      assertThat(backend.streams()).hasSize(2);
      Fixture.eventually("no attempt waits", () -> pending(proxy) == 1);
    }
  }

  // The sweep's alone, where nothing else waits.
  private static int pending(Fixture proxy) {
    return proxy.onLoop(proxy.loop::pendingDeadlines);
  }

  @Test
  void streamsFollowTheBackends() throws Exception {
    try (SignalBackend one = new SignalBackend();
        SignalBackend other = new SignalBackend();
        Fixture proxy = before(one)) {
      WantingBalancer balancer = WantingBalancer.of(false, 1, false).installed(proxy);
      var _ = stream(one, 1);
      proxy.pool.update(
          List.of(
              BackendAddress.of("b1", other.address()), BackendAddress.of("b0", one.address())));
      stream(other, 1).tell();
      Fixture.eventually("told", () -> balancer.heard().size() == 1);
      assertThat(balancer.heard()).containsExactly(new IdleNotice("b1"));
      proxy.pool.update(List.of(BackendAddress.of("b1", other.address())));
      assertThat(signals(proxy).idleStreams()).isEqualTo(1);
      assertThat(one.streams()).hasSize(1);
      assertThat(other.streams()).hasSize(1);
    }
  }
}
