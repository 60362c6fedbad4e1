package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How addresses are read and written.
class HostsTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "::, ::",
    "0:0:0:0:0:0:0:1, ::1",
    "2001:DB8:0:0:1:0:0:0, 2001:db8:0:0:1::",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "fe80:0:0:0:0:0:0:0, fe80::"
  })
  void addressIsWrittenShort(String text, String written) {
    assertThat(Hosts.text(Hosts.literal(text).orElseThrow())).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource({"example", "192.0.2", "192.0.2.256", "1", "::1::", "'[::1]'"})
  void nameIsNoAddress(String text) {
    assertThat(Hosts.literal(text)).isEmpty();
  }

  @Test
  void localhostIsOneAddress() {
    assertThat(Hosts.text(Hosts.known("LocalHost").orElseThrow())).isEqualTo("127.0.0.1");
  }
}
