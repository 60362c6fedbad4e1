package dev.herdlab.simulator.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final List<Setting> DECLARED =
      List.of(
          Setting.whole("requests", 1, 1000, "300", "requests"),
          Setting.positive("rho", "0.8", "load"),
          Setting.list("seeds", new Setting.Type.Whole(0, Long.MAX_VALUE), "0..2", "seeds"),
          Setting.list("refresh", new Setting.Type.Decimal(0), "0,0.5", "refresh"),
          Setting.list("own", new Setting.Type.Choice(List.of("false", "true")), "false", "own"),
          Setting.list("algorithm", new Setting.Type.AlgorithmSpec(), "p2c", "algorithm"),
          new Setting(
              "service",
              new Setting.Type.ServiceSpec(),
              Setting.Shape.ONE,
              "exponential(mean=1)",
              "service"));

  private static Settings bind(Map<String, String> given) {
    return Settings.bind(DECLARED, given, Algorithms.builtIn(), 1_000);
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    Settings settings = bind(Map.of());

    assertThat(settings.whole("requests")).isEqualTo(300);
    assertThat(settings.decimal("rho")).isEqualTo(0.8);
    assertThat(settings.wholes("seeds")).containsExactly(0L, 1L, 2L);
    assertThat(settings.decimals("refresh")).containsExactly(0.0, 0.5);
    assertThat(settings.words("own")).containsExactly("false");
    assertThat(settings.service("service").meanUnits()).isEqualTo(1);
  }

  @Test
  void rangesAndValuesMixInAList() {
    assertThat(bind(Map.of("seeds", "7, 1..3,5")).wholes("seeds"))
        .containsExactly(7L, 1L, 2L, 3L, 5L);
  }

  @Test
  void commasInsideParenthesesDoNotSplit() {
    assertThat(bind(Map.of("algorithm", "p2c(d=3,draws=distinct),random")).algorithms("algorithm"))
        .extracting(ConfiguredAlgorithm::spec)
        .containsExactly("p2c(d=3,draws=distinct)", "random");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "reqests | 5 | reqests: 5 (expected: one of the settings requests, rho, seeds",
        "requests | many | requests: many (expected: a whole number from 1 to 1000)",
        "requests | 0 | requests: 0 (expected: a whole number from 1 to 1000)",
        "requests | 1..3 | requests: 1..3 (expected: a whole number",
        "rho | -1 | rho: -1 (expected: a number above 0)",
        "rho | 0 | rho: 0 (expected: a number above 0)",
        "refresh | -0.5 | refresh: -0.5 (expected: a number, 0.0 or more, or several",
        "rho | NaN | rho: NaN (expected: a number above 0)",
        "rho | 0.8f | rho: 0.8f (expected: a number above 0)",
        "rho | 0x1p-1 | rho: 0x1p-1 (expected: a number above 0)",
        "rho | Infinity | rho: Infinity (expected: a number above 0)",
        "seeds | 3..1 | seeds: 3..1 (expected: a whole number, 0 or more",
        "seeds | 0..9223372036854775806 | seeds: 0..9223372036854775806 (expected: at most 10000 values)",
        "seeds | 1,,2 | seeds: nothing (expected: a whole number, 0 or more",
        "own | maybe | own: maybe (expected: false or true, or several",
        "algorithm | p2d | algorithm: algorithm 'p2d', column 1: p2d (expected: one of ",
        "service | exp | service: service 'exp', column 1: exp (expected: "
      })
  void oneLineSaysWhatIsWrong(String name, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bind(Map.of(name, value)))
        .satisfies(e -> assertThat(e.getMessage()).startsWith(message).doesNotContain("\n"));
  }

  @Test
  void askingForWhatWasNotDeclaredIsAProgrammersError() {
    assertThatIllegalArgumentException().isThrownBy(() -> bind(Map.of()).whole("rho"));
    assertThatIllegalArgumentException().isThrownBy(() -> bind(Map.of()).whole("nothing"));
  }
}
