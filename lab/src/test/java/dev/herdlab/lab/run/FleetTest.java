package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A running system as the lab sees it: two processes of each kind, on real sockets.
@Timeout(120)
final class FleetTest {
  /// The processes under the name `all`.
  private final List<String> named = new CopyOnWriteArrayList<>();

  private List<InetSocketAddress> addresses(String place) throws IOException {
    List<String> places = place.equals("all") ? named : List.of(place);
    if (places.isEmpty()) {
      throw new IOException(place + ": nobody");
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    places.forEach(one -> addresses.add(ComponentLists.address(one, 1).orElseThrow()));
    return addresses;
  }

  private Fleet fleet(List<String> proxies, List<String> backends, List<String> generators) {
    return new Fleet(new Fleet.Places(proxies, backends, generators), this::addresses);
  }

  @Test
  void playsOneRunOverSeveralProcessesOfEachKind() throws Exception {
    try (Running stubs = Running.backend("backends=2", "name=s", "unit=1ms");
        Running moreStubs = Running.backend("backends=1", "name=t", "unit=1ms");
        Running proxies = proxy(stubs, moreStubs, "instances=2");
        Running moreProxies = proxy(stubs, moreStubs, "instances=1");
        Running generator = Running.generator("proxies=127.0.0.1:1");
        Running moreGenerators = Running.generator("proxies=127.0.0.1:1");
        Fleet fleet =
            fleet(
                List.of(proxies.adminPlace(), moreProxies.adminPlace()),
                List.of(stubs.adminPlace(), moreStubs.adminPlace()),
                List.of(generator.adminPlace(), moreGenerators.adminPlace()))) {
      assertThat(fleet.look().joined()).hasSize(6);
      assertThat(fleet.proxyAddresses()).hasSize(3);
      assertThat(fleet.backendAddresses()).containsOnlyKeys("s0", "s1", "t0");
      assertThat(fleet.all()).allMatch(member -> member.clock().isSame());

      fleet.aim();
      fleet.connect();
      long epochNanos = System.nanoTime() + 300_000_000;
      fleet.install(new Balancing("round-robin", "local", 1_000_000, 1, "first", 1000), epochNanos);
      for (FleetMember member : fleet.generators()) {
        fleet
            .run(member, "r")
            .begin(
                everyProxy(30),
                epochNanos,
                new GeneratorRun.Labels("first", "round-robin", "local"));
      }
      List<RunLog.Entry> entries = new ArrayList<>();
      for (FleetMember member : fleet.generators()) {
        GeneratorRun run = fleet.run(member, "r");
        Running.await("the end", () -> progress(run).over());
        assertThat(progress(run)).isEqualTo(new GeneratorRun.Progress(30, 30, 30, true, 0));
        entries.addAll(run.result().run().entries());
      }

      assertThat(entries).hasSize(60).allMatch(RunLog.Entry::ok);
      assertThat(entries).extracting(entry -> entry.last().proxy()).contains(0, 1, 2);
      assertThat(fleet.inFlight()).isZero();
      Fleet.Recorded recorded = fleet.recorded(Dispatches.Part.CURRENT);
      assertThat(recorded.silent()).isEmpty();
      assertThat(recorded.dispatches().log().size()).isEqualTo(3 + 2 * 60);
      assertInOrder(recorded.dispatches());
    }
  }

  private static Running proxy(Running stubs, Running moreStubs, String set) throws Exception {
    String[] places = stubs.data().split(",", -1);
    return Running.proxy(
        set, "backends=s0=" + places[0] + ",s1=" + places[1] + ",t0=" + moreStubs.data());
  }

  private static Trace everyProxy(int requests) {
    long[] intended = new long[requests];
    int[] proxy = new int[requests];
    long[] service = new long[requests];
    for (int i = 0; i < requests; i++) {
      intended[i] = i * 2_000_000L;
      proxy[i] = i % 3;
      service[i] = 100_000;
    }
    return Trace.of(3, intended, proxy, service);
  }

  private static GeneratorRun.Progress progress(GeneratorRun run) {
    try {
      return run.progress();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertInOrder(Dispatches dispatches) {
    List<Long> instants = new ArrayList<>();
    TreeSet<Integer> numbers = new TreeSet<>();
    dispatches
        .log()
        .forEach(
            (kind, proxy, value, argument, nanos) -> {
              instants.add(nanos);
              numbers.add(proxy);
            });
    assertThat(instants).isSorted();
    assertThat(numbers).containsExactly(0, 1, 2);
  }

  @Test
  void seesWhoJoinsLeavesAndBeginsAnew() throws Exception {
    try (Fleet fleet = fleet(List.of(), List.of("all"), List.of())) {
      assertThat(fleet.look().silent()).containsExactly("all: nobody");
      try (Running one = Running.backend("backends=1", "name=a")) {
        named.add(one.adminPlace());
        assertThat(fleet.look().joined()).hasSize(1);
        assertThat(fleet.look().isNone()).isTrue();
        try (Running two = Running.backend("backends=1", "name=c")) {
          named.add(two.adminPlace());
          Fleet.Change change = fleet.look();
          assertThat(change.joined()).singleElement().hasToString("backend " + two.adminPlace());
          assertThat(change.left()).isEmpty();
        }
        Fleet.Change change = fleet.look();
        assertThat(change.left()).hasSize(1);
        assertThat(change.silent())
            .containsExactly("backend " + named.get(1) + ": GET /state: cannot be reached");
        assertThat(fleet.states()).hasSize(1);

        named.remove(1);
        String place = one.adminPlace();
        one.end();
        Running.await("the end", one::hasEnded);
        try (Running again = Running.backend("backends=1", "name=a", "admin=" + place)) {
          assertThat(again.adminPlace()).isEqualTo(place);
          Fleet.Change restart = fleet.look();
          assertThat(restart.restarted()).hasSize(1);
          assertThat(restart.joined()).isEmpty();
          assertThat(restart.left()).isEmpty();
        }
      }
    }
  }

  @Test
  void componentOfAnotherKindIsNotTakenForOne() throws Exception {
    try (Running backend = Running.backend("backends=1");
        Fleet fleet = fleet(List.of(backend.adminPlace()), List.of(), List.of())) {
      assertThat(fleet.look().silent())
          .singleElement()
          .asString()
          .endsWith("component: backend (expected: proxy)");
      assertThat(fleet.proxies()).isEmpty();
    }
  }

  @Test
  void twoBackendsOfOneNameAreRefused() throws Exception {
    try (Running one = Running.backend("backends=1");
        Running two = Running.backend("backends=1");
        Fleet fleet = fleet(List.of(), List.of(one.adminPlace(), two.adminPlace()), List.of())) {
      var _ = fleet.look();

      assertThatThrownBy(fleet::backendAddresses)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "backend %s: backend b0 (expected: another name, which no other process has)"
                  .formatted(two.adminPlace()));
    }
  }

  @Test
  void collectAndWatchReachEveryProcess() throws Exception {
    try (Running backend = Running.backend("backends=1");
        Running generator = Running.generator("proxies=" + backend.data());
        Fleet fleet =
            fleet(List.of(), List.of(backend.adminPlace()), List.of(generator.adminPlace()))) {
      var _ = fleet.look();

      List<ProcessState> collected = fleet.collect();
      List<ProcessState> watched = fleet.watch();

      assertThat(collected)
          .extracting(ProcessState::incarnation)
          .containsExactly(incarnation(generator), incarnation(backend));
      assertThat(watched).extracting(ProcessState::incarnation).hasSize(2);
      assertThat(collected).allMatch(state -> state.cpuNanos() > 0);
    }
  }

  private static String incarnation(Running process) {
    JsonNode state = process.state();
    return state.path("incarnation").asText();
  }
}
