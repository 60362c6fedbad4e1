package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.HeldBackend;
import dev.herdlab.proxy.ProxyState;
import dev.herdlab.proxy.Site;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several processes share their counts. Each is a pool with a loop and a board of its own; where
/// one must die, it is a process indeed.
@Timeout(120)
class RedisProcessesTest {
  private static final String SYNC = "shared-stale(refresh=20ms)";
  private static RedisServer redis;
  private static RedisClient client;
  private final List<HeldBackend> backends = List.of(new HeldBackend(), new HeldBackend());
  private final List<Site> sites = new ArrayList<>();
  private final String group = UUID.randomUUID().toString();

  @BeforeAll
  static void startRedis() throws Exception {
    redis = RedisServer.start();
    client = RedisClient.create(redis.uri());
  }

  @AfterAll
  static void endRedis() throws Exception {
    if (client != null) {
      client.shutdown();
      redis.close();
    }
  }

  @BeforeEach
  void hold() {
    backends.forEach(HeldBackend::hold);
  }

  @AfterEach
  void close() throws Exception {
    for (Site site : sites) {
      site.close();
    }
    backends.forEach(HeldBackend::close);
  }

  private RedisSettings settings() {
    return RedisSettings.of(redis.uri(), group).withExpiry(Duration.ofMillis(400));
  }

  private Site site(RedisSettings settings) throws Exception {
    CountBoard board = new RedisBoard(settings, UUID.randomUUID());
    Site site = new Site(board, 1, backends.stream().map(HeldBackend::address).toList());
    sites.add(site);
    Site.eventually("connected", () -> health(site).connected());
    return site;
  }

  private List<Site> sites(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      site(settings());
    }
    return sites;
  }

  private static CountBoard.Health health(Site site) {
    return site.pool().state().board().health();
  }

  private static boolean shows(Site site, int total) {
    return !site.last().isEmpty()
        && site.last().values().stream().allMatch(shown -> shown.total() == total);
  }

  private void eventuallyAllShow(int total) {
    Site.eventually("all show " + total, () -> sites.stream().allMatch(site -> shows(site, total)));
  }

  private void install(String view) {
    for (int i = 0; i < sites.size(); i++) {
      sites.get(i).install(view, i, 0);
    }
  }

  @Test
  void countsOfAllProcessesComeTogether() throws Exception {
    sites(3);
    install(SYNC);
    for (int i = 0; i < 3; i++) {
      sites.get(i).hold(0, i + 1);
    }
    eventuallyAllShow(6);
    for (Site site : sites) {
      assertThat(site.last().values().iterator().next().counts())
          .isEqualTo(Map.of("b0", 4, "b1", 2));
      assertThat(health(site).processes()).isEqualTo(3);
    }
    backends.forEach(HeldBackend::letGo);
    for (Site site : sites) {
      site.receive();
    }
    eventuallyAllShow(0);
  }

  @Test
  void theSameNumberIsTheSameCopyEverywhere() throws Exception {
    sites(3);
    install(SYNC);
    for (int i = 0; i < 9; i++) {
      sites.get(i % 3).hold(0, 1);
    }
    eventuallyAllShow(9);
    Site.eventually("copies", () -> sites.stream().allMatch(site -> site.shown().size() > 20));
    Map<Long, Map<String, Integer>> byNumber = new HashMap<>();
    int common = 0;
    for (Site site : sites) {
      assertThat(site.shown().stream().map(Site.Shown::number).toList())
          .isSorted()
          .doesNotHaveDuplicates();
      for (Site.Shown shown : site.shown()) {
        Map<String, Integer> before = byNumber.put(shown.number(), shown.counts());
        if (before != null) {
          common++;
          assertThat(before).isEqualTo(shown.counts());
        }
      }
    }
    assertThat(common).isGreaterThan(4);
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void copiesOfOneProxyAreOfAllProcessesToo() throws Exception {
    sites(2);
    install("shared-stale(refresh=20ms,phase=random)");
    sites.get(0).hold(0, 2);
    sites.get(1).hold(0, 3);
    eventuallyAllShow(5);
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void ownPicksAreNotCountedTwice() throws Exception {
    sites(2);
    install("shared-stale(refresh=30ms,own=true)");
    for (int i = 0; i < 20; i++) {
      sites.get(0).hold(0, 1);
      // What the other process has does not move, so each own request is seen exactly once.
      for (ProxyState.Instance instance : sites.get(0).pool().state().instances()) {
        assertThat(instance.viewInFlight().get(0) + instance.viewInFlight().get(1))
            .isEqualTo(i + 1);
      }
    }
    Site.eventually("all known", () -> sites.get(0).last().get(0).notIncluded() == 0);
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void aProcessWithAFreshViewIsCountedToo() throws Exception {
    sites(2);
    sites.get(0).install(SYNC);
    sites.get(1).install("local");
    sites.get(1).hold(0, 3);
    Site.eventually("counted", () -> shows(sites.get(0), 3));
    assertThat(sites.get(1).shown()).isEmpty();
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void countsOfAProcessThatHangsDisappearAfterTheirExpiry() throws Exception {
    RedisSettings patient = settings().withExpiry(Duration.ofSeconds(2));
    // The first leads, since the other asks for no copies, and remembers what that had.
    site(patient).install(SYNC);
    site(patient).install("local", 1, 0);
    sites.get(0).hold(0, 1);
    sites.get(1).hold(0, 4);
    Site.eventually("all shown", () -> shows(sites.get(0), 5));
    // Its board lives on, but nothing answers for its proxies.
    sites.get(1).hang();
    Site.eventually("noticed", () -> health(sites.get(0)).silent() == 1);
    // Not at once: an answer that is a little late must not take the counts away.
    assertThat(sites.get(0).last().get(0).total()).isEqualTo(5);
    Site.eventually("gone", () -> shows(sites.get(0), 1));
    assertThat(health(sites.get(0)).silent()).isZero();
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void countsOfAProcessThatEndsInOrderDisappearAtOnce() throws Exception {
    RedisSettings patient = settings().withExpiry(Duration.ofMinutes(1));
    // As above: the first leads, and remembers.
    site(patient).install(SYNC);
    site(patient).install("local", 1, 0);
    sites.get(0).hold(0, 1);
    sites.get(1).hold(0, 4);
    Site.eventually("all shown", () -> shows(sites.get(0), 5));
    sites.get(1).close();
    sites.remove(1);
    Site.eventually("gone", () -> shows(sites.get(0), 1));
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void whenTheLeaderIsKilledAnotherTakesOverAndNumbersRise() throws Exception {
    // A lease far above what a busy machine may stop a process for.
    String slow = "shared-stale(refresh=300ms)";
    try (OtherProcess leader =
            OtherProcess.start(settings(), backends.getFirst().address(), slow, 5);
        StatefulRedisConnection<String, String> look = client.connect()) {
      String lead = "herdlab:" + group + ":lead";
      Site.eventually("leads", () -> leader.incarnation().equals(look.sync().get(lead)));
      sites(2);
      install(slow);
      sites.get(0).hold(0, 1);
      eventuallyAllShow(6);
      assertThat(look.sync().get(lead)).isEqualTo(leader.incarnation());
      leader.kill();
      List<Long> before = numbers();
      // The dead one's five are gone, and copies go on.
      eventuallyAllShow(1);
      assertThat(look.sync().get(lead)).isNotIn(leader.incarnation(), null);
      assertThat(numbers().get(0)).isGreaterThan(before.get(0));
      for (Site site : sites) {
        assertThat(site.shown().stream().map(Site.Shown::number).toList())
            .isSorted()
            .doesNotHaveDuplicates();
      }
      backends.forEach(HeldBackend::letGo);
    }
  }

  private List<Long> numbers() {
    return sites.stream().map(site -> site.last().values().iterator().next().number()).toList();
  }

  @Test
  void aViewIsHardlyOlderThanItsRefresh() throws Exception {
    sites(2);
    install("shared-stale(refresh=40ms)");
    Site.eventually("copies", () -> sites.get(1).shown().size() > 20);
    for (Site site : sites) {
      // Far above what it takes on an idle machine; how much it is is measured elsewhere.
      assertThat(site.shown())
          .allSatisfy(
              shown ->
                  assertThat(shown.nanos() - shown.truthNanos())
                      .isBetween(0L, 500 * Site.MILLISECOND));
      assertThat(site.pool().state().board().ageNanos()).isLessThan(540 * Site.MILLISECOND);
      assertThat(health(site).roundTripNanos()).isPositive();
    }
  }

  @Test
  void otherGroupsAreNotCounted() throws Exception {
    Site one = site(settings());
    Site other = site(RedisSettings.of(redis.uri(), "other-" + group));
    install(SYNC);
    one.hold(0, 2);
    other.hold(0, 3);
    Site.eventually("own", () -> shows(one, 2) && shows(other, 3));
    assertThat(health(one).processes()).isEqualTo(1);
    backends.forEach(HeldBackend::letGo);
  }

  @Test
  void theFreshCountsOfAllAreNotToBeHad() throws Exception {
    Site site = site(settings());
    site.install(SYNC);
    assertThatThrownBy(() -> site.install("shared"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("view: shared (expected: local or shared-stale");
    assertThat(site.pool().state().view()).isEqualTo(SYNC);
    int copies = site.shown().size();
    Site.eventually("copies go on", () -> site.shown().size() > copies);
  }
}
