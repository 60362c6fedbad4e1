package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a balancer may do to the proxy that hosts it.
@Timeout(60)
class OddBalancerTest {
  private static void install(Fixture proxy, BiFunction<BackendSet, Ports, LoadBalancer> balancer) {
    Algorithm algorithm =
        new Algorithm() {
          @Override
          public Description description() {
            return new Description("odd", "", List.of(), "O(1)", "none", List.of(), List.of());
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            return balancer.apply(backends, ports);
          }
        };
    Parameters none = Algorithms.builtIn().parse("round-robin", 1).parameters();
    proxy.pool.install(
        new ConfiguredAlgorithm("odd", algorithm, none),
        new ViewSpec.Local(),
        1,
        proxy.loop.nanos());
  }

  /// Picks the first backend.
  private record First(BackendSet backends, Runnable atCompletion) implements LoadBalancer {
    @Override
    public PickResult pick(PickContext context) {
      return new Picked(backends, 0);
    }

    @Override
    public void update(BackendSet next) {}

    @Override
    public void completed(Picked picked, Outcome outcome) {
      atCompletion.run();
    }
  }

  @Test
  void aBalancerThatThrowsHarmsNeitherSideOfTheExchange() throws Exception {
    RawBackend.Script script =
        (request, exchange) -> {
          if (request.line().contains("/close")) {
            exchange.close();
          } else {
            RawBackend.OK.answer(request, exchange);
          }
        };
    try (RawBackend backend = new RawBackend(script);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      install(
          proxy,
          (backends, ports) ->
              new First(
                  backends,
                  () -> {
                    throw new IllegalStateException("as the test wants it");
                  }));
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(backend.connections()).isEqualTo(1);
      assertThat(client.get("/close").status()).isEqualTo(502);
      assertThat(client.get("/").body()).isEqualTo("ok");
      assertThat(proxy.connections().backends()).isEqualTo(1);
      assertThat(proxy.outcomes())
          .containsExactly(
              Outcome.SUCCEEDED,
              Outcome.SUCCEEDED,
              new Outcome.Failed(FailureKind.BACKEND_CLOSED),
              Outcome.SUCCEEDED);
    }
  }

  @Test
  void aBalancersTimersEndWithTheProxies() throws Exception {
    AtomicLong ticks = new AtomicLong();
    try (Fixture proxy = new Fixture(List.of(), settings -> settings)) {
      install(
          proxy,
          (backends, ports) -> {
            tick(ticks, ports);
            return new First(backends, () -> {});
          });
      Fixture.eventually("ticking", () -> ticks.get() > 3);
      proxy.pool.close();
      long atClose = ticks.get();
      Fixture.eventually(
          "no timer left", () -> proxy.onLoop(() -> proxy.loop.pendingDeadlines()) == 0);
      assertThat(ticks.get()).isEqualTo(atClose);
    }
  }

  private static void tick(AtomicLong ticks, Ports ports) {
    ticks.incrementAndGet();
    ports.timer().schedule(1000, () -> tick(ticks, ports));
  }

  @Test
  void anAlgorithmThatCanNotBeMadeChangesNothing() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      proxy.install("round-robin", "shared-stale(refresh=1ms)");
      assertThatThrownBy(
              () ->
                  install(
                      proxy,
                      (backends, ports) -> {
                        throw new IllegalArgumentException("as the test wants it");
                      }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("as the test wants it");
      ProxyState state = proxy.pool.state();
      assertThat(state.algorithm()).isEqualTo("round-robin");
      assertThat(state.switches()).isEqualTo(2);
      assertThat(client.get("/").status()).isEqualTo(200);
      // Copies go on too.
      Fixture.eventually(
          "copies",
          () ->
              proxy.pool.state().instances().getFirst().refreshes()
                  > state.instances().getFirst().refreshes() + 2);
    }
  }

  @Test
  void aBalancerThatRefusesASetHoldsUpNoOtherProxy() throws Exception {
    AtomicLong made = new AtomicLong();
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy =
            new Fixture(
                List.of(backend.address()),
                settings -> ProxySettings.of(settings.host(), 2, settings.backends()));
        RawClient second = new RawClient(proxy.pool.addresses().get(1))) {
      install(proxy, (backends, ports) -> new Stubborn(backends, made.incrementAndGet() == 2));
      BackendAddress renamed = BackendAddress.of("new", backend.address());
      assertThatThrownBy(() -> proxy.pool.update(List.of(renamed)))
          .hasMessage("as the test wants it");
      ProxyState state = proxy.pool.state();
      assertThat(state.backends()).containsExactly(renamed);
      assertThat(state.backendSetVersion()).isEqualTo(2);
      assertThat(second.get("/").status()).isEqualTo(200);
    }
  }

  /// Picks the first backend; may refuse another set.
  private static final class Stubborn implements LoadBalancer {
    private final boolean refuses;
    private BackendSet backends;

    Stubborn(BackendSet backends, boolean refuses) {
      this.backends = backends;
      this.refuses = refuses;
    }

    @Override
    public PickResult pick(PickContext context) {
      return new Picked(backends, 0);
    }

    @Override
    public void update(BackendSet next) {
      if (refuses) {
        throw new IllegalStateException("as the test wants it");
      }
      backends = next;
    }
  }
}
