package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.herdlab.workload.Queueing.Discipline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Stations whose order of service depends on who comes.
class StationTest {
  private static Station<String> station(Discipline discipline, int servers, double speed) {
    return new Queueing(discipline, servers, Queueing.UNBOUNDED).station(speed);
  }

  private static void assertNext(Station<String> station, String tag, long start, long finish) {
    Station.Job<String> head = station.head();
    assertThat(head.tag()).isEqualTo(tag);
    assertThat(head.startNanos()).as("start of %s", tag).isEqualTo(start);
    assertThat(head.finishNanos()).as("finish of %s", tag).isEqualTo(finish);
    assertThat(station.removeHead()).isSameAs(head);
  }

  @Test
  void theLastToComeIsServedNextAndNobodyIsInterrupted() {
    Station<String> station = station(Discipline.LIFO, 1, 1);
    station.admit("a", 0, 100);
    station.admit("b", 10, 5);
    station.admit("c", 20, 5);
    assertNext(station, "a", 0, 100);
    station.admit("d", 102, 50);
    assertNext(station, "c", 100, 105);
    assertNext(station, "d", 105, 155);
    assertNext(station, "b", 155, 160);
    assertThat(station.isEmpty()).isTrue();
  }

  @Test
  void aHostThatIsLateChangesNoOrder() {
    Station<String> station = station(Discipline.LIFO, 1, 1);
    station.admit("a", 0, 100);
    station.admit("b", 10, 5);
    // a is done at 100 and b begins then, though nobody has removed a yet.
    station.admit("c", 101, 5);
    assertThat(station.unfinished(101)).isEqualTo(2);
    assertThat(station.size()).isEqualTo(3);
    assertNext(station, "a", 0, 100);
    assertNext(station, "b", 100, 105);
    assertNext(station, "c", 105, 110);
  }

  @Test
  void aFinishComesBeforeAnArrivalOfTheSameInstant() {
    Station<String> station = station(Discipline.LIFO, 1, 1);
    station.admit("a", 0, 100);
    station.admit("b", 10, 5);
    station.admit("c", 100, 7);
    assertNext(station, "a", 0, 100);
    assertNext(station, "b", 100, 105);
    assertNext(station, "c", 105, 112);
  }

  @Test
  void severalServersTakeTheFirstOfOneLine() {
    Station<String> station = station(Discipline.FIFO, 2, 1);
    station.admit("a", 0, 100);
    station.admit("b", 0, 30);
    station.admit("c", 1, 10);
    station.admit("d", 2, 10);
    assertNext(station, "b", 0, 30);
    assertNext(station, "c", 30, 40);
    assertNext(station, "d", 40, 50);
    assertNext(station, "a", 0, 100);
    assertThat(station.busyNanos(1000)).isEqualTo(150);
  }

  @Test
  void sharersEachGetTheirPartFromEveryArrivalToEveryEnd() {
    Station<String> station = station(Discipline.PS, 1, 1);
    station.admit("a", 0, 100);
    assertThat(station.head().finishNanos()).isEqualTo(100);
    // a has had 40 of its 100; b needs 20 and gets half.
    station.admit("b", 40, 20);
    assertNext(station, "b", 40, 80);
    // a has had 60 by 80, and is alone again.
    assertNext(station, "a", 0, 120);
  }

  @Test
  void whoSharesSeveralServersUsesOneAtMost() {
    Station<String> station = station(Discipline.PS, 2, 1);
    station.admit("a", 0, 100);
    station.admit("b", 0, 100);
    assertThat(station.head().finishNanos()).isEqualTo(100);
    // From 50 on three share two: two thirds each.
    station.admit("c", 50, 40);
    assertNext(station, "c", 50, 110);
    // a and b have had 90 by 110.
    assertNext(station, "a", 0, 120);
    assertNext(station, "b", 0, 120);
    assertThat(station.busyNanos(1000)).isEqualTo(240);
  }

  @ParameterizedTest
  @CsvSource({"FIFO, 2", "LIFO, 1", "PS, 1"})
  void cancellingWhatIsInServiceFreesTheServerNow(Discipline discipline, int servers) {
    Station<String> station = station(discipline, servers, 1);
    List<Station.Job<String>> hogs = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      hogs.add(station.admit("hog", 0, 1_000_000));
    }
    station.admit("b", 0, 10);
    hogs.forEach(hog -> assertThat(station.cancel(hog, 500)).isTrue());
    boolean shared = discipline == Discipline.PS;
    assertNext(station, "b", shared ? 0 : 500, shared ? 20 : 510);
    assertThat(station.cancel(hogs.getFirst(), 600)).isFalse();
    assertThat(station.isEmpty()).isTrue();
    assertThat(station.busyNanos(1000)).isEqualTo(shared ? 500 : 500 * servers + 10);
  }

  @ParameterizedTest
  @EnumSource(Discipline.class)
  void whatHasFinishedHasNothingToGiveBack(Discipline discipline) {
    Station<String> station = station(discipline, 1, 1);
    Station.Job<String> a = station.admit("a", 0, 100);
    station.admit("b", 200, 10);
    assertThat(station.cancel(a, 205)).isTrue();
    assertNext(station, "b", 200, 210);
    assertThat(station.busyNanos(1000)).isEqualTo(110);
  }

  @ParameterizedTest
  @CsvSource({"FIFO, 2, 90", "LIFO, 1, 90", "PS, 1, 90"})
  void aChangeOfSpeedHoldsForTheRestOfWhatIsInService(
      Discipline discipline, int servers, long finish) {
    Station<String> station = station(discipline, servers, 2);
    station.admit("a", 0, 100);
    // 20 of 100 are done at 10; the rest of 80 takes 80 at speed 1.
    station.changeSpeed(1, 10);
    assertThat(station.speed()).isEqualTo(1);
    assertNext(station, "a", 0, finish);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> station.changeSpeed(0, 10))
        .withMessageContaining("speed: 0");
  }

  @ParameterizedTest
  @EnumSource(Discipline.class)
  void refusesWhatCannotBe(Discipline discipline) {
    Station<String> station = station(discipline, 1, 1);
    station.admit("a", 10, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> station.admit("b", 9, 1))
        .withMessageContaining("arrival: 9");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> station.admit("b", 10, -1))
        .withMessageContaining("service: -1");
    station.removeHead();
    assertThatIllegalStateException().isThrownBy(station::head);
  }

  /// Work is neither made nor lost by any order of service: with one server every discipline is
  /// idle at the same instants, and at the end has worked as long. n = 2000 jobs, seed 5; PS rounds
  /// each finish to a nanosecond, and carries none of that on.
  @ParameterizedTest
  @ValueSource(strings = {"LIFO", "PS"})
  void theLastFinishOfEachBusyPeriodIsThatOfFirstInFirstOut(Discipline discipline) {
    RandomStream random = RandomStream.of(5, "station");
    Station<String> fifo = station(Discipline.FIFO, 1, 1);
    Station<String> other = station(discipline, 1, 1);
    long now = 0;
    int ends = 0;
    for (int i = 0; i < 2000; i++) {
      now += random.below(20_000);
      long service = random.below(16_000);
      long fifoEnd = lastFinish(fifo, now);
      long otherEnd = lastFinish(other, now);
      if (fifo.isEmpty()) {
        assertThat(other.isEmpty()).as("at %s", now).isTrue();
        assertThat(otherEnd - fifoEnd).as("end of a busy period").isBetween(-1L, 1L);
        ends++;
      }
      fifo.admit("j" + i, now, service);
      other.admit("j" + i, now, service);
    }
    assertThat(ends).isGreaterThan(100);
    assertThat(other.busyNanos(now) - fifo.busyNanos(now)).isBetween(-400L, 400L);
  }

  private static long lastFinish(Station<String> station, long untilNanos) {
    long last = 0;
    while (!station.isEmpty() && station.head().finishNanos() <= untilNanos) {
      last = station.removeHead().finishNanos();
    }
    return last;
  }

  /// One server of either kind does what the one that knows every finish beforehand does: n = 3000
  /// jobs, some cancelled and with changes of speed, seed 6.
  @Test
  void oneServerWithALineIsAFifoServer() {
    RandomStream random = RandomStream.of(6, "station");
    Station<Integer> one = new FifoServer<>(1);
    Station<Integer> many = new ManyServers<>(Discipline.FIFO, 1, 1);
    long now = 0;
    for (int i = 0; i < 3000; i++) {
      now += random.below(20_000);
      long service = random.below(30_000);
      Station.Job<Integer> a = one.admit(i, now, service);
      Station.Job<Integer> b = many.admit(i, now, service);
      if (i % 7 == 3) {
        now += random.below(10_000);
        one.cancel(a, now);
        many.cancel(b, now);
      }
      if (i % 50 == 9) {
        double speed = 0.5 + random.below(4);
        one.changeSpeed(speed, now);
        many.changeSpeed(speed, now);
      }
      assertThat(many.unfinished(now)).isEqualTo(one.unfinished(now));
      assertThat(many.busyNanos(now)).isEqualTo(one.busyNanos(now));
      while (!one.isEmpty() && one.head().finishNanos() <= now) {
        assertThat(many.head().startNanos()).isEqualTo(one.head().startNanos());
        assertThat(many.head().finishNanos()).isEqualTo(one.head().finishNanos());
        assertThat(many.removeHead().tag()).isEqualTo(one.removeHead().tag());
      }
    }
  }

  /// However often somebody asks how many are there, no finish changes by a bit. n = 3000, seed 7.
  @Test
  void askingChangesNothing() {
    RandomStream random = RandomStream.of(7, "station");
    Station<Integer> asked = new SharedServer<>(3, 1.3);
    Station<Integer> left = new SharedServer<>(3, 1.3);
    long now = 0;
    for (int i = 0; i < 3000; i++) {
      for (int j = 0; j < 5; j++) {
        now += random.below(1_000);
        asked.busyNanos(now);
        asked.unfinished(now);
      }
      long service = random.below(9_000);
      asked.admit(i, now, service);
      left.admit(i, now, service);
      assertThat(asked.head().finishNanos()).isEqualTo(left.head().finishNanos());
      if (i % 3 != 0) {
        asked.removeHead();
        left.removeHead();
      }
    }
  }

  @Test
  void limitsAndServersAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Queueing(Discipline.FIFO, 0, 1))
        .withMessageContaining("servers: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Queueing(Discipline.FIFO, 4, 3))
        .withMessageContaining("limit: 3 (expected: at least the servers, 4)");
  }
}
