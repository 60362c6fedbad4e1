package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalsTest {
  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 9, 10, 99, 100, 1_000_000_007, -1, -10, -999, Long.MAX_VALUE, Long.MIN_VALUE})
  void writesWhatLongToStringWrites(long value) {
    ByteBuf out = Unpooled.buffer(1);
    out.writeByte('=');
    Decimals.write(out, value);
    assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("=" + value);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.000000",
    "0.8, 0.800000",
    "1, 1.000000",
    "0.0000005, 0.000001",
    "0.00000049, 0.000000",
    "0.9999996, 1.000000",
    "1234.05, 1234.050000",
    "1e300, 9000000000000.000000",
  })
  void writesSixDecimalsRoundedToTheNearest(double value, String text) {
    ByteBuf out = Unpooled.buffer(1);
    Decimals.write(out, value);
    assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN})
  void refusesWhatIsBelowZeroOrNoNumber(double value) {
    ByteBuf out = Unpooled.buffer(1);
    assertThatThrownBy(() -> Decimals.write(out, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value: " + value + " (expected: >= 0)");
  }
}
