package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.herdlab.workload.FifoServer.Job;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FifoServerTest {
  private final FifoServer<String> server = new FifoServer<>(1);

  private static void assertServed(Job<?> job, long start, long finish) {
    assertThat(job.startNanos()).as("start of %s", job.tag()).isEqualTo(start);
    assertThat(job.finishNanos()).as("finish of %s", job.tag()).isEqualTo(finish);
  }

  @Test
  void servesAtOnceWhenIdleAndAfterThePreviousWhenBusy() {
    assertServed(server.admit("a", 100, 50), 100, 150);
    assertServed(server.admit("b", 120, 10), 150, 160);
    assertServed(server.admit("c", 500, 1), 500, 501);
  }

  @Test
  void aHeadThatIsRemovedLateDelaysNobody() {
    Job<String> a = server.admit("a", 0, 10);
    assertThat(server.removeHead()).isSameAs(a);
    assertThat(server.isEmpty()).isTrue();
    assertServed(server.admit("b", 7, 10), 10, 20); // a was removed early: its time is still taken
  }

  @ParameterizedTest
  @CsvSource({"2, 50", "0.5, 200", "3, 33", "0.3, 333", "1, 100"})
  void aFasterServerTakesLess(double speed, long duration) {
    assertServed(new FifoServer<>(speed).admit("a", 0, 100), 0, duration);
  }

  @Test
  void keepsTheOrderOverManyTurnsOfTheRing() {
    for (int i = 0; i < 10; i++) {
      server.admit("first " + i, i, 1);
      server.removeHead();
    }
    for (int i = 0; i < 100; i++) {
      server.admit("job " + i, 1000, 5);
    }
    assertThat(server.size()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      assertServed(server.head(), 1000 + 5 * i, 1005 + 5 * i);
      assertThat(server.removeHead().tag()).isEqualTo("job " + i);
    }
    assertThat(server.isEmpty()).isTrue();
  }

  @Test
  void cancellingTheJobInServiceFreesTheServerNow() {
    Job<String> a = server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 10, 5);
    assertThat(server.cancel(a, 30)).isTrue();
    assertServed(b, 30, 35);
    assertThat(server.head()).isSameAs(b);
    assertServed(server.admit("c", 31, 5), 35, 40);
  }

  @Test
  void cancellingAWaitingJobMovesTheLaterOnesForward() {
    server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 10, 50);
    Job<String> c = server.admit("c", 160, 5);
    assertServed(c, 160, 165); // after b, which ends at 150, the server idles until c comes
    Job<String> d = server.admit("d", 161, 5);
    assertThat(server.cancel(b, 20)).isTrue();
    assertServed(c, 160, 165);
    assertServed(d, 165, 170);
    assertThat(server.size()).isEqualTo(3);
  }

  @Test
  void cancellingAFinishedJobGivesNothingBack() {
    Job<String> a = server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 10, 50);
    assertThat(server.cancel(a, 100)).isTrue();
    assertServed(b, 100, 150);
    assertThat(server.head()).isSameAs(b);
  }

  @Test
  void cancellingTwiceOrAfterRemovalIsRefused() {
    Job<String> a = server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 0, 100);
    assertThat(server.cancel(b, 1)).isTrue();
    assertThat(server.cancel(b, 2)).isFalse();
    server.removeHead();
    assertThat(server.cancel(a, 3)).isFalse();
    assertThat(new FifoServer<String>(1).cancel(a, 3)).isFalse();
  }

  @Test
  void anEmptyServerHasNoHead() {
    assertThatIllegalStateException().isThrownBy(server::head);
    assertThatIllegalStateException().isThrownBy(server::removeHead);
  }

  @Test
  void refusesAnArrivalBeforeTheLast() {
    server.admit("a", 10, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> server.admit("b", 9, 1))
        .withMessage("arrival: 9 ns (expected: >= 10, the last one)");
    assertThatIllegalArgumentException().isThrownBy(() -> server.admit("b", 10, -1));
  }

  @Test
  void aFinishBeyondTheClockIsAnErrorAndNotInThePast() {
    server.admit("a", 0, Long.MAX_VALUE - 5);
    assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> server.admit("b", 1, 6));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesASpeedThatIsNone(double speed) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FifoServer<>(speed))
        .withMessageStartingWith("speed: ");
  }

  @Test
  void everyOrderOfAFewJobsAgreesWithAClockThatTicks() {
    long sequences = explore(new ArrayList<>(), new TickingServer(), 0);
    // Counted once; fewer would mean that cases went missing.
    assertThat(sequences).isEqualTo(3_860_173);
  }

  private static final int MAX_JOBS = 4;
  private static final int MAX_STEPS = 2 * MAX_JOBS; // each comes and goes
  private static final int[] SERVICE = {3, 1, 2, 2};
  private static final int[] PAUSES = {0, 1, 3};

  private enum Kind {
    ADMIT,
    CANCEL,
    REMOVE_HEAD
  }

  private record Step(Kind kind, int job, int now) {}

  /// Tries every step after `steps`, checks it, and goes on from it; how many sequences there were.
  private static long explore(List<Step> steps, TickingServer truth, int now) {
    check(steps, truth);
    long sequences = 1;
    if (steps.size() == MAX_STEPS) {
      return sequences;
    }
    for (int pause : PAUSES) {
      TickingServer then = truth.copy();
      then.tickTo(now + pause);
      List<Step> choices = new ArrayList<>();
      if (then.admitted < MAX_JOBS) {
        choices.add(new Step(Kind.ADMIT, then.admitted, now + pause));
      }
      for (int job = 0; job < then.admitted; job++) {
        if (!then.gone[job]) {
          choices.add(new Step(Kind.CANCEL, job, now + pause));
        }
      }
      if (then.headIsFinished()) {
        choices.add(new Step(Kind.REMOVE_HEAD, then.head(), now + pause));
      }
      for (Step step : choices) {
        TickingServer next = then.copy();
        next.apply(step);
        steps.add(step);
        sequences += explore(steps, next, now + pause);
        steps.removeLast();
      }
    }
    return sequences;
  }

  private static void check(List<Step> steps, TickingServer truth) {
    FifoServer<Integer> server = new FifoServer<>(1);
    List<Job<Integer>> jobs = new ArrayList<>();
    for (Step step : steps) {
      switch (step.kind) {
        case ADMIT -> jobs.add(server.admit(step.job, step.now, SERVICE[step.job]));
        case CANCEL -> require(server.cancel(jobs.get(step.job), step.now), steps);
        case REMOVE_HEAD -> require(server.removeHead() == jobs.get(step.job), steps);
      }
    }
    TickingServer end = truth.copy();
    end.tickTo(100);
    int here = 0;
    for (int job = 0; job < jobs.size(); job++) {
      if (!truth.gone[job]) {
        here++;
        require(jobs.get(job).startNanos() == end.start[job], steps);
        require(jobs.get(job).finishNanos() == end.finish[job], steps);
      }
    }
    require(server.size() == here, steps);
    require(here == 0 || server.head().tag() == truth.head(), steps);
  }

  private static void require(boolean holds, List<Step> steps) {
    if (!holds) {
      throw new AssertionError("differs after " + steps);
    }
  }

  /// A first-in first-out server that knows nothing of the future: each tick it works off one unit
  /// of the first job that is neither cancelled nor finished.
  private static final class TickingServer {
    private int now;
    private int admitted;
    private final boolean[] gone = new boolean[MAX_JOBS]; // cancelled or removed
    private final boolean[] cancelled = new boolean[MAX_JOBS];
    private final int[] left = new int[MAX_JOBS];
    private final int[] start = new int[MAX_JOBS];
    private final int[] finish = new int[MAX_JOBS];

    TickingServer copy() {
      TickingServer copy = new TickingServer();
      copy.now = now;
      copy.admitted = admitted;
      for (int job = 0; job < admitted; job++) {
        copy.gone[job] = gone[job];
        copy.cancelled[job] = cancelled[job];
        copy.left[job] = left[job];
        copy.start[job] = start[job];
        copy.finish[job] = finish[job];
      }
      return copy;
    }

    void tickTo(int instant) {
      for (; now < instant; now++) {
        for (int job = 0; job < admitted; job++) {
          if (left[job] > 0 && !cancelled[job]) {
            if (left[job] == SERVICE[job]) {
              start[job] = now;
            }
            left[job]--;
            if (left[job] == 0) {
              finish[job] = now + 1;
            }
            break;
          }
        }
      }
    }

    void apply(Step step) {
      switch (step.kind) {
        case ADMIT -> left[admitted] = SERVICE[admitted++];
        case CANCEL -> {
          cancelled[step.job] = true;
          gone[step.job] = true;
        }
        case REMOVE_HEAD -> gone[step.job] = true;
      }
    }

    int head() {
      int job = 0;
      while (job < admitted && gone[job]) {
        job++;
      }
      return job;
    }

    boolean headIsFinished() {
      int head = head();
      return head < admitted && left[head] == 0;
    }
  }
}
