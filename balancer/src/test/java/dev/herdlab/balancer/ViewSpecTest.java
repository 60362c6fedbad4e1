package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.ViewSpec.OwnPicks;
import dev.herdlab.balancer.ViewSpec.Phase;
import dev.herdlab.balancer.ViewSpec.SharedStale;
import org.junit.jupiter.api.Test;

final class ViewSpecTest {
  private static final long UNIT_NANOS = 10_000_000;

  @Test
  void readsEachView() {
    assertThat(ViewSpec.parse("local", 1)).isEqualTo(new ViewSpec.Local());
    assertThat(ViewSpec.parse("shared", 1)).isEqualTo(new ViewSpec.Shared());
    assertThat(ViewSpec.parse("reported", 1)).isEqualTo(new ViewSpec.Reported());
    assertThat(ViewSpec.parse("shared-stale(refresh=4)", UNIT_NANOS))
        .isEqualTo(new SharedStale(4 * UNIT_NANOS, OwnPicks.IGNORED, Phase.SYNC));
    assertThat(ViewSpec.parse("shared-stale(own=true,refresh=15ms,phase=random)", UNIT_NANOS))
        .isEqualTo(new SharedStale(15_000_000, OwnPicks.ADDED, Phase.RANDOM));
  }

  @Test
  void syncPhaseCopiesAtZeroAndEveryInterval() {
    SharedStale view = new SharedStale(7, OwnPicks.IGNORED, Phase.SYNC);

    for (int proxy = 0; proxy < 3; proxy++) {
      RefreshSchedule schedule = RefreshSchedule.of(view, 5, proxy);
      assertThat(schedule.instant(0)).isZero();
      assertThat(schedule.instant(3)).isEqualTo(21);
    }
  }

  @Test
  void randomPhaseIsTheProxysOwnAndReproducible() {
    SharedStale view = new SharedStale(40_000_000, OwnPicks.IGNORED, Phase.RANDOM);
    RefreshSchedule schedule = RefreshSchedule.of(view, 5, 2);

    assertThat(RefreshSchedule.of(view, 5, 2)).isEqualTo(schedule);
    assertThat(RefreshSchedule.of(view, 5, 3)).isNotEqualTo(schedule);
    assertThat(RefreshSchedule.of(view, 6, 2)).isNotEqualTo(schedule);
    assertThat(schedule.instant(2) - schedule.instant(1)).isEqualTo(40_000_000);
    assertThat(schedule.offsetNanos())
        .isEqualTo((long) (SeededRandom.of(5, "phase", 2).unit() * 40_000_000));
  }

  /// 16 000 proxies under seed 5, in 16 sixteenths of the interval; for the bound see
  /// [Law#chiSquareBound].
  @Test
  void randomPhasesAreUniformInTheInterval() {
    SharedStale view = new SharedStale(1_600, OwnPicks.IGNORED, Phase.RANDOM);
    int[] proxy = {0};
    long[] sixteenths =
        Law.tally(
            16, 16_000, () -> (int) (RefreshSchedule.of(view, 5, proxy[0]++).offsetNanos() / 100));

    assertThat(Law.chiSquare(sixteenths)).isLessThan(Law.chiSquareBound(16));
  }

  @Test
  void scheduleRefusesWhatIsNoInterval() {
    assertThatThrownBy(() -> new RefreshSchedule(0, 0)).hasMessage("refresh: 0 ns (expected: > 0)");
    assertThatThrownBy(() -> new RefreshSchedule(-1, 5))
        .hasMessage("offset: -1 ns (expected: >= 0)");
    assertThatThrownBy(() -> new SharedStale(0, OwnPicks.ADDED, Phase.SYNC))
        .hasMessage("refresh: 0 ns (expected: > 0)");
  }
}
