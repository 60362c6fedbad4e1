package dev.herdlab.stub;

import dev.herdlab.stub.AnswerWriter.Then;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Resets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The outgoing side of one connection, and the ways in which it ends.
///
/// Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // failed writes come to exceptionCaught
final class ConnectionOutput {
  // How long a client may take to read the last answer before the socket goes. A guess.
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PreciseLoop loop;
  private final Channel channel;
  private @Nullable Deadline linger;

  ConnectionOutput(PreciseLoop loop, Channel channel) {
    this.loop = loop;
    this.channel = channel;
  }

  /// Writes a response, which it takes over.
  void write(ByteBuf response, Then then) {
    if (then != Then.CLOSE) {
      channel.writeAndFlush(response, channel.voidPromise());
      return;
    }
    channel.writeAndFlush(response).addListener((ChannelFutureListener) written -> finish());
  }

  /// Writes what is no response, and ends.
  void breakOff(Answer.Broken broken) {
    if (broken.ending() == Answer.Ending.RESET) {
      channel.writeAndFlush(Unpooled.wrappedBuffer(broken.bytes()), channel.voidPromise());
      reset();
    } else if (broken.bytes().length == 0) {
      close();
    } else {
      write(Unpooled.wrappedBuffer(broken.bytes()), Then.CLOSE);
    }
  }

  /// Closes the socket.
  void close() {
    channel.close();
  }

  /// Resets the connection.
  void reset() {
    Resets.prepare(channel);
    channel.close();
  }

  /// To be called once the socket is closed.
  void closed() {
    if (linger != null) {
      linger.cancel();
    }
  }

  // Closing at once would reset the connection if bytes are still unread, and take the answer with
  // it.
  private void finish() {
    if (channel instanceof DuplexChannel duplex && channel.isActive()) {
      duplex.shutdownOutput();
      linger = loop.at(loop.nanos() + LINGER_NANOS, this::close);
    }
  }
}
