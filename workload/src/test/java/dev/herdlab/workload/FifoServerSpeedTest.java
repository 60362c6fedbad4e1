package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.workload.FifoServer.Job;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server whose speed changes while jobs are here.
class FifoServerSpeedTest {
  private final FifoServer<String> server = new FifoServer<>(1);

  private static void assertServed(Job<?> job, long start, long finish) {
    assertThat(job.startNanos()).as("start of %s", job.tag()).isEqualTo(start);
    assertThat(job.finishNanos()).as("finish of %s", job.tag()).isEqualTo(finish);
  }

  @Test
  void theJobInServiceKeepsWhatItHasHadAndDoesTheRestAtTheNewSpeed() {
    Job<String> a = server.admit("a", 0, 100);
    server.changeSpeed(2, 40);
    assertServed(a, 0, 70);
    server.changeSpeed(0.5, 60);
    assertServed(a, 0, 100); // 10 ns at speed 2 were left: 20 of work
  }

  @Test
  void waitingJobsAreServedAtTheNewSpeedAndMove() {
    server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 10, 100);
    Job<String> c = server.admit("c", 120, 10);
    server.changeSpeed(4, 60);
    assertServed(b, 70, 95);
    assertServed(c, 120, 123); // 10 / 4 rounds up
    assertServed(server.admit("d", 121, 8), 123, 125);
  }

  @Test
  void whatHasFinishedStaysAsItWas() {
    Job<String> a = server.admit("a", 0, 100);
    Job<String> b = server.admit("b", 0, 100);
    server.changeSpeed(0.5, 100);
    assertServed(a, 0, 100);
    assertServed(b, 100, 300);
  }

  @Test
  void anIdleServerTakesTheNewSpeedForWhatComes() {
    server.changeSpeed(2, 50);
    assertThat(server.speed()).isEqualTo(2);
    assertServed(server.admit("a", 60, 10), 60, 65);
  }

  @Test
  void changesNothingAtASpeedThatWouldNotEndTheQueue() {
    Job<String> a = server.admit("a", 0, 1_000_000_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> server.changeSpeed(1e-12, 10))
        .withMessage("speed: 1.0E-12 (expected: one that ends the queue of 1)");
    assertServed(a, 0, 1_000_000_000);
    assertThat(server.speed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesASpeedThatIsNone(double speed) {
    assertThatIllegalArgumentException().isThrownBy(() -> server.changeSpeed(speed, 0));
  }

  /// 400 jobs, a change of speed now and then, a cancellation now and then. Speed times time,
  /// summed over each service, is the job's own work: up to half a nanosecond of rounding for each
  /// change within it and one for the last, at speeds of at most 4.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void speedTimesTimeIsTheWorkOfEveryJob(long seed) {
    RandomStream random = RandomStream.of(seed, "speeds");
    FifoServer<Long> changing = new FifoServer<>(1);
    List<Long> instants = new ArrayList<>(List.of(0L));
    List<Double> speeds = new ArrayList<>(List.of(1.0));
    List<Job<Long>> served = new ArrayList<>();
    List<Job<Long>> waiting = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 400; i++) {
      now += Math.round(1000 * random.exponential());
      while (!changing.isEmpty() && changing.head().finishNanos() <= now) {
        served.add(changing.removeHead());
      }
      long service = Math.round(900 * random.exponential());
      waiting.add(changing.admit(service, now, service));
      if (random.below(4) == 0) {
        double speed = List.of(0.25, 0.5, 1.0, 2.0, 4.0).get(random.below(5));
        changing.changeSpeed(speed, now);
        instants.add(now);
        speeds.add(speed);
      }
      if (random.below(10) == 0) {
        changing.cancel(waiting.get(random.below(waiting.size())), now);
      }
    }
    assertThat(served).hasSizeGreaterThan(200);
    long free = 0;
    int across = 0;
    for (Job<Long> job : served) {
      assertThat(job.startNanos()).isGreaterThanOrEqualTo(Math.max(job.arrivalNanos(), free));
      free = job.finishNanos();
      double work = 0;
      int changes = 0;
      for (int i = 0; i < instants.size(); i++) {
        long until = i + 1 < instants.size() ? instants.get(i + 1) : Long.MAX_VALUE;
        long from = Math.max(instants.get(i), job.startNanos());
        long to = Math.min(until, job.finishNanos());
        work += Math.max(0, to - from) * speeds.get(i);
        changes += from < to ? 1 : 0;
      }
      across += changes > 1 ? 1 : 0;
      assertThat(work).isCloseTo(job.tag(), within(2.0 * Math.max(1, changes)));
    }
    assertThat(across).isGreaterThan(20);
  }
}
