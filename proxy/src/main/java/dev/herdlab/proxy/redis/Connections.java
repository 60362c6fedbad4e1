package dev.herdlab.proxy.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Two connections to Redis, one that commands and one that listens, and what is said on them.
///
/// Owner thread: its link's; replies come on that one too.
final class Connections {
  // A question and the number of its copy in one step, and only from who holds the lead, if that is
  // asked for. Numbers rise even if Redis has lost its data: they begin with the microseconds of
  // its
  // clock, and are drawn more slowly than those pass.
  private static final String ASK =
      """
      if ARGV[2] ~= '0' then
        local holder = redis.call('GET', KEYS[1])
        if holder and holder ~= ARGV[1] then return {0, 0} end
        redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
      end
      local number = redis.call('INCR', KEYS[2])
      local least = tonumber(ARGV[3]) + 1
      if number == 1 then
        local time = redis.call('TIME')
        least = math.max(least, time[1] * 1000000 + time[2])
      end
      if number < least then
        number = least
        redis.call('SET', KEYS[2], string.format('%.0f', number))
      end
      return {number, redis.call('PUBLISH', KEYS[3], ARGV[4])}
      """;
  private static final String GIVE_UP =
      "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end return {}";

  private final String prefix;
  private final StatefulRedisConnection<String, byte[]> commands;
  private final StatefulRedisPubSubConnection<String, byte[]> subscriptions;

  /// @param prefix of all keys and channels
  Connections(
      String prefix,
      StatefulRedisConnection<String, byte[]> commands,
      StatefulRedisPubSubConnection<String, byte[]> subscriptions) {
    this.prefix = prefix;
    this.commands = commands;
    this.subscriptions = subscriptions;
  }

  /// What came of a question.
  ///
  /// @param number of the copy; 0 if the question was not put
  /// @param reached how many processes got it
  record Asked(long number, long reached) {
    static final Asked REFUSED = new Asked(0, 0);

    boolean isGranted() {
      return number > 0;
    }
  }

  /// The channel that all processes listen to.
  String everybody() {
    return prefix + "all";
  }

  /// The channel that one process alone listens to.
  String only(String process) {
    return prefix + "to:" + process;
  }

  /// Listens for what is sent to a process, alone or with all others.
  ///
  /// @param receiver on whatever thread Lettuce has
  CompletableFuture<Connections> subscribe(String process, Consumer<byte[]> receiver) {
    subscriptions.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, byte[] message) {
            receiver.accept(message);
          }
        });
    return subscriptions
        .async()
        .subscribe(everybody(), only(process))
        .toCompletableFuture()
        .thenApply(nothing -> this);
  }

  boolean areOpen() {
    return commands.isOpen() && subscriptions.isOpen();
  }

  boolean has(RedisChannelHandler<?, ?> connection) {
    return connection.equals(commands) || connection.equals(subscriptions);
  }

  /// Puts a question to all processes, and has the copy numbered.
  ///
  /// @param leaseMillis for how long the process holds the lead, if it gets it; 0 if the question
  ///     does not need it
  /// @param greatestNumber that the process knows of; the copy's is greater
  CompletableFuture<Asked> ask(
      String process, long leaseMillis, long greatestNumber, byte[] question) {
    String[] keys = {prefix + "lead", prefix + "number", everybody()};
    return commands
        .async()
        .<List<Long>>eval(
            ASK,
            ScriptOutputType.MULTI,
            keys,
            ascii(process),
            ascii(Long.toString(leaseMillis)),
            ascii(Long.toString(greatestNumber)),
            question)
        .toCompletableFuture()
        .thenApply(reply -> new Asked(reply.get(0), reply.get(1)));
  }

  /// Sends a message to those who listen to a channel.
  void publish(String channel, byte[] message) {
    var _ = commands.async().publish(channel, message);
  }

  /// Lets another process have the lead, if this one holds it.
  void giveUpLead(String process) {
    String[] keys = {prefix + "lead"};
    var _ = commands.async().eval(GIVE_UP, ScriptOutputType.MULTI, keys, ascii(process));
  }

  /// Completes when Redis has answered all that was said before.
  CompletableFuture<String> ping() {
    return commands.async().ping().toCompletableFuture();
  }

  void close() {
    var _ = commands.closeAsync();
    var _ = subscriptions.closeAsync();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
