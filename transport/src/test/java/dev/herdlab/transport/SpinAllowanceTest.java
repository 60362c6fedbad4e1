package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinAllowanceTest {
  @Test
  void allowsAtMostFourFifthsOfTheTimeInTheLongRun() {
    var allowance = new SpinAllowance();
    long step = 10_000;
    long spun = 0;
    long end = 1_000_000_000;
    for (long now = 0; now < end; now += step) {
      if (allowance.spinning(now)) {
        spun += step;
      }
    }
    assertThat(spun).isBetween(end / 2, end / 5 * 4 + SpinAllowance.CAPACITY_NANOS + step);
  }

  @Test
  void doesNotLimitShortSpinsWithSleepBetween() {
    var allowance = new SpinAllowance();
    for (long now = 0; now < 100_000_000; now += 200_000) {
      assertThat(allowance.spinning(now)).isTrue();
      allowance.sleeping(now + 100_000);
    }
  }
}
