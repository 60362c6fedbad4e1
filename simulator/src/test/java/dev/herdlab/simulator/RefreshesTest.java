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

  private static List<Copy> first(int count, Refreshes refreshes) {
    Refreshes.Cursor cursor = refreshes.cursor();
    List<Copy> copies = new ArrayList<>();
    while (copies.size() < count && cursor.nanos() != Long.MAX_VALUE) {
      copies.add(new Copy(cursor.nanos(), cursor.proxy()));
      cursor.advance();
    }
    return copies;
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
  void recordedTimeCannotGoBack() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Refreshes.recorded(new long[] {5, 4}, new int[] {0, 0}))
        .withMessage("refresh 1: 4 ns (expected: not before the last one)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Refreshes.recorded(new long[] {5}, new int[] {0, 0}))
        .withMessageContaining("expected: one for each of 2 proxies");
  }
}
