package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ViewSpec;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProxyStateTest {
  private static final long MILLISECOND = 1_000_000;

  private static Fixture two(HeldBackend one, HeldBackend other) throws Exception {
    return new Fixture(
        List.of(one.address(), other.address()),
        settings -> ProxySettings.of(settings.host(), 2, settings.backends()));
  }

  private static void install(Fixture proxy, String algorithm, String view, String phase) {
    proxy.pool.install(
        new Installation(
            Algorithms.builtIn().parse(algorithm, MILLISECOND),
            ViewSpec.parse(view, MILLISECOND),
            view,
            3,
            proxy.loop.nanos(),
            16,
            0,
            phase));
  }

  @Test
  void tellsWhatRunsAsItWasWritten() throws Exception {
    try (HeldBackend one = new HeldBackend();
        HeldBackend other = new HeldBackend();
        Fixture proxy = two(one, other)) {
      install(proxy, "p2c(d=3)", "shared-stale(refresh=4)", "third");
      ProxyState state = proxy.pool.state();
      assertThat(state.algorithm()).isEqualTo("p2c(d=3)");
      assertThat(state.view()).isEqualTo("shared-stale(refresh=4)");
      assertThat(state.refreshNanos()).isEqualTo(4 * MILLISECOND);
      assertThat(state.phase()).isEqualTo("third");
      assertThat(state.switches()).isEqualTo(2);
      assertThat(state.backendSetVersion()).isEqualTo(1);
      assertThat(state.backends())
          .containsExactly(
              BackendAddress.of("b0", one.address()), BackendAddress.of("b1", other.address()));
      assertThat(state.instances())
          .extracting(ProxyState.Instance::port)
          .isEqualTo(proxy.pool.addresses().stream().map(InetSocketAddress::getPort).toList());
      assertThat(state.board().health()).isEqualTo(new CountBoard.Health("memory", true, 1, 0, 0));
    }
  }

  @Test
  void countsWhatIsInFlightAndWhatViewsShow() throws Exception {
    try (HeldBackend one = new HeldBackend();
        HeldBackend other = new HeldBackend();
        Fixture proxy = two(one, other);
        RawClient first = new RawClient(proxy.pool.addresses().get(0));
        RawClient second = new RawClient(proxy.pool.addresses().get(1))) {
      one.hold();
      other.hold();
      first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      second.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      Fixture.eventually("in flight", () -> proxy.pool.state().inFlight() == 2);
      ProxyState state = proxy.pool.state();
      for (ProxyState.Instance instance : state.instances()) {
        assertThat(instance.picks()).isEqualTo(1);
        assertThat(instance.inFlight()).isEqualTo(1);
        assertThat(instance.inFlightOn()).containsExactly(1, 0);
        assertThat(instance.viewInFlight()).containsExactly(1, 0);
        assertThat(instance.viewAgeNanos()).isZero();
        assertThat(instance.connections()).isEqualTo(new ProxyState.Connections(1, 1, 0, 0));
      }
      assertThat(state.inFlightOn(0)).isEqualTo(2);
      assertThat(state.connections()).isEqualTo(new ProxyState.Connections(2, 2, 0, 0));
      proxy.install("round-robin", "shared");
      assertThat(proxy.pool.state().instances())
          .allSatisfy(instance -> assertThat(instance.viewInFlight()).containsExactly(2, 0));
      one.letGo();
      other.letGo();
      first.receive();
      second.receive();
    }
  }

  @Test
  void aViewAgesFromItsInstallationUntilItsFirstCopy() throws Exception {
    try (HeldBackend one = new HeldBackend();
        HeldBackend other = new HeldBackend();
        Fixture proxy = two(one, other)) {
      proxy.pool.install(
          Algorithms.builtIn().parse("p2c", 1),
          ViewSpec.parse("shared-stale(refresh=1ms)", 1),
          1,
          proxy.loop.nanos() + 3_600_000 * MILLISECOND);
      Fixture.eventually(
          "ages", () -> proxy.pool.state().instances().getFirst().viewAgeNanos() > MILLISECOND);
      assertThat(proxy.pool.state().instances().getFirst().refreshes()).isZero();
      assertThat(proxy.pool.state().view())
          .isEqualTo("shared-stale(refresh=1000000ns,own=false,phase=sync)");
      proxy.install("p2c", "shared-stale(refresh=1ms)");
      Fixture.eventually("copies", () -> proxy.pool.state().instances().getFirst().refreshes() > 3);
    }
  }

  @Test
  void isToBeHadBeforeTheFirstInstallation() throws Exception {
    try (HeldBackend one = new HeldBackend()) {
      var loop =
          dev.herdlab.transport.PreciseLoop.create(
              new dev.herdlab.transport.PreciseLoop.Settings(
                  "fresh", 0, dev.herdlab.transport.Scheduling.DEFAULT));
      loop.start();
      var pool =
          new ProxyPool(
              loop,
              ProxySettings.of("127.0.0.1", 1, List.of(BackendAddress.of("b0", one.address()))),
              dev.herdlab.balancer.DispatchListener.NONE);
      assertThat(pool.state().algorithm()).isEqualTo("none");
      assertThat(pool.state().instances().getFirst().port()).isZero();
      assertThat(pool.state().instances().getFirst().viewInFlight()).containsExactly(0);
      pool.close();
      loop.close();
      assertThatThrownBy(pool::state)
          .isInstanceOf(java.util.concurrent.RejectedExecutionException.class);
    }
  }
}
