package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisSettingsTest {
  @Test
  void refusesWhatCanNotWork() {
    assertThatThrownBy(() -> RedisSettings.of("nonsense", "g"))
        .hasMessage("board: not an address of Redis (expected: redis://host:port)");
    assertThatThrownBy(() -> RedisSettings.of("redis://h", "a b"))
        .hasMessageStartingWith("group: \"a b\" (expected: 1 to 64");
    assertThatThrownBy(() -> RedisSettings.of("redis://h", "g").withAnswerBound(Duration.ZERO))
        .hasMessage("answer bound: PT0S (expected: PT0.0001S to PT1S)");
    assertThatThrownBy(() -> RedisSettings.of("redis://h", "g").withExpiry(Duration.ofHours(1)))
        .hasMessageStartingWith("expiry: PT1H");
  }

  @Test
  void doesNotTellThePassword() {
    RedisSettings settings = RedisSettings.of("redis://user:secret@redis.example:7000/3", "g");
    assertThat(settings.where()).isEqualTo("redis://redis.example:7000");
    assertThat(settings.toString()).doesNotContain("secret");
  }
}
