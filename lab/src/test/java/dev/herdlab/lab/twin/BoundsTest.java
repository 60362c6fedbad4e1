package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class BoundsTest {
  private static final Bounds STANDARD = Bounds.STANDARD;

  @Test
  void aStallAtTheBoundShiftsQuantilesByTheAllowedShift() {
    double stall = STANDARD.stallUnits(0.8, 2000);

    assertThat(stall).isCloseTo(2.58, within(0.01));
    assertThat(stall * stall * (1 + 1 / (1 - 0.8)) / (2 * 2000)).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void longerRunsBearLongerStallsAndBusierOnesShorter() {
    assertThat(STANDARD.stallUnits(0.8, 8000)).isCloseTo(2 * 2.58, within(0.01));
    assertThat(STANDARD.stallUnits(0.9, 2000)).isLessThan(STANDARD.stallUnits(0.8, 2000));
    assertThat(STANDARD.stallUnits(1.2, 2000)).isEqualTo(STANDARD.stallUnits(0.95, 2000));
  }
}
