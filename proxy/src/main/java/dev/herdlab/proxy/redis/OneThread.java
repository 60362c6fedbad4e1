package dev.herdlab.proxy.redis;

import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.concurrent.TimeUnit;

/// The one event loop that all connections of a link live on, so that what belongs to the link
/// needs no locks. Lettuce asks for it here, and can't end it. Owner thread: any.
final class OneThread implements EventLoopGroupProvider {
  private final EventLoopGroup group;
  private final EventLoop loop;

  OneThread(String name) {
    this.group =
        new DefaultEventLoopGroupProvider(1, pool -> new DefaultThreadFactory(name, true))
            .allocate(Transports.eventLoopGroupClass());
    this.loop = group.next();
  }

  EventLoopGroup group() {
    return group;
  }

  EventLoop loop() {
    return loop;
  }

  /// Ends the thread soon.
  void end() {
    var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }

  @Override
  public <T extends EventLoopGroup> T allocate(Class<T> type) {
    return type.cast(group);
  }

  @Override
  public int threadPoolSize() {
    return 1;
  }

  @Override
  public Future<Boolean> release(
      EventExecutorGroup released, long quietPeriod, long timeout, TimeUnit unit) {
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
  }

  @Override
  public Future<Boolean> shutdown(long quietPeriod, long timeout, TimeUnit unit) {
    return ImmediateEventExecutor.INSTANCE.newSucceededFuture(true);
  }
}
