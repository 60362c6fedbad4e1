package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Algorithm, view and backends are replaced while hundreds of requests are under way.
@Timeout(180)
class LiveSwitchTest {
  private static final int CLIENTS = 200;
  private static final int REQUESTS = 30;
  private static final List<String> ALGORITHMS =
      List.of(
          "least-conn",
          "p2c",
          "random",
          "round-robin",
          "smooth-weighted-round-robin",
          "weighted-round-robin");
  private static final List<String> VIEWS =
      List.of(
          "local",
          "shared",
          "shared-stale(refresh=1ms)",
          "shared-stale(refresh=2ms,own=true)",
          "shared-stale(refresh=3ms,own=true,phase=random)");
  // Which of six backends are members, and under which names: some leave, some return, and a name
  // moves to another address.
  private static final List<List<String>> MEMBERS =
      List.of(
          List.of("b0=0", "b1=1", "b2=2", "b3=3"),
          List.of("b3=3", "b1=1"),
          List.of("b1=4", "b0=0", "b5=5"),
          List.of("b2=2", "b4=4", "b0=0", "b1=1", "b5=5"));
  // Long enough for each client to have a request under way at most times.
  private static final RawBackend.Script SLOW =
      (request, exchange) -> {
        LockSupport.parkNanos(3_000_000);
        RawBackend.OK.answer(request, exchange);
      };

  private final List<RawBackend> backends = new ArrayList<>();

  private List<BackendAddress> members(int step) {
    return MEMBERS.get(step % MEMBERS.size()).stream()
        .map(
            text ->
                BackendAddress.of(
                    text.substring(0, 2),
                    backends.get(Integer.parseInt(text.substring(3))).address()))
        .toList();
  }

  private static int ask(Fixture proxy, int number) throws Exception {
    int good = 0;
    try (RawClient client = new RawClient(proxy.pool.addresses().get(number % 2))) {
      for (int i = 0; i < REQUESTS; i++) {
        RawClient.Response response = client.get("/");
        if (response.status() == 200 && response.body().equals("ok")) {
          good++;
        }
      }
    }
    return good;
  }

  @Test
  void losesNothingUnderLoad() throws Exception {
    for (int i = 0; i < 6; i++) {
      backends.add(new RawBackend(SLOW));
    }
    try (Fixture proxy =
            new Fixture(
                backends.subList(0, 4).stream().map(RawBackend::address).toList(),
                settings -> ProxySettings.of(settings.host(), 2, settings.backends()));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int number = i;
        running.add(clients.submit(() -> ask(proxy, number)));
      }
      int steps = 0;
      long mostInFlight = 0;
      while (running.stream().anyMatch(future -> !future.isDone())) {
        if (steps % 3 == 0) {
          proxy.install(ALGORITHMS.get(steps % ALGORITHMS.size()), "local");
        } else if (steps % 3 == 1) {
          proxy.install("p2c", VIEWS.get(steps % VIEWS.size()));
        } else {
          proxy.pool.update(members(steps));
        }
        mostInFlight = Math.max(mostInFlight, proxy.pool.state().inFlight());
        steps++;
      }
      for (Future<Integer> future : running) {
        assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo(REQUESTS);
      }
      assertThat(steps).isGreaterThan(30);
      assertThat(mostInFlight).isGreaterThan(50);
      assertNothingIsLeft(proxy);
    } finally {
      backends.forEach(RawBackend::close);
    }
  }

  private void assertNothingIsLeft(Fixture proxy) {
    int total = CLIENTS * REQUESTS;
    proxy.eventuallyIdle();
    assertThat(proxy.outcomes()).hasSize(total).containsOnly(Outcome.SUCCEEDED);
    assertThat(proxy.ended()).hasSize(total).allMatch(ended -> ended.outcome().equals("ok"));
    assertThat(backends.stream().mapToInt(backend -> backend.requests().size()).sum())
        .isEqualTo(total);
    for (int proxyNumber = 0; proxyNumber < 2; proxyNumber++) {
      assertThat(endedLeases(proxy, proxyNumber)).doesNotHaveDuplicates().hasSize(total / 2);
    }
    ProxyState state = proxy.pool.state();
    assertThat(state.inFlight()).isZero();
    for (ProxyState.Instance instance : state.instances()) {
      assertThat(instance.inFlight()).isZero();
      assertThat(instance.inFlightOn()).containsOnly(0);
    }
  }

  private static List<Long> endedLeases(Fixture proxy, int number) {
    return proxy.onLoop(
        () -> {
          List<Long> sequences = new ArrayList<>();
          proxy.log.forEach(
              (kind, at, value, sequence, nanos) -> {
                if (kind == DispatchLog.Kind.SUCCESS && at == number) {
                  sequences.add(sequence);
                }
              });
          return sequences;
        });
  }

  @Test
  void anInstallationFromTheLoopItselfIsCarriedOutAtOnce() throws Exception {
    try (Fixture proxy = new Fixture(List.of(), settings -> settings)) {
      String algorithm =
          proxy.onLoop(
              () -> {
                proxy.pool.install(
                    Algorithms.builtIn().parse("p2c", 1),
                    ViewSpec.parse("local", 1),
                    1,
                    proxy.loop.nanos());
                return proxy.pool.state().algorithm();
              });
      assertThat(algorithm).isEqualTo("p2c");
    }
  }
}
