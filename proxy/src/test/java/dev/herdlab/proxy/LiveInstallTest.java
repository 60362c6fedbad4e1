package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveInstallTest {
  private static final List<String> ALGORITHMS =
      List.of("least-conn", "p2c", "random", "round-robin", "p2c(draws=distinct)");
  private static final List<String> VIEWS =
      List.of("local", "shared", "shared-stale(refresh=1ms)", "shared-stale(refresh=2ms,own=true)");

  @Test
  void losesNothingUnderLoad() throws Exception {
    int threads = 8;
    int requests = 400;
    List<RawBackend> backends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      backends.add(new RawBackend(RawBackend.OK));
    }
    try (Fixture proxy =
            new Fixture(backends.stream().map(RawBackend::address).toList(), settings -> settings);
        ExecutorService clients = Executors.newFixedThreadPool(threads)) {
      Callable<Integer> load =
          () -> {
            int good = 0;
            try (RawClient client = proxy.client()) {
              for (int i = 0; i < requests; i++) {
                if (client.get("/").status() == 200) {
                  good++;
                }
              }
            }
            return good;
          };
      List<Future<Integer>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(clients.submit(load));
      }
      int installs = 0;
      while (running.stream().anyMatch(future -> !future.isDone())) {
        proxy.install(
            ALGORITHMS.get(installs % ALGORITHMS.size()), VIEWS.get(installs % VIEWS.size()));
        installs++;
      }
      assertThat(installs).isGreaterThan(2);
      for (Future<Integer> future : running) {
        assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo(requests);
      }
      proxy.eventuallyIdle();
      assertThat(proxy.outcomes()).hasSize(threads * requests).containsOnly(Outcome.SUCCEEDED);
      assertEachLeaseEndedOnce(proxy);
    } finally {
      backends.forEach(RawBackend::close);
    }
  }

  private static void assertEachLeaseEndedOnce(Fixture proxy) {
    List<Long> ended =
        proxy.onLoop(
            () -> {
              List<Long> sequences = new ArrayList<>();
              proxy.log.forEach(
                  (kind, instance, value, sequence, nanos) -> {
                    if (kind == DispatchLog.Kind.SUCCESS) {
                      sequences.add(sequence);
                    }
                  });
              return sequences;
            });
    assertThat(ended).doesNotHaveDuplicates();
  }
}
