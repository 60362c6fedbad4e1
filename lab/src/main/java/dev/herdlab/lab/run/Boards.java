package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Settings;
import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.redis.RedisBoard;
import dev.herdlab.proxy.redis.RedisSettings;
import java.util.UUID;

/// Makes the board of a proxy process from its settings. Owner thread: any (no state).
final class Boards {
  private Boards() {}

  /// A board that is not connected to anything yet.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if the keys say neither `memory` nor a Redis
  static CountBoard of(Settings settings) {
    String text = settings.get(ComponentKeys.BOARD);
    if (text.equals("memory")) {
      return CountBoard.memory();
    }
    if (!text.startsWith("redis://")) {
      throw settings.error(ComponentKeys.BOARD, ComponentKeys.BOARD.type().expected());
    }
    RedisSettings redis =
        ComponentLists.spec(
            settings,
            ComponentKeys.BOARD,
            uri -> RedisSettings.of(uri, settings.get(ComponentKeys.BOARD_GROUP)));
    return new RedisBoard(redis, UUID.randomUUID());
  }
}
