package dev.herdlab.proxy.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Makes connections to one Redis server, all on one thread. Lettuce neither makes them anew nor
/// repeats commands by itself: its user knows better what is worth repeating, which is nothing.
///
/// Owner thread: any.
final class Connector {
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private final OneThread thread;
  private final String prefix;
  private final RedisURI uri;
  private final ClientResources resources;
  private final RedisClient client;

  /// @param thread that all connections live on; ended with this
  /// @param lost called when a connection is gone, on whatever thread Lettuce has
  Connector(RedisSettings settings, OneThread thread, Consumer<RedisChannelHandler<?, ?>> lost) {
    this.thread = thread;
    this.prefix = "herdlab:" + settings.group() + ":";
    this.uri = RedisURI.create(settings.uri());
    this.uri.setTimeout(settings.patience());
    this.resources =
        ClientResources.builder()
            .eventLoopGroupProvider(thread)
            .eventExecutorGroup(thread.group())
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    this.client = RedisClient.create(resources);
    this.client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .maintNotificationsConfig(MaintNotificationsConfig.disabled())
            .socketOptions(SocketOptions.builder().connectTimeout(settings.patience()).build())
            .build());
    this.client.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            lost.accept(connection);
          }
        });
  }

  /// Makes a pair of connections that listens for what is sent to a process.
  ///
  /// @param receiver on whatever thread Lettuce has
  CompletableFuture<Connections> connect(String process, Consumer<byte[]> receiver) {
    var commands = client.connectAsync(CODEC, uri).toCompletableFuture();
    var subscriptions = client.connectPubSubAsync(CODEC, uri).toCompletableFuture();
    return commands
        .thenCombine(subscriptions, (one, other) -> new Connections(prefix, one, other))
        .thenCompose(made -> made.subscribe(process, receiver))
        .whenComplete(
            (made, cause) -> {
              if (cause != null) {
                var _ = commands.thenCompose(StatefulConnection::closeAsync);
                var _ = subscriptions.thenCompose(StatefulConnection::closeAsync);
              }
            });
  }

  /// Closes what is open, and ends the thread soon.
  ///
  /// @param boundMillis that this may take
  void end(long boundMillis) {
    var _ =
        client
            .shutdownAsync(0, boundMillis, TimeUnit.MILLISECONDS)
            .whenComplete((nothing, cause) -> thread.end());
    var _ = resources.shutdown(0, boundMillis, TimeUnit.MILLISECONDS);
  }
}
