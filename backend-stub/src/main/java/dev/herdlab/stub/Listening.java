package dev.herdlab.stub;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/// The listening socket of one backend, which may stop to listen and come back at the same address.
///
/// While it refuses, a socket that does not listen keeps the port, so that nobody else is given it
/// and clients are reset. Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // a close needs no answer
final class Listening {
  private final ServerBootstrap bootstrap;
  private InetSocketAddress address;
  private @Nullable Channel channel;
  private @Nullable Socket guard;

  /// @param bootstrap all but the address
  Listening(ServerBootstrap bootstrap, InetSocketAddress address) {
    this.bootstrap = bootstrap;
    this.address = address;
  }

  /// Begins to listen; the future's channel is the listening socket.
  ChannelFuture open() {
    ChannelFuture bound = bootstrap.bind(address);
    channel = bound.channel();
    return bound.addListener(
        (ChannelFutureListener)
            done -> {
              if (done.isSuccess() && done.channel().isOpen()) {
                address = (InetSocketAddress) done.channel().localAddress();
                release();
              }
            });
  }

  /// Where it listens, or would.
  InetSocketAddress address() {
    return address;
  }

  /// Stops to listen for the time being.
  void refuse() {
    closeChannel();
    Socket keeper = new Socket();
    try {
      keeper.setReuseAddress(true);
      keeper.bind(address);
      guard = keeper;
    } catch (IOException e) {
      // It still refuses; only the port is not kept.
      close(keeper);
    }
  }

  /// Stops to listen for good.
  void close() {
    closeChannel();
    release();
  }

  private void closeChannel() {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  private void release() {
    if (guard != null) {
      close(guard);
      guard = null;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It holds nothing but the port, which is then not free.
    }
  }
}
