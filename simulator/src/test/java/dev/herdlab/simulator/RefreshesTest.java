package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RefreshesTest {
  private record Copy(long nanos, int proxy) {}

  /// The first `count` refreshes.
  private static List<Copy> first(int count, Refreshes refreshes) {
    Refreshes.Cursor cursor = refreshes.cursor();
    List<Copy> copies = new ArrayList<>();
    while (copies.size() < count && cursor.nanos() != Long.MAX_VALUE) {
      if (!cursor.isCopy()) {
        copies.add(new Copy(cursor.nanos(), cursor.proxy()));
      }
      cursor.advance();
    }
    return copies;
  }

  /// All steps: `c` and the number where a copy is taken, `p` and the proxy, the copy and the picks
  /// that it does not know of where one is shown.
  private static List<String> steps(Refreshes refreshes) {
    Refreshes.Cursor cursor = refreshes.cursor();
    List<String> steps = new ArrayList<>();
    while (steps.size() < 20 && cursor.nanos() != Long.MAX_VALUE) {
      steps.add(
          cursor.isCopy()
              ? "%d c%d".formatted(cursor.nanos(), cursor.copy())
              : "%d p%d c%d -%d"
                  .formatted(
                      cursor.nanos(), cursor.proxy(), cursor.copy(), cursor.picksNotIncluded()));
      cursor.advance();
    }
    return steps;
  }

  private static ViewSpec.SharedStale stale(ViewSpec.Phase phase) {
    return new ViewSpec.SharedStale(100, ViewSpec.OwnPicks.IGNORED, phase);
  }

  @Test
  void syncCopiesAllAtOnceInTheOrderOfTheProxies() {
    assertThat(first(5, Refreshes.ideal(stale(ViewSpec.Phase.SYNC), 7, 2)))
        .containsExactly(
            new Copy(0, 0), new Copy(0, 1), new Copy(100, 0), new Copy(100, 1), new Copy(200, 0));
  }

  @Test
  void randomFollowsEachProxysOwnScheduleInTheOrderOfTime() {
    ViewSpec.SharedStale view = stale(ViewSpec.Phase.RANDOM);

    List<Copy> copies = first(30, Refreshes.ideal(view, 7, 3));

    for (int p = 0; p < 3; p++) {
      int proxy = p;
      RefreshSchedule schedule = RefreshSchedule.of(view, 7, p);
      assertThat(copies.stream().filter(copy -> copy.proxy() == proxy).map(Copy::nanos))
          .containsExactly(
              LongStream.range(0, 10).map(schedule::instant).boxed().toArray(Long[]::new));
    }
    assertThat(copies).isSortedAccordingTo(Comparator.comparingLong(Copy::nanos));
    assertThat(copies.stream().map(Copy::nanos).distinct()).hasSizeGreaterThan(20);
  }

  @Test
  void freshViewsHaveNone() {
    assertThat(first(1, Refreshes.ideal(new ViewSpec.Local(), 7, 3))).isEmpty();
    assertThat(first(1, Refreshes.ideal(new ViewSpec.Shared(), 7, 3))).isEmpty();
  }

  @Test
  void recordedOnesAreThoseOfTheLogAndEnd() {
    DispatchLog log = new DispatchLog(4);
    log.append(DispatchLog.Kind.REFRESH, 1, 0, 0, 10);
    log.append(DispatchLog.Kind.PICK, 0, 3, 0, 11);
    log.append(DispatchLog.Kind.REFRESH, 0, 0, 0, 12);

    assertThat(first(9, Refreshes.recorded(log))).containsExactly(new Copy(10, 1), new Copy(12, 0));
  }

  @Test
  void proxiesOfOneInstantTakeOneCopy() {
    assertThat(steps(Refreshes.recorded(new long[] {5, 5, 7}, new int[] {1, 0, 1})))
        .containsExactly("5 c0", "5 p1 c0 -0", "5 p0 c0 -0", "7 c1", "7 p1 c1 -0");
    assertThat(steps(Refreshes.ideal(stale(ViewSpec.Phase.SYNC), 7, 2)).subList(0, 6))
        .containsExactly(
            "0 c0", "0 p0 c0 -0", "0 p1 c0 -0", "100 c0", "100 p0 c0 -0", "100 p1 c0 -0");
  }

  @Test
  void aCopyIsTakenWhenItWasTrueAndShownWhenItCame() {
    DispatchLog log = new DispatchLog(8);
    log.append(DispatchLog.Kind.SNAPSHOT, 0, 1, 70, 100);
    log.append(DispatchLog.Kind.COUNT, 0, 3, 2, 100);
    log.append(DispatchLog.Kind.REFRESH, 0, 4, 70, 130);
    log.append(DispatchLog.Kind.SNAPSHOT, 1, 0, 70, 101); // the same one, seen by another process
    log.append(DispatchLog.Kind.REFRESH, 1, 9, 70, 220);
    log.append(DispatchLog.Kind.SNAPSHOT, 0, 0, 71, 210);
    log.append(DispatchLog.Kind.REFRESH, 0, 0, 71, 230);

    assertThat(steps(Refreshes.recorded(log)))
        .containsExactly("100 c0", "130 p0 c0 -4", "210 c1", "220 p1 c0 -9", "230 p0 c1 -0");
  }

  @Test
  void aCopyIsNotTakenAfterItWasShownWhateverClocksSay() {
    DispatchLog log = new DispatchLog(8);
    log.append(DispatchLog.Kind.SNAPSHOT, 0, 0, 70, 131);
    log.append(DispatchLog.Kind.REFRESH, 0, 0, 70, 130);

    assertThat(steps(Refreshes.recorded(log))).containsExactly("130 c0", "130 p0 c0 -0");
  }

  @Test
  void recordedTimeCannotGoBack() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Refreshes.recorded(new long[] {5, 4}, new int[] {0, 0}))
        .withMessage("refresh 1: 4 ns (expected: not before the last one)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Refreshes.recorded(new long[] {5}, new int[] {0, 0}))
        .withMessageContaining("expected: one for each of 2 proxies");
  }
}
