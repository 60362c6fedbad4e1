package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrivalSpecTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "uniform | arrivals 'uniform', column 1: uniform (expected: poisson, constant, ramp, bursty or"
            + " recorded)",
        "bursty(ratio=0.5) | arrivals 'bursty(ratio=0.5)', column 14: ratio=0.5 (expected: a number >="
            + " 1)",
        "bursty(busy=0) | arrivals 'bursty(busy=0)', column 13: busy=0 (expected: a number > 0)",
        "recorded | arrivals 'recorded', column 9: no file (expected: file=...)",
        "recorded(file=/no/x) | arrivals 'recorded(file=/no/x)', column 15: file=/no/x (expected: a"
            + " readable file of samples; there is no such file)",
        "poisson(rate=3) | arrivals 'poisson(rate=3)', column 9: rate (expected: no parameters)",
        "ramp | arrivals 'ramp', column 5: no over (expected: over=...)",
        "ramp(to=0,over=1) | arrivals 'ramp(to=0,over=1)', column 9: to=0 (expected: a number > 0)",
        "ramp(from=-1,over=1) | arrivals 'ramp(from=-1,over=1)', column 11: from=-1 (expected: a"
            + " number >= 0)"
      })
  void saysWhatIsWrongAndWhere(String spec, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrivalProcess.parse(spec, 1, 1000))
        .withMessage(message);
  }

  @Test
  void refusesARateOrUnitOfZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrivalProcess.parse("poisson", 0, 1000))
        .withMessage("arrivals per unit: 0.0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrivalProcess.parse("poisson", 1, 0))
        .withMessage("unit: 0 ns (expected: > 0)");
  }
}
