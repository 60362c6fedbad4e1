package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.8,0.8",
    ".5,0.5",
    "1.,1",
    "+2,2",
    "-3,-3",
    "1e-3,0.001",
    "2.5E+2,250",
    "1e999,Infinity"
  })
  void reads(String text, double value) {
    assertThat(DecimalText.read(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        "0.8f",
        "0.8d",
        "0x10",
        "0x1p3",
        "NaN",
        "Infinity",
        "1.2.3",
        "1e",
        "1 ",
        "--1",
        "1_000",
        "\u0661"
      })
  void refuses(String text) {
    assertThat(DecimalText.read(text)).isNaN();
  }
}
