package dev.herdlab.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/// One connection of a client (RFC 7766): questions one after the other, each with its length
/// before it, answered in that order. While an answer waits to be sent, nothing more is read.
///
/// Owner thread: the server's.
final class TcpConnection {
  /// The longest question: far more than a name and options need.
  static final int MAX_QUERY_BYTES = 4096;

  private static final int LENGTH_BYTES = 2;

  private final SocketChannel channel;
  private final InetAddress source;
  private final Responder responder;
  private final ByteBuffer in = ByteBuffer.allocate(LENGTH_BYTES + MAX_QUERY_BYTES);
  private ByteBuffer out = ByteBuffer.allocate(0);
  private boolean ended;
  private long progressNanos;

  TcpConnection(SocketChannel channel, Responder responder, long nowNanos) throws IOException {
    this.channel = channel;
    this.source = ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
    this.responder = responder;
    this.progressNanos = nowNanos;
  }

  /// When a question was last answered or a part of an answer sent.
  long progressNanos() {
    return progressNanos;
  }

  /// Reads, answers and writes what can be without waiting.
  ///
  /// @return what to wait for; 0 if the connection is to be closed
  int ready(long nowNanos) throws IOException {
    if (!ended && !out.hasRemaining()) {
      ended = channel.read(in) < 0;
    }
    while (flushed(nowNanos)) {
      in.flip();
      int length = in.remaining() < LENGTH_BYTES ? -1 : Short.toUnsignedInt(in.getShort(0));
      boolean junk = length >= 0 && (length < RawQuery.HEADER_BYTES || length > MAX_QUERY_BYTES);
      boolean complete = !junk && length >= 0 && in.remaining() >= LENGTH_BYTES + length;
      if (complete) {
        in.getShort();
        byte[] query = new byte[length];
        in.get(query);
        answer(query, nowNanos);
      }
      in.compact();
      if (!complete) {
        return junk || ended ? 0 : SelectionKey.OP_READ;
      }
    }
    return SelectionKey.OP_WRITE;
  }

  private void answer(byte[] query, long nowNanos) {
    Optional<byte[]> reply = responder.respond(query, source, Responder.Transport.TCP);
    progressNanos = nowNanos;
    if (reply.isPresent()) {
      byte[] bytes = reply.get();
      out = ByteBuffer.allocate(LENGTH_BYTES + bytes.length);
      out.putShort((short) bytes.length).put(bytes).flip();
    }
  }

  private boolean flushed(long nowNanos) throws IOException {
    if (out.hasRemaining() && channel.write(out) > 0) {
      progressNanos = nowNanos;
    }
    return !out.hasRemaining();
  }

  /// Closes the socket; what was not sent is lost.
  void close() {
    try {
      channel.close();
    } catch (IOException gone) {
      // It is closed either way.
    }
  }
}
