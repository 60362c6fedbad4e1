package dev.herdlab.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {
  private final Labels labels = new Labels();

  private String name(String name) {
    byte[] octets = ("<" + name + ">").getBytes(StandardCharsets.ISO_8859_1);
    return labels.name(octets, 1, octets.length - 1);
  }

  @Test
  void makesAStringOnce() {
    for (int i = 0; i < 5000; i++) {
      assertThat(name("b" + i)).isEqualTo("b" + i);
    }
    assertThat(name("b7")).isSameAs(name("b7"));
  }

  @Test
  void tellsNamesOfEqualHashApart() {
    assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
    assertThat(name("Aa")).isEqualTo("Aa");
    assertThat(name("BB")).isEqualTo("BB");
    assertThat(name("Aa")).isEqualTo("Aa");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a,b", "a;b", "\"a\"", "caf\u00e9"})
  void refusesWhatALogCannotHold(String name) {
    assertThat(name(name)).isEmpty();
  }

  @Test
  void hasABound() {
    for (int i = 0; i < Labels.LIMIT; i++) {
      name("b" + i);
    }
    assertThat(name("more")).isEmpty();
    assertThat(name("b7")).isEqualTo("b7");
  }
}
