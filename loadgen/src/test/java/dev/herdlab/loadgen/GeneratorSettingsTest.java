package dev.herdlab.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratorSettingsTest {
  private static GeneratorSettings withHeadLimit(int bytes) {
    GeneratorSettings it =
        GeneratorSettings.of(List.of(InetSocketAddress.createUnresolved("localhost", 1)), 1);
    return new GeneratorSettings(
        it.proxies(),
        it.path(),
        it.connections(),
        it.connectionLimit(),
        it.connectTimeout(),
        it.requestTimeout(),
        it.stopTimeout(),
        bytes,
        it.limitNanos());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 63, (1 << 20) + 1})
  void headLimitIsWhatTheScannerTakes(int bytes) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> withHeadLimit(bytes))
        .withMessage("head bytes: " + bytes + " (expected: 64 to 1048576)");
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 1 << 20})
  void headLimitAtItsBoundsIsTaken(int bytes) {
    assertThat(withHeadLimit(bytes).headLimits().maxBytes()).isEqualTo(bytes);
  }
}
