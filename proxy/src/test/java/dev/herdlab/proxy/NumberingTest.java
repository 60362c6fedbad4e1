package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Proxies of several processes have numbers of their own.
@Timeout(60)
class NumberingTest {
  private static Installation from(int first, String algorithm) {
    return new Installation(
        Algorithms.builtIn().parse(algorithm, 1),
        new ViewSpec.Local(),
        "local",
        11,
        System.nanoTime(),
        first,
        0,
        "");
  }

  @Test
  void everyoneIsToldTheNumber() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy =
            new Fixture(
                List.of(backend.address()),
                settings -> ProxySettings.of(settings.host(), 2, settings.backends()))) {
      proxy.pool.install(from(40, "round-robin"));
      try (RawClient client = new RawClient(proxy.pool.addresses().get(1))) {
        RawClient.Response response =
            client.ask("GET / HTTP/1.1\r\nHost: h\r\nx-herdlab-request: 1\r\n\r\n");
        assertThat(response.value("x-herdlab-proxy")).isEqualTo("41");
      }
      assertThat(proxy.ended().getLast().proxy()).isEqualTo(41);
      assertThat(proxy.pool.state().instances())
          .extracting(ProxyState.Instance::number)
          .containsExactly(40, 41);
      List<Integer> logged =
          proxy.onLoop(
              () -> {
                List<Integer> proxies = new ArrayList<>();
                proxy.log.forEach(
                    (kind, number, value, argument, nanos) -> {
                      if (kind == DispatchLog.Kind.PICK || kind == DispatchLog.Kind.SUCCESS) {
                        proxies.add(number);
                      }
                    });
                return proxies;
              });
      assertThat(logged).containsExactly(41, 41);
    }
  }

  @Test
  void coinsAreThoseOfTheNumber() throws Exception {
    List<RawBackend> backends = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      backends.add(new RawBackend(RawBackend.OK));
    }
    try (Fixture two =
            new Fixture(
                backends.stream().map(RawBackend::address).toList(),
                settings -> ProxySettings.of(settings.host(), 2, settings.backends()));
        Fixture one =
            new Fixture(
                backends.stream().map(RawBackend::address).toList(), settings -> settings)) {
      two.pool.install(from(5, "random"));
      one.pool.install(from(6, "random"));
      assertThat(picks(two, 1)).isEqualTo(picks(one, 0)).isNotEqualTo(picks(two, 0));
    } finally {
      backends.forEach(RawBackend::close);
    }
  }

  private static List<String> picks(Fixture proxy, int instance) throws Exception {
    int before = proxy.ended().size();
    try (RawClient client = new RawClient(proxy.pool.addresses().get(instance))) {
      for (int i = 0; i < 12; i++) {
        client.get("/");
      }
    }
    return proxy.ended().subList(before, before + 12).stream().map(Fixture.Ended::backend).toList();
  }

  @Test
  void aNumberThatNoLogCanHoldIsRefused() {
    assertThatThrownBy(() -> from(-1, "random"))
        .hasMessage("first proxy: -1 (expected: 0 to 16777215)");
    assertThatThrownBy(() -> from(1 << 24, "random"))
        .hasMessage("first proxy: 16777216 (expected: 0 to 16777215)");
  }

  @Test
  void everyEventIsPassedOnWithItsNumber() throws Exception {
    List<String> heard = new ArrayList<>();
    var numbered =
        new NumberedListener(
            (DispatchListener)
                java.lang.reflect.Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {DispatchListener.class},
                    (self, method, arguments) -> heard.add(method.getName() + arguments[0])));
    numbered.numberFrom(30);
    List<String> expected = new ArrayList<>();
    for (Method method : DispatchListener.class.getDeclaredMethods()) {
      if (!method.isSynthetic()) {
        method.invoke(numbered, Arrays.stream(method.getParameterTypes()).map(this::any).toArray());
        expected.add(method.getName() + 32);
      }
    }
    assertThat(heard).isEqualTo(expected).hasSizeGreaterThan(4);
  }

  private Object any(Class<?> type) {
    if (type == int.class) {
      return 2;
    }
    if (type == long.class) {
      return 3L;
    }
    if (type == Outcome.class) {
      return Outcome.CANCELLED;
    }
    dev.herdlab.balancer.BackendSet set = dev.herdlab.balancer.BackendSet.ofSize(1);
    if (type == Picked.class) {
      return new Picked(set, 0);
    }
    if (type == Snapshot.class) {
      return new Snapshot(1, set, new int[1], 0);
    }
    if (type == BackendSignal.class) {
      return new BackendSignal.IdleNotice("b0");
    }
    if (type == Further.class) {
      return Further.HEDGE;
    }
    assertThat(type).isEqualTo(PickContext.class);
    return PickContext.PLAIN;
  }
}
