package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ClosedFormsTest {
  @Test
  void mm1AtFourFifthsTakesFiveServiceTimes() {
    assertThat(ClosedForms.mm1Mean(0.8, 2)).isCloseTo(10, within(1e-12));
    assertThat(ClosedForms.mm1Quantile(0.8, 2, 0.5)).isCloseTo(10 * Math.log(2), within(1e-12));
  }

  @Test
  void pollaczekKhinchineOfExponentialServiceIsMm1() {
    assertThat(ClosedForms.pollaczekKhinchine(0.8, 1, 2)).isCloseTo(5, within(1e-12));
  }

  @Test
  void pollaczekKhinchineOfConstantServiceWaitsHalfAsLong() {
    assertThat(ClosedForms.pollaczekKhinchine(0.8, 1, 1)).isCloseTo(1 + 2, within(1e-12));
  }

  @Test
  void oneChoiceIsMm1() {
    assertThat(ClosedForms.powerOfChoicesMean(0.9, 1)).isCloseTo(10, within(1e-12));
  }

  /// Mitzenmacher 2001, table 1 (expected time, d = 2, lambda = 0.99 is 5.4; 0.9 is 2.6141).
  @Test
  void twoChoicesAreAsPublished() {
    assertThat(ClosedForms.powerOfChoicesMean(0.9, 2)).isCloseTo(2.6141, within(0.0001));
    double byHand = 1 + Math.pow(0.8, 2) + Math.pow(0.8, 6) + Math.pow(0.8, 14) + Math.pow(0.8, 30);
    assertThat(ClosedForms.powerOfChoicesMean(0.8, 2)).isCloseTo(byHand, within(1e-5));
  }

  @Test
  void thereIsNoSteadyStateAtOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClosedForms.mm1Mean(1, 1))
        .withMessageContaining("utilisation: 1.0 (expected: 0 or more and below 1");
  }
}
