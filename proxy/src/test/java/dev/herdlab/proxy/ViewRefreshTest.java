package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ViewRefreshTest {
  private static final long MILLISECOND = 1_000_000;
  private final PreciseLoop loop =
      PreciseLoop.create(new PreciseLoop.Settings("test-loop", 0, Scheduling.DEFAULT));
  private final BackendSet backends = BackendSet.ofSize(1);
  private final List<Long> copies = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
    assertThat(loop.failure()).isNull();
  }

  private Dispatcher dispatcher(long epochNanos, int until, CompletableFuture<Boolean> done) {
    return new Dispatcher(
        0,
        backends,
        new Counts(backends),
        () -> loop.nanos() - epochNanos,
        new DispatchListener() {
          @Override
          public void refreshed(int proxy, long nowNanos) {
            copies.add(nowNanos);
            if (copies.size() == until) {
              done.complete(true);
            }
          }
        });
  }

  @Test
  void lateCopiesDoNotShiftLaterOnes() throws Exception {
    var done = new CompletableFuture<Boolean>();
    RefreshSchedule schedule = new RefreshSchedule(3 * MILLISECOND, 5 * MILLISECOND);
    loop.execute(
        () -> {
          long epoch = loop.nanos();
          var refresh =
              new ViewRefresh(loop, List.of(dispatcher(epoch, 20, done)), schedule, epoch);
          refresh.start();
          var _ = done.thenRun(refresh::stop);
        });
    done.get(30, TimeUnit.SECONDS);
    // Each copy belongs to an instant of its own: never before it, and however late, on the same
    // grid.
    long last = -1;
    for (long copy : copies) {
      long number = Math.floorDiv(copy - schedule.offsetNanos(), schedule.refreshNanos());
      assertThat(number).isGreaterThan(last);
      last = number;
    }
  }

  @Test
  void ofSeveralMissedCopiesOneIsMadeUpFor() throws Exception {
    var done = new CompletableFuture<Boolean>();
    RefreshSchedule schedule = new RefreshSchedule(0, 50 * MILLISECOND);
    long[] started = new long[1];
    loop.execute(
        () -> {
          // As if installed long after the start.
          long epoch = loop.nanos() - 1020 * MILLISECOND;
          started[0] = loop.nanos() - epoch;
          var refresh = new ViewRefresh(loop, List.of(dispatcher(epoch, 3, done)), schedule, epoch);
          refresh.start();
          var _ = done.thenRun(refresh::stop);
        });
    done.get(30, TimeUnit.SECONDS);
    assertThat(copies.getFirst()).isGreaterThanOrEqualTo(started[0]);
    assertThat(copies.get(1)).isGreaterThanOrEqualTo(1050 * MILLISECOND);
    assertThat(copies.get(2)).isGreaterThanOrEqualTo(1100 * MILLISECOND);
  }

  @Test
  void stopsWhenTold() throws Exception {
    var never = new CompletableFuture<Boolean>();
    int before =
        loop.call(
            () -> {
              long epoch = loop.nanos();
              var refresh =
                  new ViewRefresh(
                      loop,
                      List.of(dispatcher(epoch, Integer.MAX_VALUE, never)),
                      new RefreshSchedule(MILLISECOND, MILLISECOND),
                      epoch);
              refresh.start();
              refresh.stop();
              return loop.pendingDeadlines();
            },
            Duration.ofSeconds(30));
    assertThat(before).isZero();
  }

  @Test
  void stopsWhenToldWithinACopy() throws Exception {
    var done = new CompletableFuture<Boolean>();
    loop.execute(
        () -> {
          long epoch = loop.nanos();
          var refresh =
              new ViewRefresh(
                  loop,
                  List.of(dispatcher(epoch, 1, done)),
                  new RefreshSchedule(0, MILLISECOND),
                  epoch);
          var _ = done.thenRun(refresh::stop);
          refresh.start();
        });
    done.get(30, TimeUnit.SECONDS);
    assertThat(loop.call(loop::pendingDeadlines, Duration.ofSeconds(30))).isZero();
    assertThat(copies).hasSize(1);
  }

  @Test
  void allProxiesOfAScheduleTakeTheSameCopy() throws Exception {
    Counts truth = new Counts(backends);
    var done = new CompletableFuture<Boolean>();
    List<Integer> events = new ArrayList<>();
    var listener =
        new DispatchListener() {
          @Override
          public void refreshed(int proxy, long nowNanos) {
            events.add(proxy);
            if (events.size() == 6) {
              done.complete(true);
            }
          }
        };
    loop.execute(
        () -> {
          List<Dispatcher> dispatchers =
              List.of(
                  new Dispatcher(0, backends, truth, loop::nanos, listener),
                  new Dispatcher(1, backends, truth, loop::nanos, listener));
          var refresh =
              new ViewRefresh(loop, dispatchers, new RefreshSchedule(0, MILLISECOND), loop.nanos());
          var _ = done.thenRun(refresh::stop);
          refresh.start();
          assertThat(loop.pendingDeadlines()).isEqualTo(1);
        });
    done.get(30, TimeUnit.SECONDS);
    assertThat(events).containsExactly(0, 1, 0, 1, 0, 1);
  }
}
