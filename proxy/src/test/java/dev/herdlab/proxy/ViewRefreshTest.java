package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

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

  /// Notes the instants of `until` copies since the epoch.
  private Runnable copies(long epochNanos, int until, CompletableFuture<Boolean> done) {
    return () -> {
      copies.add(loop.nanos() - epochNanos);
      if (copies.size() == until) {
        done.complete(true);
      }
    };
  }

  @Test
  void aLateCopyDoesNotShiftLaterOnes() throws Exception {
    var done = new CompletableFuture<Boolean>();
    RefreshSchedule schedule = new RefreshSchedule(3 * MILLISECOND, 20 * MILLISECOND);
    loop.execute(
        () -> {
          long epoch = loop.nanos();
          Runnable note = copies(epoch, 14, done);
          Runnable copy =
              () -> {
                if (copies.size() == 2) {
                  // Holds up the loop beyond the next one's instant.
                  long until = epoch + schedule.instant(3) + 12 * MILLISECOND;
                  while (loop.nanos() < until) {
                    Thread.onSpinWait();
                  }
                }
                note.run();
              };
          var refresh = new ViewRefresh(loop, schedule, epoch, copy);
          refresh.start();
          var _ = done.thenRun(refresh::stop);
        });
    done.get(30, TimeUnit.SECONDS);
    for (int i = 0; i < copies.size(); i++) {
      assertThat(copies.get(i)).isGreaterThanOrEqualTo(schedule.instant(i));
    }
    // Counted from the late one, all that follow would be late by as much.
    assertThat(copies.subList(4, copies.size()))
        .anySatisfy(
            copy ->
                assertThat((copy - schedule.offsetNanos()) % schedule.refreshNanos())
                    .isLessThan(12 * MILLISECOND));
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
          var refresh = new ViewRefresh(loop, schedule, epoch, copies(epoch, 3, done));
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
    int before =
        loop.call(
            () -> {
              var refresh =
                  new ViewRefresh(
                      loop,
                      new RefreshSchedule(MILLISECOND, MILLISECOND),
                      loop.nanos(),
                      () -> copies.add(0L));
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
                  loop, new RefreshSchedule(0, MILLISECOND), epoch, copies(epoch, 1, done));
          var _ = done.thenRun(refresh::stop);
          refresh.start();
        });
    done.get(30, TimeUnit.SECONDS);
    assertThat(loop.call(loop::pendingDeadlines, Duration.ofSeconds(30))).isZero();
    assertThat(copies).hasSize(1);
  }
}
