package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Backends join and leave while requests go on.
@Timeout(120)
class MembershipTest {
  private static RawBackend.Script until(CountDownLatch release) {
    return (request, exchange) -> {
      try {
        release.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      RawBackend.OK.answer(request, exchange);
    };
  }

  private static BackendAddress named(String id, RawBackend backend) {
    return BackendAddress.of(id, backend.address());
  }

  private static List<String> ids(ProxyState state) {
    return state.backends().stream().map(address -> address.backend().id()).toList();
  }

  @Test
  void aSurvivorKeepsItsConnectionsAndCounts() throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend leaver = new RawBackend(RawBackend.OK);
        RawBackend survivor = new RawBackend(until(release));
        RawBackend joiner = new RawBackend(RawBackend.OK);
        Fixture proxy =
            new Fixture(List.of(leaver.address(), survivor.address()), settings -> settings);
        RawClient first = proxy.client();
        RawClient second = proxy.client()) {
      proxy.pool.warm();
      first.get("/");
      second.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the survivor", () -> survivor.requests().size() == 1);
      long version = proxy.pool.update(List.of(named("new", joiner), named("b1", survivor)));
      assertThat(version).isEqualTo(2);
      ProxyState state = proxy.pool.state();
      assertThat(ids(state)).containsExactly("new", "b1");
      assertThat(state.backendSetVersion()).isEqualTo(2);
      assertThat(state.instances().getFirst().inFlightOn()).containsExactly(0, 1);
      assertThat(state.inFlightOn(1)).isEqualTo(1);
      release.countDown();
      assertThat(second.receive().status()).isEqualTo(200);
      // Round-robin stays where it was: what comes after the survivor.
      for (int i = 0; i < 4; i++) {
        assertThat(first.get("/").status()).isEqualTo(200);
      }
      assertThat(survivor.connections()).isEqualTo(2);
      assertThat(leaver.requests()).hasSize(1);
      assertThat(joiner.requests()).hasSize(2);
      assertThat(survivor.requests()).hasSize(3);
    }
  }

  @Test
  void aLeaverEndsItsRequestsAndThenItsConnections() throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend leaver = new RawBackend(until(release));
        Fixture proxy =
            new Fixture(
                List.of(leaver.address()), settings -> settings.withPool(new PoolSettings(3, 9)));
        RawClient client = proxy.client()) {
      proxy.pool.warm();
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the leaver", () -> leaver.requests().size() == 1);
      proxy.pool.update(List.of());
      // The idle ones go at once, the busy one when its request is over.
      Fixture.eventually("idle ones closed", () -> leaver.ended() == 2);
      ProxyState state = proxy.pool.state();
      assertThat(state.connections()).isEqualTo(new ProxyState.Connections(1, 1, 0, 0));
      assertThat(state.inFlight()).isEqualTo(1);
      assertThat(state.instances().getFirst().inFlight()).isEqualTo(1);
      release.countDown();
      assertThat(client.receive().status()).isEqualTo(200);
      Fixture.eventually("all closed", () -> leaver.ended() == 3);
      assertThat(proxy.pool.state().connections().backends()).isZero();
      assertThat(client.get("/").status()).isEqualTo(503);
    }
  }

  @Test
  void aBackendThatReturnsFindsItsCountAgain() throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend backend = new RawBackend(until(release));
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the backend", () -> backend.requests().size() == 1);
      proxy.pool.update(List.of());
      proxy.pool.update(List.of(named("b0", backend)));
      assertThat(proxy.pool.state().instances().getFirst().inFlightOn()).containsExactly(1);
      release.countDown();
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @Test
  void theSameNameAtAnotherAddressIsReachedThere() throws Exception {
    var release = new CountDownLatch(1);
    try (RawBackend before = new RawBackend(until(release));
        RawBackend after = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(before);
        RawClient first = proxy.client();
        RawClient second = proxy.client()) {
      first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("at the first", () -> before.requests().size() == 1);
      proxy.pool.update(List.of(named("b0", after)));
      assertThat(proxy.pool.state().instances().getFirst().inFlightOn()).containsExactly(1);
      assertThat(second.get("/").status()).isEqualTo(200);
      assertThat(after.requests()).hasSize(1);
      release.countDown();
      assertThat(first.receive().status()).isEqualTo(200);
      Fixture.eventually("closed", () -> before.ended() == before.connections());
      assertThat(proxy.pool.state().instances().getFirst().inFlightOn()).containsExactly(0);
    }
  }

  @Test
  void aJoinerIsWarmedInTheBackground() throws Exception {
    try (RawBackend joiner = new RawBackend(RawBackend.OK);
        Fixture proxy =
            new Fixture(
                List.of(),
                settings ->
                    ProxySettings.of(settings.host(), 3, List.of())
                        .withPool(new PoolSettings(4, 9)))) {
      proxy.pool.update(List.of(named("new", joiner)));
      Fixture.eventually("warm", () -> proxy.pool.state().connections().idleBackends() == 12);
      Fixture.eventually("accepted", () -> joiner.connections() == 12);
    }
  }

  @Test
  void aJoinerThatCanNotBeReachedHoldsNothingUp() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
    try (RawBackend joiner = new RawBackend(RawBackend.OK);
        Fixture proxy = new Fixture(List.of(), settings -> settings);
        RawClient client = proxy.client()) {
      proxy.pool.update(List.of(BackendAddress.of("dead", nobody), named("new", joiner)));
      Fixture.eventually("warm", () -> proxy.pool.state().connections().idleBackends() == 2);
      assertThat(client.get("/").status()).isEqualTo(502);
      assertThat(client.get("/").status()).isEqualTo(200);
    }
  }

  @Test
  void aRepetitionGoesToTheBackendThatWasPicked() throws Exception {
    // The first connection is closed at its reuse, while the set changes: index 0 is another
    // backend then.
    var arrived = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    RawBackend.Script script =
        (request, exchange) -> {
          if (request.connection() == 0 && request.line().contains("/second")) {
            arrived.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            exchange.close();
          } else {
            RawBackend.OK.answer(request, exchange);
          }
        };
    try (RawBackend picked = new RawBackend(script);
        RawBackend other = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(picked);
        RawClient client = proxy.client()) {
      client.get("/first");
      client.send("GET /second HTTP/1.1\r\nHost: h\r\n\r\n");
      arrived.await();
      proxy.pool.update(List.of(named("new", other), named("b1", other)));
      release.countDown();
      assertThat(client.receive().status()).isEqualTo(200);
      assertThat(picked.requests()).hasSize(3);
      assertThat(other.requests()).isEmpty();
      // The connection of the repetition was the leaver's last.
      Fixture.eventually("closed", () -> picked.ended() == picked.connections());
    }
  }

  @Test
  void theSameListAgainChangesNothing() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend)) {
      assertThat(proxy.pool.update(List.of(named("b0", backend)))).isEqualTo(1);
      // Another weight is a change, but the connections stay.
      proxy.pool.warm();
      BackendAddress heavier = new BackendAddress(new Backend("b0", 5), backend.address());
      assertThat(proxy.pool.update(List.of(heavier))).isEqualTo(2);
      assertThat(proxy.pool.state().backends()).containsExactly(heavier);
      assertThat(proxy.pool.state().connections().idleBackends()).isEqualTo(2);
      Fixture.eventually("all accepted", () -> backend.connections() >= 2);
      assertThat(backend.connections()).isEqualTo(2);
    }
  }

  @Test
  void aNameThatIsThereTwiceIsRefusedAndNothingChanges() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      assertThatThrownBy(() -> proxy.pool.update(List.of(named("x", backend), named("x", backend))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("backends: x twice (expected: unique ids)");
      assertThat(proxy.pool.state().backendSetVersion()).isEqualTo(1);
      assertThat(client.get("/").status()).isEqualTo(200);
    }
  }

  @Test
  void whatLeavesWhileItIsWarmedIsClosed() throws Exception {
    List<RawBackend> joiners = new ArrayList<>();
    try (Fixture proxy =
        new Fixture(List.of(), settings -> settings.withPool(new PoolSettings(50, 99)))) {
      for (int i = 0; i < 4; i++) {
        RawBackend joiner = new RawBackend(RawBackend.OK);
        joiners.add(joiner);
        proxy.pool.update(List.of(named("b" + i, joiner)));
      }
      proxy.pool.update(List.of());
      Fixture.eventually("none left", () -> proxy.pool.state().connections().backends() == 0);
    } finally {
      joiners.forEach(RawBackend::close);
    }
  }
}
