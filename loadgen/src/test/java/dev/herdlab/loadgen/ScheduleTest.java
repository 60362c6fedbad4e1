package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.SECOND;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long EPOCH = 5_000;
  private static final Trace PLAN = evenly(6, 100, 7);

  private static Schedule schedule() {
    return new Schedule(PLAN, EPOCH);
  }

  // Since the epoch as it is now.
  private static LongStream instants(Schedule schedule) {
    return IntStream.range(0, PLAN.size())
        .mapToLong(i -> schedule.intendedNanos(i) - schedule.epochNanos());
  }

  private static int[] unsent(int size) {
    int[] proxies = new int[size];
    Arrays.fill(proxies, -1);
    return proxies;
  }

  @Test
  void isThePlanUntilTheRateIsChanged() {
    Schedule schedule = schedule();

    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 300L, 400L, 500L);
    assertThat(schedule.executed(unsent(6))).isSameAs(PLAN);
  }

  @Test
  void twiceTheRateHalvesWhatIsLeft() {
    Schedule schedule = schedule();
    schedule.setRate(2, EPOCH + 250);

    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 275L, 325L, 375L);
  }

  @Test
  void halfTheRateDoublesWhatIsLeft() {
    Schedule schedule = schedule();
    schedule.setRate(0.5, EPOCH + 250);

    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 350L, 550L, 750L);
  }

  @Test
  void aRequestThatIsDueAtTheChangeKeepsItsInstant() {
    Schedule schedule = schedule();
    schedule.setRate(0.5, EPOCH + 300);

    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 300L, 500L, 700L);
  }

  @Test
  void factorsAreOfThePlanAndDoNotMultiply() {
    Schedule schedule = schedule();
    schedule.setRate(2, EPOCH + 250);
    schedule.setRate(2, EPOCH + 260);
    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 275L, 325L, 375L);

    // At 300 the plan is at 350: what is left takes as long as planned.
    schedule.setRate(1, EPOCH + 300);
    assertThat(instants(schedule)).containsExactly(0L, 100L, 200L, 275L, 350L, 450L);
  }

  @Test
  void aRunThatHasNotBegunBeginsTheEarlier() {
    Schedule schedule = schedule();
    schedule.setRate(2, EPOCH - 1000);

    assertThat(schedule.epochNanos()).isEqualTo(EPOCH - 500);
    assertThat(instants(schedule)).containsExactly(0L, 50L, 100L, 150L, 200L, 250L);

    schedule.setRate(0.5, EPOCH - 600);
    assertThat(schedule.epochNanos()).isEqualTo(EPOCH - 200);
    assertThat(instants(schedule)).containsExactly(0L, 200L, 400L, 600L, 800L, 1000L);
  }

  @Test
  void countsWhatIsDue() {
    Schedule schedule = schedule();
    schedule.setRate(2, EPOCH + 250);

    assertThat(schedule.due(EPOCH - 1)).isZero();
    assertThat(schedule.due(EPOCH)).isEqualTo(1);
    assertThat(schedule.due(EPOCH + 274)).isEqualTo(3);
    assertThat(schedule.due(EPOCH + 275)).isEqualTo(4);
    assertThat(schedule.due(EPOCH + 10_000)).isEqualTo(6);
  }

  @Test
  void saysWhatIsPlannedASecondWhileItSends() {
    Schedule schedule = new Schedule(evenly(11, SECOND / 10, 0), 0);

    assertThat(schedule.ratePerSecond(-1)).isZero();
    assertThat(schedule.ratePerSecond(SECOND / 2)).isEqualTo(11);
    schedule.setRate(4, SECOND / 2);
    assertThat(schedule.ratePerSecond(SECOND / 2)).isEqualTo(44);
    assertThat(schedule.ratePerSecond(SECOND)).isZero();
  }

  @Test
  void theTraceAsExecutedKeepsServiceTimesAndTellsTheProxiesThatWereUsed() {
    Schedule schedule = schedule();
    schedule.setRate(2, EPOCH + 250);
    int[] proxies = unsent(6);
    proxies[1] = 3;
    Trace executed = schedule.executed(proxies);

    assertThat(executed.proxies()).isEqualTo(4);
    assertThat(IntStream.range(0, 6).map(executed::proxy)).containsExactly(0, 3, 0, 0, 0, 0);
    assertThat(IntStream.range(0, 6).mapToLong(executed::intendedNanos))
        .containsExactly(0L, 100L, 200L, 275L, 325L, 375L);
    assertThat(IntStream.range(0, 6).mapToLong(executed::serviceNanos)).containsOnly(7L);
  }

  @Test
  void instantsNeverGoBackAndWhatWasDueStays() {
    RandomStream random = RandomStream.of(17, "rates");
    Schedule schedule = new Schedule(evenly(2000, 997, 0), 0);
    long now = -500_000;
    for (int change = 0; change < 500; change++) {
      now += random.below(4000);
      int due = schedule.due(now);
      long[] before = instants(schedule, due);
      schedule.setRate(0.1 + random.below(100) / 10.0, now);
      assertThat(instants(schedule, due)).isEqualTo(before);
      assertThat(schedule.due(now)).isEqualTo(due);
    }
    assertThat(instants(schedule, 2000)).isSorted();
  }

  private static long[] instants(Schedule schedule, int requests) {
    return IntStream.range(0, requests).mapToLong(schedule::intendedNanos).toArray();
  }
}
