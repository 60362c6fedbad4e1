package dev.herdlab.proxy;

import dev.herdlab.transport.AcceptPause;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;

/// How the sockets of one process's proxies are made: their options, and what handles them.
///
/// Owner thread: any.
final class Sockets {
  private static final int BACKLOG = 1024;
  private static final int SMALLEST_READ = 2048;
  private static final int LARGEST_READ = 64 * 1024;

  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final AcceptPause pause = new AcceptPause("proxy");

  Sockets(PreciseLoop loop, ProxySettings settings) {
    this.loop = loop;
    this.settings = settings;
  }

  /// For connections to backends; the handler is missing.
  Bootstrap backends() {
    return new Bootstrap()
        .group(loop.eventLoop())
        .channel(loop.channelType())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.toIntExact(settings.timeouts().connect().toMillis()))
        .option(ChannelOption.SO_RCVBUF, settings.receiveBufferBytes())
        .option(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark());
  }

  /// For the port of an instance and the connections of its clients.
  ServerBootstrap clients(ProxyInstance instance) {
    return new ServerBootstrap()
        .group(loop.eventLoop())
        .channel(loop.serverChannelType())
        .handler(pause)
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_RCVBUF, settings.receiveBufferBytes())
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
        .childHandler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                var _ = channel.pipeline().addLast(new ClientConnection(instance, channel));
              }
            });
  }

  // Netty's own smallest is 64 bytes: a head that follows short ones would then take several reads.
  private static AdaptiveRecvByteBufAllocator readSizes() {
    return new AdaptiveRecvByteBufAllocator(SMALLEST_READ, SMALLEST_READ, LARGEST_READ);
  }

  private WriteBufferWaterMark waterMark() {
    return new WriteBufferWaterMark(settings.readAheadBytes() / 2, settings.readAheadBytes());
  }
}
