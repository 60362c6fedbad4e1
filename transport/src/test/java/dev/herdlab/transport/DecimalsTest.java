package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
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
}
