package dev.herdlab.proxy.redis;

import dev.herdlab.proxy.BoardContract;
import dev.herdlab.proxy.CountBoard;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisBoardTest extends BoardContract {
  private static RedisServer redis;

  @BeforeAll
  static void startRedis() throws Exception {
    redis = RedisServer.start();
  }

  @AfterAll
  static void endRedis() throws Exception {
    if (redis != null) {
      redis.close();
    }
  }

  @Override
  protected CountBoard board() {
    return new RedisBoard(
        RedisSettings.of(redis.uri(), UUID.randomUUID().toString()), UUID.randomUUID());
  }
}
