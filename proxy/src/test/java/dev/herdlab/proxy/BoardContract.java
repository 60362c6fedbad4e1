package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every board owes its proxies.
@Timeout(120)
public abstract class BoardContract {
  private static final String EVERY_10_MS = "shared-stale(refresh=10ms)";
  private final List<HeldBackend> backends = List.of(new HeldBackend(), new HeldBackend());
  private Site site;

  /// A board that is not open yet, and of no other proxies.
  protected abstract CountBoard board() throws Exception;

  @BeforeEach
  void start() throws Exception {
    site = new Site(board(), 2, backends.stream().map(HeldBackend::address).toList());
    Site.eventually("connected", () -> site.pool().state().board().health().connected());
  }

  @AfterEach
  void close() throws Exception {
    site.close();
    backends.forEach(HeldBackend::close);
  }

  private boolean eachShowed(int total) {
    return site.last().size() == 2
        && site.last().values().stream().allMatch(shown -> shown.total() == total);
  }

  @Test
  protected void showsWhatIsInFlightOverAllProxies() throws Exception {
    site.install(EVERY_10_MS);
    backends.forEach(HeldBackend::hold);
    site.hold(0, 3);
    site.hold(1, 2);
    Site.eventually("all shown", () -> eachShowed(5));
    // Round-robin at each proxy.
    assertThat(site.last().get(0).counts()).isEqualTo(Map.of("b0", 3, "b1", 2));
    for (ProxyState.Instance instance : site.pool().state().instances()) {
      assertThat(instance.viewInFlight()).containsExactly(3, 2);
    }
    backends.forEach(HeldBackend::letGo);
    site.receive();
    Site.eventually("none shown", () -> eachShowed(0));
  }

  @Test
  protected void aCommonCopyIsTheSameForAllByItsNumber() {
    site.install(EVERY_10_MS);
    Site.eventually("copies", () -> site.shown().size() >= 20);
    site.install("local");
    Map<Integer, List<Site.Shown>> byProxy =
        site.shown().stream().collect(Collectors.groupingBy(Site.Shown::proxy));
    assertThat(numbers(byProxy.get(0))).isEqualTo(numbers(byProxy.get(1)));
    assertThat(numbers(byProxy.get(0))).isSorted().doesNotHaveDuplicates();
  }

  private static List<Long> numbers(List<Site.Shown> shown) {
    return shown.stream().map(Site.Shown::number).toList();
  }

  @Test
  protected void numbersGoOnRisingAcrossInstallations() {
    List<Long> numbers = new ArrayList<>();
    for (String view : List.of(EVERY_10_MS, "shared-stale(refresh=7ms,own=true)", EVERY_10_MS)) {
      int before = site.shown().size();
      site.install(view);
      Site.eventually("copies", () -> site.shown().size() >= before + 6);
    }
    site.install("local");
    site.shown().stream()
        .filter(shown -> shown.proxy() == 0)
        .forEach(shown -> numbers.add(shown.number()));
    assertThat(numbers).isSorted().doesNotHaveDuplicates();
  }

  @Test
  protected void noCopyComesBeforeTheEpoch() {
    site.install(EVERY_10_MS);
    Site.eventually("copies", () -> !site.shown().isEmpty());
    int before = site.shown().size();
    site.install("shared-stale(refresh=11ms)", 0, 60 * Site.MILLISECOND);
    Site.eventually("copies", () -> site.shown().size() >= before + 4);
    // Those that came before the installation count from an epoch of their own.
    assertThat(site.shown().subList(before + 2, before + 4))
        .allSatisfy(shown -> assertThat(shown.nanos()).isNotNegative());
  }

  @Test
  protected void eachProxyGetsItsOwnCopiesIfItsPhaseIsItsOwn() {
    site.install("shared-stale(refresh=10ms,phase=random)");
    Site.eventually(
        "copies",
        () ->
            site.shown().stream().filter(shown -> shown.proxy() == 0).count() > 5
                && site.shown().stream().filter(shown -> shown.proxy() == 1).count() > 5);
    Map<Long, Integer> byNumber = new HashMap<>();
    for (Site.Shown shown : site.shown()) {
      assertThat(byNumber.put(shown.number(), shown.proxy())).isNull();
    }
  }

  @Test
  protected void ownPicksAreAddedUntilTheCopyKnowsThem() throws Exception {
    backends.forEach(HeldBackend::hold);
    site.install("shared-stale(refresh=40ms,own=true)");
    Site.eventually("copies", () -> eachShowed(0));
    site.hold(0, 4);
    // Whenever it is looked at, each request is seen once: as an own pick, or in the copy.
    for (int i = 0; i < 200; i++) {
      assertThat(site.pool().state().instances().get(0).viewInFlight()).containsExactly(2, 2);
    }
    Site.eventually("all shown", () -> eachShowed(4));
    for (int i = 0; i < 200; i++) {
      assertThat(site.pool().state().instances().get(0).viewInFlight()).containsExactly(2, 2);
    }
    assertThat(site.last().get(0).notIncluded()).isZero();
    backends.forEach(HeldBackend::letGo);
    site.receive();
  }

  @Test
  protected void aFreshViewEndsTheCopies() {
    site.install(EVERY_10_MS);
    Site.eventually("copies", () -> eachShowed(0));
    site.install("local");
    int copies = site.shown().size();
    site.await(50 * Site.MILLISECOND);
    assertThat(site.shown()).hasSize(copies);
  }

  @Test
  protected void copiesFollowTheSetOfBackends() throws Exception {
    site.install(EVERY_10_MS);
    backends.forEach(HeldBackend::hold);
    site.hold(0, 2);
    Site.eventually("all shown", () -> eachShowed(2));
    try (HeldBackend joiner = new HeldBackend()) {
      joiner.hold();
      site.pool()
          .update(
              List.of(
                  BackendAddress.of("new", joiner.address()),
                  BackendAddress.of("b1", backends.get(1).address())));
      site.hold(1, 2);
      Site.eventually(
          "joiner shown", () -> site.last().get(0).counts().equals(Map.of("new", 1, "b1", 2)));
      backends.forEach(HeldBackend::letGo);
      joiner.letGo();
      site.receive();
    }
  }

  @Test
  protected void aViewIsYoung() {
    site.install(EVERY_10_MS);
    Site.eventually("copies", () -> site.shown().size() >= 10);
    ProxyState state = site.pool().state();
    assertThat(state.refreshNanos()).isEqualTo(10 * Site.MILLISECOND);
    assertThat(state.board().health().connected()).isTrue();
    // The bound is generous: the machine may be busy with others.
    assertThat(state.board().ageNanos()).isBetween(0L, 1000 * Site.MILLISECOND);
    for (Site.Shown shown : site.shown()) {
      assertThat(shown.nanos() - shown.truthNanos()).isBetween(0L, 1000 * Site.MILLISECOND);
    }
  }
}
