package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ProxyPoolTest {
  private static ProxySettings instances(ProxySettings settings, int count) {
    return ProxySettings.of(settings.host(), count, settings.backends());
  }

  @Test
  void hostsManyInstancesOnOneThread() throws Exception {
    try (RawBackend first = new RawBackend(RawBackend.OK);
        RawBackend second = new RawBackend(RawBackend.OK);
        Fixture proxy =
            new Fixture(
                List.of(first.address(), second.address()), settings -> instances(settings, 64))) {
      int threadsBefore = Thread.activeCount();
      proxy.pool.warm();
      assertThat(proxy.connections().idleBackends()).isEqualTo(64 * 2 * 2);
      // Again: nothing is missing, so nothing is opened.
      proxy.pool.warm();
      assertThat(proxy.connections().backends()).isEqualTo(64 * 2 * 2);
      assertThat(new HashSet<>(proxy.pool.addresses())).hasSize(64);
      for (int i = 0; i < 64; i++) {
        try (RawClient client = new RawClient(proxy.pool.addresses().get(i))) {
          RawClient.Response response =
              client.ask("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 1\r\n\r\n");
          assertThat(response.value("x-herdlab-proxy")).isEqualTo(Integer.toString(i));
          // Each has its own balancer: the first pick of round-robin is the first backend
          // everywhere.
        }
      }
      // Less if a thread of an earlier test ended meanwhile.
      assertThat(Thread.activeCount()).isLessThanOrEqualTo(threadsBefore);
      assertThat(first.requests()).hasSize(64);
      // The warm connections were used, no others opened.
      Fixture.eventually(
          "accepted", () -> first.connections() + second.connections() == 64 * 2 * 2);
      for (int i = 0; i < 64; i++) {
        int instance = i;
        long picks = proxy.loop.call(() -> proxy.pool.dispatcher(instance).picks(), Fixture.BOUND);
        assertThat(picks).isEqualTo(1);
      }
    }
  }

  @Test
  void copiesForAllInstancesAtOnceUnlessEachHasItsOwnPhase() throws Exception {
    try (Fixture proxy = new Fixture(List.of(), settings -> instances(settings, 64))) {
      int others = proxy.onLoop(() -> proxy.loop.pendingDeadlines());
      proxy.install("round-robin", "shared-stale(refresh=1s)");
      assertThat(proxy.onLoop(() -> proxy.loop.pendingDeadlines())).isEqualTo(others + 1);
      proxy.install("round-robin", "shared-stale(refresh=1s,phase=random)");
      assertThat(proxy.onLoop(() -> proxy.loop.pendingDeadlines())).isEqualTo(others + 64);
      proxy.install("round-robin", "local");
      assertThat(proxy.onLoop(() -> proxy.loop.pendingDeadlines())).isEqualTo(others);
    }
  }

  @Test
  void usesTheConnectionThatWasReleasedLast() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy =
            Fixture.before(backend, settings -> settings.withPool(new PoolSettings(5, 10)))) {
      proxy.pool.warm();
      try (RawClient client = proxy.client()) {
        for (int i = 0; i < 10; i++) {
          client.get("/");
        }
      }
      int used = backend.requests().getFirst().connection();
      assertThat(backend.requests()).hasSize(10).allMatch(request -> request.connection() == used);
    }
  }

  @Test
  void saysInOneLineThatAPortIsTaken() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(
              () -> new Fixture(List.of(), settings -> settings.withPorts(List.of(port))))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("proxy 0: cannot listen on 127.0.0.1:" + port)
          .hasMessageNotContaining("\n");
    }
  }

  @Test
  void saysInOneLineThatABackendCanNotBeWarmed() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
    try (Fixture proxy = new Fixture(List.of(nobody), settings -> settings)) {
      assertThatThrownBy(() -> proxy.pool.warm())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("backend b0: cannot connect to ");
    }
  }

  @Test
  void drainsInOrder() throws Exception {
    var release = new CountDownLatch(1);
    RawBackend.Script held =
        (request, exchange) -> {
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          RawBackend.OK.answer(request, exchange);
        };
    try (RawBackend backend = new RawBackend(held);
        Fixture proxy = Fixture.before(backend);
        RawClient idle = proxy.client();
        RawClient busy = proxy.client()) {
      busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      Thread drain =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      proxy.pool.drain(Duration.ofSeconds(20));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      assertThat(idle.isClosedByProxy()).isTrue();
      assertThatThrownBy(proxy::client).isInstanceOf(IOException.class);
      release.countDown();
      RawClient.Response response = busy.receive();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.value("connection")).isEqualTo("close");
      assertThat(busy.isClosedByProxy()).isTrue();
      drain.join();
      assertThat(proxy.outcomes()).containsExactly(Outcome.SUCCEEDED);
    }
  }

  @Test
  void drainingEndsAConnectionWhoseResponseHadBegun() throws Exception {
    var release = new CountDownLatch(1);
    RawBackend.Script half =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nha");
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          exchange.send("lf");
        };
    try (RawBackend backend = new RawBackend(half);
        Fixture proxy = Fixture.before(backend);
        RawClient idle = proxy.client();
        RawClient busy = proxy.client()) {
      busy.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      // The head promises to keep the connection.
      assertThat(RawBackend.readHead(busy.in())).doesNotContain("connection: close");
      Thread drain =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      proxy.pool.drain(Duration.ofHours(1));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      assertThat(idle.isClosedByProxy()).isTrue();
      release.countDown();
      assertThat(busy.in().readNBytes(4)).asString().isEqualTo("half");
      assertThat(busy.isClosedByProxy()).isTrue();
      drain.join();
      assertThat(proxy.outcomes()).containsExactly(Outcome.SUCCEEDED);
    }
  }

  @Test
  void closingCancelsWhatIsUnderWay() throws Exception {
    var never = new CountDownLatch(1);
    RawBackend.Script held =
        (request, exchange) -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        };
    try (RawBackend backend = new RawBackend(held);
        Fixture proxy = Fixture.before(backend)) {
      List<RawClient> clients = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        RawClient client = proxy.client();
        clients.add(client);
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      }
      Fixture.eventually("at the backend", () -> backend.requests().size() == 10);
      proxy.pool.close();
      proxy.pool.close();
      assertThat(proxy.inFlight()).isZero();
      assertThat(proxy.outcomes()).hasSize(10).containsOnly(Outcome.CANCELLED);
      for (RawClient client : clients) {
        assertThat(client.isClosedByProxy()).isTrue();
        client.close();
      }
      never.countDown();
    }
  }

  @Test
  void refusesSettingsWithOneLine() {
    assertThatThrownBy(() -> ProxySettings.of("127.0.0.1", 0, List.of()))
        .hasMessage("instances: 0 (expected: 1 to 1024)");
    assertThatThrownBy(
            () -> ProxySettings.of("127.0.0.1", 2, List.of()).withPorts(List.of(1, 2, 3)))
        .hasMessageContaining("ports: 3");
    assertThatThrownBy(() -> new PoolSettings(3, 2)).hasMessage("pool warm: 3 (expected: 0 to 2)");
    assertThatThrownBy(() -> Timeouts.DEFAULT.withConnect(Duration.ZERO))
        .hasMessage("connect time-out: 0 ms (expected: 1 ms to 1 day)");
  }
}
