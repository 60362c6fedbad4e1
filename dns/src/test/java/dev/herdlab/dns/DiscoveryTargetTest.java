package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How targets are written.
class DiscoveryTargetTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "dns://backend-stub:8000",
        "dns://backend_stub.example.:8000-8007",
        "dns://127.0.0.1:8000",
        "dns://[::1]:8000",
        "dns+srv://_http._tcp.example.com"
      })
  void targetIsReadAsItIsWritten(String text) {
    assertThat(DiscoveryTarget.isOne(text)).isTrue();
    assertThat(DiscoveryTarget.parse(text)).hasToString(text);
  }

  @Test
  void schemeIsReadInAnyCase() {
    assertThat(DiscoveryTarget.parse("DNS://a:1")).hasToString("dns://a:1");
    assertThat(DiscoveryTarget.isOne("b0=127.0.0.1:80")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "127.0.0.1:80|dns://NAME:PORT, dns://NAME:FIRST-LAST or dns+srv://NAME",
        "dns://backend|a port or a range of ports, as in dns://NAME:8000-8007",
        "dns://backend:|a port or a range of ports, as in dns://NAME:8000-8007",
        "dns://backend:http|a port or a range of ports, as in dns://NAME:8000-8007",
        "dns://::1:80|a name, an IPv4 address, or an IPv6 address in brackets",
        "dns://:80|a name, an IPv4 address, or an IPv6 address in brackets",
        "dns://a..b:80|a name, an IPv4 address, or an IPv6 address in brackets",
        "dns://[a]:80|a name, an IPv4 address, or an IPv6 address in brackets",
        "dns://a b:80|a name, an IPv4 address, or an IPv6 address in brackets",
        "dns://a:0|ports from 1 to 65535, rising, at most 1024 of them",
        "dns://a:65536|ports from 1 to 65535, rising, at most 1024 of them",
        "dns://a:9-8|ports from 1 to 65535, rising, at most 1024 of them",
        "dns://a:1-1025|ports from 1 to 65535, rising, at most 1024 of them",
        "dns+srv://http.tcp.a|dns+srv://_SERVICE._PROTOCOL.NAME, e.g. dns+srv://_http._tcp.example",
        "dns+srv://_http._tcp.a:80|dns+srv://_SERVICE._PROTOCOL.NAME, e.g. dns+srv://_http._tcp.example",
      })
  void badTargetIsRefused(String text, String expected) {
    assertThatThrownBy(() -> DiscoveryTarget.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(text + " (expected: " + expected + ")");
  }

  @Test
  void longestBeliefHasBounds() {
    assertThatThrownBy(() -> new DiscoverySettings(Optional.empty(), Duration.ofMillis(999)))
        .hasMessage("maxTtl: PT0.999S (expected: PT1S to PT24H)");
  }
}
