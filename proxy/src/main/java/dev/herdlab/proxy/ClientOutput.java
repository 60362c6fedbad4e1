package dev.herdlab.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/// What is sent to one client: written piece by piece, flushed together.
///
/// A write that fails is reported to the connection, which closes; so after each write or flush the
/// exchange may have been cancelled.
///
/// Owner thread: its connection's.
final class ClientOutput {
  private final Channel channel;
  private boolean flushPending;

  ClientOutput(Channel channel) {
    this.channel = channel;
  }

  ByteBuf allocate(int bytes) {
    return channel.alloc().directBuffer(bytes);
  }

  /// Writes without flushing; takes over the buffer.
  void write(ByteBuf bytes) {
    flushPending = true;
    var _ = channel.write(bytes, channel.voidPromise());
  }

  /// Flushes what was written since the last flush.
  void flush() {
    if (flushPending) {
      flushPending = false;
      channel.flush();
    }
  }

  /// Whether as much waits to be sent as may wait.
  boolean isBlocked() {
    return !channel.isWritable();
  }

  /// Bytes that were written and are not sent yet.
  long waitingBytes() {
    return unsent(channel);
  }

  /// Bytes that were written to a channel and are not sent yet.
  static long unsent(Channel channel) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }
}
