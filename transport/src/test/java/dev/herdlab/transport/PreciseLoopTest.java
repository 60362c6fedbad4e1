package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PreciseLoopTest {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final long MILLISECOND = 1_000_000;

  private PreciseLoop loop = loop(0);

  private static PreciseLoop loop(long spinNanos) {
    return PreciseLoop.create(new PreciseLoop.Settings("test-loop", spinNanos, Scheduling.DEFAULT));
  }

  @BeforeEach
  void start() throws SchedulingRefusedException {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
    assertThat(loop.failure()).isNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 100_000})
  void runsDeadlinesInOrderAndNeverEarly(long spinNanos) throws Exception {
    loop.close();
    loop = loop(spinNanos);
    loop.start();
    int count = 2000;
    List<Long> due = new ArrayList<>();
    List<Long> run = new ArrayList<>();
    var done = new CompletableFuture<Boolean>();
    var random = new SplittableRandom(1);
    loop.execute(
        () -> {
          long start = loop.nanos();
          for (int i = 0; i < count; i++) {
            long deadline = start + random.nextLong(200 * MILLISECOND);
            loop.at(
                deadline,
                () -> {
                  run.add(loop.nanos());
                  due.add(deadline);
                  if (run.size() == count) {
                    done.complete(true);
                  }
                });
          }
        });
    assertThat(done.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(due).isSorted();
    for (int i = 0; i < count; i++) {
      assertThat(run.get(i)).isGreaterThanOrEqualTo(due.get(i));
    }
  }

  @Test
  void runsEqualDeadlinesInOrderOfInsertion() throws Exception {
    List<Integer> order = new ArrayList<>();
    var done = new CompletableFuture<Boolean>();
    loop.execute(
        () -> {
          long deadline = loop.nanos() + MILLISECOND;
          for (int i = 0; i < 200; i++) {
            int number = i;
            loop.at(deadline, () -> order.add(number));
          }
          loop.at(deadline + 1, () -> done.complete(true));
        });
    done.get(BOUND.toSeconds(), TimeUnit.SECONDS);
    assertThat(order).hasSize(200).isSorted();
  }

  @Test
  void runsNoCancelledDeadline() throws Exception {
    List<Integer> run = new ArrayList<>();
    var done = new CompletableFuture<Boolean>();
    loop.execute(
        () -> {
          long start = loop.nanos();
          List<Deadline> deadlines = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            int number = i;
            deadlines.add(loop.at(start + (i * 37 % 100) * 1000L, () -> run.add(number)));
          }
          for (int i = 0; i < 100; i += 2) {
            assertThat(deadlines.get(i).cancel()).isTrue();
            assertThat(deadlines.get(i).cancel()).isFalse();
          }
          loop.at(start + 2 * MILLISECOND, () -> done.complete(deadlines.get(1).cancel()));
        });
    assertThat(done.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isFalse();
    assertThat(run).hasSize(50).allMatch(number -> number % 2 == 1);
  }

  @Test
  void isWokenFromALongWait() throws Exception {
    loop.call(() -> loop.at(loop.nanos() + TimeUnit.HOURS.toNanos(1), () -> {}), BOUND);
    // Each would take an hour, or the idle bound of a second, if the wake-up were lost.
    long start = System.nanoTime();
    for (int i = 0; i < 200; i++) {
      assertThat(loop.call(() -> 1, BOUND)).isEqualTo(1);
    }
    assertThat(System.nanoTime() - start).isLessThan(BOUND.toNanos());
  }

  @Test
  void ioIsNotStarvedByDeadlinesThatAreAlwaysDue() throws Exception {
    var stop = new CompletableFuture<Boolean>();
    Runnable[] again = new Runnable[1];
    again[0] =
        () -> {
          if (!stop.isDone()) {
            loop.at(loop.nanos() - MILLISECOND, again[0]);
          }
        };
    loop.execute(again[0]);
    assertThat(loop.call(() -> 5, BOUND)).isEqualTo(5);
    stop.complete(true);
  }

  @Test
  void survivesAFailingTaskAndRemembersIt() throws Exception {
    PreciseLoop other = loop(0);
    other.start();
    var done = new CompletableFuture<Boolean>();
    other.execute(
        () -> {
          other.at(
              other.nanos(),
              () -> {
                throw new IllegalStateException("on purpose");
              });
          other.at(other.nanos() + MILLISECOND, () -> done.complete(true));
        });
    assertThat(done.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(other.failure()).hasMessage("on purpose");
    other.close();
  }

  @Test
  void takesDeadlinesOnItsOwnThreadAlone() {
    assertThatThrownBy(() -> loop.at(0, () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("test-loop");
  }

  @Test
  void boundsACall() throws Exception {
    var blocked = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                loop.call(
                    () -> {
                      blocked.await();
                      return 1;
                    },
                    Duration.ofMillis(20)))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(TimeoutException.class);
    blocked.countDown();
  }

  @Test
  void refusesWorkOnceClosedAndClosesTwice() throws Exception {
    loop.close();
    loop.close();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void canBeClosedWithoutHavingRun() {
    loop(0).close();
  }

  @Test
  void saysWhatTheSystemGranted() {
    assertThat(loop.granted().scheduling()).isEqualTo(Scheduling.DEFAULT);
    assertThat(loop.granted().describe()).startsWith("default, timer slack ");
  }

  @Test
  void isRealTimeOrSaysWhyNot() throws Exception {
    PreciseLoop realTime =
        PreciseLoop.create(new PreciseLoop.Settings("real-time", 0, Scheduling.REAL_TIME));
    try {
      realTime.start();
      assertThat(realTime.granted().describe()).startsWith("real-time");
      // Field 41 of /proc/thread-self/stat is the policy, 40 the priority; both after the name in
      // parentheses.
      String stat =
          realTime.call(
              () -> java.nio.file.Files.readString(java.nio.file.Path.of("/proc/thread-self/stat")),
              BOUND);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      assertThat(fields[40 - 3]).isEqualTo("50");
      assertThat(fields[41 - 3]).isEqualTo("1");
    } catch (SchedulingRefusedException e) {
      assertThat(e).hasMessageStartingWith("real-time priority: ").hasMessageContaining("expected");
    } finally {
      realTime.close();
    }
  }
}
