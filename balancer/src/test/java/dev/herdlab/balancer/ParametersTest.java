package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ParametersTest {
  private static final long UNIT_NANOS = 10_000_000;

  private static Parameters bind(String spec, Parameter... declared) {
    return Parameters.bind(
        Spec.parse("algorithm", spec), List.of(declared), UNIT_NANOS, Algorithms.builtIn());
  }

  @ParameterizedTest
  @CsvSource({
    "250ns, 250",
    "20us, 20000",
    "1.5ms, 1500000",
    "10s, 10000000000",
    "4u, 40000000",
    "4, 40000000",
    "0.5, 5000000",
    "1e-3u, 10000",
  })
  void durationsAreTimesOrUnits(String text, long nanos) {
    Parameter decay = Parameter.duration("decay", Parameter.REQUIRED, "");

    assertThat(bind("x(decay=" + text + ")", decay).nanos("decay")).isEqualTo(nanos);
  }

  @Test
  void defaultsFillWhatIsNotGiven() {
    Parameters bound =
        bind(
            "x",
            Parameter.whole("d", 1, 9, "2", ""),
            Parameter.decimal("bias", 0, 1, "0.25", ""),
            Parameter.toggle("own", "true", ""),
            Parameter.duration("decay", "2u", ""));

    assertThat(bound.whole("d")).isEqualTo(2);
    assertThat(bound.decimal("bias")).isEqualTo(0.25);
    assertThat(bound.toggle("own")).isTrue();
    assertThat(bound.nanos("decay")).isEqualTo(2 * UNIT_NANOS);
  }

  @ParameterizedTest
  @CsvSource({"1.01", "-0.01", "NaN", "1f", "0x1p0d", "''"})
  void decimalOutsideItsRangeIsRefused(String text) {
    assertThatThrownBy(() -> bind("x(bias=" + text + ")", Parameter.decimal("bias", 0, 1, "0", "")))
        .isInstanceOf(SpecException.class)
        .hasMessageEndingWith("bias=" + text + " (expected: a number from 0.0 to 1.0)");
  }

  @Test
  void nestedAlgorithmKeepsItsParentheses() {
    Parameters bound =
        bind(
            "x(inner=p2c(d=3,draws=distinct),own=true)",
            Parameter.nested("inner", "random", ""),
            Parameter.toggle("own", "false", ""));

    assertThat(bound.algorithm("inner").spec()).isEqualTo("p2c(d=3,draws=distinct)");
    assertThat(bound.algorithm("inner").parameters().whole("d")).isEqualTo(3);
    assertThat(bound.toggle("own")).isTrue();
  }

  @Test
  void errorInANestedAlgorithmPointsIntoIt() {
    assertThatThrownBy(() -> bind("x(inner=p2c(d=0))", Parameter.nested("inner", "random", "")))
        .isInstanceOf(SpecException.class)
        .hasMessage("algorithm 'p2c(d=0)', column 7: d=0 (expected: a whole number from 1 to 64)");
  }

  @Test
  void askingForWhatWasNotDeclaredIsTheProgrammersError() {
    Parameters bound = bind("x", Parameter.whole("d", 1, 9, "2", ""));

    assertThatThrownBy(() -> bound.nanos("d")).hasMessage("parameter d: not declared as Long");
    assertThatThrownBy(() -> bound.whole("e")).hasMessage("parameter e: not declared as Integer");
  }

  @Test
  void declarationsAreChecked() {
    assertThatThrownBy(() -> Parameter.whole("d", 1, 9, "10", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("default of parameter d: 10 (expected: a whole number from 1 to 9)");
    assertThatThrownBy(() -> Parameter.toggle("Own", "true", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("parameter name: 'Own' (expected: a-z, 0-9 and -)");
  }
}
