package dev.herdlab.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;

/// How a connection is ended by a reset.
public final class Resets {
  private Resets() {}

  /// Lets the close of `channel`, which is to follow, be a reset. One that has closed by itself
  /// stays as it is: its handler may not have heard of that yet.
  public static void prepare(Channel channel) {
    if (!channel.isOpen()) {
      return;
    }
    try {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    } catch (ChannelException peerWasFirst) {
      // Some systems refuse options of a socket that its peer has reset.
    }
  }
}
