package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Thousands of random events at four dispatchers of one system, beside a plain list of what is
/// open.
final class DispatcherWalkTest {
  private static final int PROXIES = 4;
  private static final List<String> ALGORITHMS =
      List.of("random", "round-robin", "smooth-weighted-round-robin", "least-conn", "p2c");
  private static final List<String> VIEWS =
      List.of("local", "shared", "shared-stale(refresh=1)", "shared-stale(refresh=1,own=true)");

  private final List<Dispatcher> dispatchers = new ArrayList<>();
  private final List<Open> open = new ArrayList<>();
  private BackendSet backends = BackendSet.ofSize(6);
  private Counts truth = new Counts(backends);
  private SeededRandom random = SeededRandom.of(0, "walk", 0);

  private record Open(int proxy, Picked picked) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void trueCountsAreTheSumOfWhatIsOpen(long seed) {
    random = SeededRandom.of(seed, "walk", 0);
    for (int p = 0; p < PROXIES; p++) {
      dispatchers.add(new Dispatcher(p, backends, truth, () -> 0, DispatchListener.NONE));
      install(p);
    }
    for (int step = 0; step < 20_000; step++) {
      takeStep();
      check();
    }
    while (!open.isEmpty()) {
      completeOne();
    }
    check();
    assertThat(truth.total()).isZero();
  }

  private void takeStep() {
    int proxy = random.below(PROXIES);
    int kind = random.below(100);
    if (kind < 48) {
      if (dispatchers.get(proxy).pick(PickContext.PLAIN) instanceof Picked picked) {
        open.add(new Open(proxy, picked));
      }
    } else if (kind < 94) {
      completeOne();
    } else if (kind < 96) {
      changeSet();
    } else if (kind < 98) {
      install(proxy);
    } else {
      Dispatcher refreshed = dispatchers.get(proxy);
      long included = Math.max(0, refreshed.picks() - random.below(4));
      refreshed.refreshView(truth.snapshot(1, 0), included);
    }
  }

  private void completeOne() {
    if (!open.isEmpty()) {
      Outcome outcome = random.below(3) == 0 ? Outcome.CANCELLED : Outcome.SUCCEEDED;
      open.remove(random.below(open.size())).picked().complete(outcome);
    }
  }

  private void changeSet() {
    List<Backend> members = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      if (random.below(2) == 0) {
        members.add(random.below(members.size() + 1), new Backend("b" + i, 1 + random.below(3)));
      }
    }
    backends = backends.next(members);
    truth.update(backends);
    dispatchers.forEach(dispatcher -> dispatcher.update(backends));
  }

  private void install(int proxy) {
    dispatchers
        .get(proxy)
        .install(
            Algorithms.builtIn().parse(ALGORITHMS.get(random.below(ALGORITHMS.size())), 1),
            ViewSpec.parse(VIEWS.get(random.below(VIEWS.size())), 1),
            random,
            (delayNanos, task) -> {},
            index -> {});
  }

  private void check() {
    Map<String, Integer> all = new HashMap<>();
    List<Map<String, Integer>> own = new ArrayList<>();
    for (int p = 0; p < PROXIES; p++) {
      own.add(new HashMap<>());
    }
    for (Open lease : open) {
      all.merge(lease.picked().backend().id(), 1, Integer::sum);
      own.get(lease.proxy()).merge(lease.picked().backend().id(), 1, Integer::sum);
    }
    assertThat(truth.total()).isEqualTo(open.size());
    for (int i = 0; i < backends.size(); i++) {
      String id = backends.get(i).id();
      assertThat(truth.inFlight(i)).isEqualTo(all.getOrDefault(id, 0));
      for (int p = 0; p < PROXIES; p++) {
        assertThat(dispatchers.get(p).inFlight().inFlight(i))
            .isEqualTo(own.get(p).getOrDefault(id, 0));
      }
    }
    for (int p = 0; p < PROXIES; p++) {
      long expected = own.get(p).values().stream().mapToLong(Integer::longValue).sum();
      assertThat(dispatchers.get(p).inFlight().total()).isEqualTo(expected);
    }
  }
}
