package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSignal.ProbeReply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Probes of backends over sockets of their own.
@Timeout(60)
class ProbeTest {
  private static final ProbeReply REPLY = new ProbeReply("b0", 3, 25_000_000);
  // Never over in these tests.
  private static final UnaryOperator<ProxySettings> PATIENT = within(Duration.ofMinutes(10));

  private static UnaryOperator<ProxySettings> within(Duration limit) {
    return settings -> settings.withTimeouts(Timeouts.DEFAULT.withProbe(limit));
  }

  private static Fixture before(SignalBackend backend, UnaryOperator<ProxySettings> change)
      throws Exception {
    return new Fixture(List.of(backend.address()), change);
  }

  private static void probe(Fixture proxy, WantingBalancer balancer, int times) {
    proxy.onLoop(
        () -> {
          for (int i = 0; i < times; i++) {
            balancer.probe(0);
          }
          return 0;
        });
  }

  private static ProxyState.Signals signals(Fixture proxy) {
    return proxy.pool.state().instances().getFirst().signals();
  }

  private static RawBackend.Script heldBy(CountDownLatch gate, RawBackend.Script then) {
    return (request, exchange) -> {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      then.answer(request, exchange);
    };
  }

  @Test
  void repliesComeToTheBalancerOverOneConnection() throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, PATIENT)) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      for (int i = 1; i <= 5; i++) {
        int replies = i;
        probe(proxy, balancer, 1);
        Fixture.eventually("replied", () -> balancer.heard().size() == replies);
      }
      assertThat(balancer.heard()).containsOnly(REPLY);
      assertThat(backend.connections()).isEqualTo(1);
      assertThat(signals(proxy)).isEqualTo(new ProxyState.Signals(5, 5, 0, 0, 0, 0, 0));
      assertThat(proxy.connections().backends()).as("of the pools").isZero();
      assertThat(proxy.outcomes()).isEmpty();
      assertThat(proxy.ended()).isEmpty();
    }
  }

  @Test
  void aProbeDoesNotWaitBehindRequests() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy =
            before(backend, settings -> PATIENT.apply(settings.withPool(new PoolSettings(0, 1))));
        RawClient client = proxy.client()) {
      backend.requested(heldBy(gate, RawBackend.OK));
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("held", () -> backend.requests("GET / ").size() == 1);
      probe(proxy, balancer, 1);
      Fixture.eventually("replied", () -> balancer.heard().contains(REPLY));
      assertThat(proxy.inFlight()).isEqualTo(1);
      gate.countDown();
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 404 Not Found|Content-Length: 2||no",
        "HTTP/1.1 200 OK|Content-Length: 0||",
        "HTTP/1.1 200 OK|Content-Length: 0|x-herdlab-in-flight: 3||",
        "HTTP/1.1 200 OK|Content-Length: 0|x-herdlab-latency-ns: 3|x-herdlab-in-flight: -1||",
        "HTTP/1.1 503 No|Content-Length: 0|x-herdlab-latency-ns: 3|x-herdlab-in-flight: 1||",
      })
  void anotherAnswerIsALostProbeAndKeepsTheConnection(String answer) throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, PATIENT)) {
      backend.probed((request, exchange) -> exchange.send(answer.replace("|", "\r\n")));
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, 1);
      Fixture.eventually("lost", () -> signals(proxy).probesLost() == 1);
      backend.probed((request, exchange) -> exchange.send(SignalBackend.LOADED));
      probe(proxy, balancer, 1);
      Fixture.eventually("replied", () -> signals(proxy).probesAnswered() == 1);
      assertThat(balancer.heard()).containsExactly(REPLY);
      assertThat(backend.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "HTTP/1.1 101 Switching\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
      })
  void whatIsNoAnswerEndsTheConnection(String answer) throws Exception {
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, PATIENT)) {
      backend.probed((request, exchange) -> exchange.send(answer.replace("|", "\r\n")));
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, 1);
      Fixture.eventually("lost", () -> signals(proxy).probesLost() == 1);
      Fixture.eventually("closed", () -> backend.ended() == 1);
      assertThat(balancer.heard()).isEmpty();
    }
  }

  @Test
  void aProbeWithoutAnswerInTimeIsLostAndItsLateAnswerIsNobodys() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, within(Duration.ofMillis(20)))) {
      backend.probed(heldBy(gate, (request, exchange) -> exchange.send(SignalBackend.LOADED)));
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, 1);
      Fixture.eventually("lost", () -> signals(proxy).probesLost() == 1);
      gate.countDown();
      Fixture.eventually("closed", () -> backend.ended() == 1);
      assertThat(balancer.heard()).isEmpty();
      assertThat(signals(proxy).probesAnswered()).isZero();
    }
  }

  @Test
  void aProbeOnAConnectionThatWasUsedBeforeHasItsTimeToo() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, within(Duration.ofMillis(200)))) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      while (balancer.heard().isEmpty()) { // a machine that is busy loses some
        probe(proxy, balancer, 1);
        Fixture.eventually(
            "over",
            () -> {
              ProxyState.Signals now = signals(proxy);
              return now.probesAnswered() + now.probesLost() == now.probesSent();
            });
      }
      backend.probed(heldBy(gate, (request, exchange) -> exchange.send(SignalBackend.LOADED)));
      int connections = backend.connections();
      long lost = signals(proxy).probesLost();
      probe(proxy, balancer, 1);
      Fixture.eventually("lost", () -> signals(proxy).probesLost() == lost + 1);
      assertThat(backend.connections()).isEqualTo(connections);
      gate.countDown();
    }
  }

  @Test
  void moreThanTheBoundAreLostAtOnce() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, PATIENT)) {
      backend.probed(heldBy(gate, (request, exchange) -> exchange.send(SignalBackend.LOADED)));
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, ProbeLane.MOST + 3);
      assertThat(signals(proxy).probesLost()).isEqualTo(3);
      gate.countDown();
      Fixture.eventually("replied", () -> signals(proxy).probesAnswered() == ProbeLane.MOST);
      assertThat(backend.connections()).isEqualTo(ProbeLane.MOST);
      probe(proxy, balancer, ProbeLane.MOST);
      Fixture.eventually("again", () -> signals(proxy).probesAnswered() == 2 * ProbeLane.MOST);
      assertThat(backend.connections()).isEqualTo(ProbeLane.MOST);
      assertThat(signals(proxy).probesLost()).isEqualTo(3);
    }
  }

  @Test
  void aBackendThatIsNotThereLosesProbes() throws Exception {
    SignalBackend backend = new SignalBackend();
    try (Fixture proxy = before(backend, PATIENT)) {
      backend.close();
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, 2);
      Fixture.eventually("lost", () -> signals(proxy).probesLost() == 2);
    }
  }

  @Test
  void aSwitchGivesUpWhatIsUnderWay() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    try (SignalBackend backend = new SignalBackend();
        Fixture proxy = before(backend, PATIENT)) {
      WantingBalancer before = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, before, 1);
      Fixture.eventually("replied", () -> before.heard().size() == 1);
      backend.probed(heldBy(gate, (request, exchange) -> exchange.send(SignalBackend.LOADED)));
      probe(proxy, before, 2);
      Fixture.eventually("held", () -> backend.requests("GET /-/probe").size() == 3);
      WantingBalancer after = WantingBalancer.of(false, 0, false).installed(proxy);
      assertThat(signals(proxy).probesLost()).isEqualTo(2);
      gate.countDown();
      // Both connections are closed, and the old one's wishes are nobody's.
      Fixture.eventually("closed", () -> backend.ended() == 2);
      probe(proxy, before, 1);
      assertThat(signals(proxy).probesSent()).isEqualTo(3);
      probe(proxy, after, 1);
      Fixture.eventually("replied", () -> after.heard().size() == 1);
      assertThat(before.heard()).hasSize(1);
    }
  }

  @Test
  void changedBackendsAreProbedByTheirNewPlaces() throws Exception {
    try (SignalBackend one = new SignalBackend();
        SignalBackend other = new SignalBackend();
        Fixture proxy = before(one, PATIENT)) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      probe(proxy, balancer, 1);
      Fixture.eventually("replied", () -> balancer.heard().size() == 1);
      proxy.pool.update(
          List.of(
              BackendAddress.of("b1", other.address()), BackendAddress.of("b0", one.address())));
      probe(proxy, balancer, 1);
      Fixture.eventually("replied", () -> balancer.heard().size() == 2);
      assertThat(balancer.heard()).containsExactly(REPLY, new ProbeReply("b1", 3, 25_000_000));
      proxy.pool.update(List.of(BackendAddress.of("b1", other.address())));
      Fixture.eventually("closed", () -> one.ended() == one.connections());
    }
  }
}
