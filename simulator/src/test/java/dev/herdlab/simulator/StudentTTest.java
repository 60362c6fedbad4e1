package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {
  /// Published tables, e.g. NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  @ParameterizedTest
  @CsvSource({
    "0.975,1,12.706",
    "0.975,4,2.776",
    "0.975,19,2.093",
    "0.975,100,1.984",
    "0.995,19,2.861",
    "0.995,9,3.250",
    "0.95,2,2.920",
    "0.999,30,3.385",
    "0.9,5,1.476"
  })
  void isAsInTheTables(double p, int degrees, double t) {
    assertThat(StudentT.quantile(p, degrees)).isCloseTo(t, within(0.0005 + 1e-9));
  }

  /// One and two degrees of freedom have closed forms: tan(pi (p - 1/2)), and (2p - 1) / sqrt(2p (1
  /// - p)).
  @ParameterizedTest
  @CsvSource({"0.6", "0.75", "0.975", "0.9995"})
  void isExactWhereThereIsAClosedForm(double p) {
    double two = (2 * p - 1) / Math.sqrt(2 * p * (1 - p));

    assertThat(StudentT.quantile(p, 1) / Math.tan(Math.PI * (p - 0.5))).isCloseTo(1, within(1e-9));
    assertThat(StudentT.quantile(p, 2) / two).isCloseTo(1, within(1e-9));
  }

  @Test
  void theMedianIsZero() {
    assertThat(StudentT.quantile(0.5, 7)).isCloseTo(0, within(1e-9));
  }

  @Test
  void refusesWhatHasNoQuantile() {
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.quantile(1, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.quantile(0.4, 3));
    assertThatIllegalArgumentException().isThrownBy(() -> StudentT.quantile(0.9, 0));
  }
}
