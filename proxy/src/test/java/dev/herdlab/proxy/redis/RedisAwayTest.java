package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.HeldBackend;
import dev.herdlab.proxy.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of proxies whose Redis is away.
@Timeout(120)
class RedisAwayTest {
  private static final String SYNC = "shared-stale(refresh=20ms)";
  private final HeldBackend backend = new HeldBackend();
  private final List<Site> sites = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Site site : sites) {
      site.close();
    }
    backend.close();
  }

  private Site site(RedisServer redis) throws Exception {
    return site(RedisSettings.of(redis.uri(), "away").withPatience(Duration.ofMillis(200)));
  }

  private Site site(RedisSettings settings) throws Exception {
    Site site =
        new Site(new RedisBoard(settings, UUID.randomUUID()), 1, List.of(backend.address()));
    sites.add(site);
    return site;
  }

  private static CountBoard.Health health(Site site) {
    return site.pool().state().board().health();
  }

  private static void eventuallyCopies(Site site) {
    int before = site.shown().size();
    Site.eventually("copies", () -> site.shown().size() > before + 3);
  }

  private interface Trouble {
    void with(RedisServer redis) throws Exception;
  }

  /// Proxies under load go through trouble with Redis: nothing fails, views keep what they show and
  /// say so, and copies go on afterwards with greater numbers.
  private void survives(Trouble away, Trouble back) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Site one = site(redis).install(SYNC);
      Site other = site(redis).install(SYNC);
      eventuallyCopies(one);
      eventuallyCopies(other);
      backend.hold();
      one.hold(0, 3);
      Site.eventually("shown", () -> other.last().get(0).total() == 3);
      backend.letGo();
      one.receive();
      AtomicBoolean over = new AtomicBoolean();
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Integer>> load = new ArrayList<>();
        for (Site site : sites) {
          load.add(executor.submit(() -> load(site, over)));
        }
        try {
          away.with(redis);
          Site.eventually("said", () -> !health(one).connected() && !health(other).connected());
          List<Site.Shown> before = one.shown();
          long age = one.pool().state().board().ageNanos();
          one.await(100 * Site.MILLISECOND);
          assertThat(one.pool().state().board().ageNanos())
              .isGreaterThan(age + 99 * Site.MILLISECOND);
          assertThat(one.shown()).hasSameSizeAs(before);
          back.with(redis);
          Site.eventually("back", () -> health(one).connected() && health(other).connected());
          eventuallyCopies(one);
          eventuallyCopies(other);
          Site.eventually("young again", () -> one.pool().state().board().ageNanos() < age);
        } finally {
          over.set(true);
        }
        for (Future<Integer> each : load) {
          assertThat(each.get()).isGreaterThan(10);
        }
      }
      for (Site site : sites) {
        assertThat(site.shown().stream().map(Site.Shown::number).toList())
            .isSorted()
            .doesNotHaveDuplicates();
      }
      backend.hold();
      one.hold(0, 2);
      Site.eventually("shown", () -> other.last().get(0).total() == 2);
      backend.letGo();
      one.receive();
    }
  }

  private static int load(Site site, AtomicBoolean over) throws Exception {
    int answered = 0;
    while (!over.get()) {
      assertThat(site.get(0)).isEqualTo(200);
      answered++;
    }
    return answered;
  }

  @Test
  void survivesARestartThatLosesAllData() throws Exception {
    survives(RedisServer::kill, RedisServer::restart);
  }

  @Test
  void survivesAServerThatDoesNotAnswer() throws Exception {
    survives(RedisServer::freeze, RedisServer::thaw);
  }

  @Test
  void saysOnceThatItIsAwayAndOnceThatItIsBack() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(RedisBoard.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            said.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (RedisServer redis = RedisServer.start()) {
      Site site = site(RedisSettings.of(redis.uri(), "away")).install(SYNC);
      eventuallyCopies(site);
      said.clear();
      redis.kill();
      Site.eventually("away", () -> !health(site).connected());
      // Some attempts fail meanwhile.
      site.await(700 * Site.MILLISECOND);
      redis.restart();
      eventuallyCopies(site);
      // Boards of earlier tests may still be ending.
      List<String> ofThis = said.stream().filter(line -> line.contains(redis.uri())).toList();
      assertThat(ofThis).hasSize(2);
      assertThat(ofThis.get(0)).contains("is away (").contains("views keep what they show");
      assertThat(ofThis.get(1)).contains("is back after ");
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void startsWithoutRedisAndFindsItLater() throws Exception {
    try (RedisServer redis = RedisServer.notStarted()) {
      Site site = site(redis).install(SYNC);
      assertThat(site.get(0)).isEqualTo(200);
      assertThat(health(site).connected()).isFalse();
      redis.restart();
      eventuallyCopies(site);
      assertThat(health(site).connected()).isTrue();
    }
  }

  @Test
  void aNewProcessMakesNumbersRiseAfterARestartToo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Site old = site(redis).install(SYNC);
      eventuallyCopies(old);
      eventuallyCopies(old);
      long number = old.last().get(0).number();
      redis.kill();
      Site.eventually("away", () -> !health(old).connected());
      // It does not ask for copies itself, so the new one leads, and knows of no number.
      old.install("local");
      redis.restart();
      Site.eventually("back", () -> health(old).connected());
      Site fresh = site(redis).install(SYNC);
      eventuallyCopies(fresh);
      assertThat(fresh.shown())
          .allSatisfy(shown -> assertThat(shown.number()).isGreaterThan(number));
    }
  }
}
