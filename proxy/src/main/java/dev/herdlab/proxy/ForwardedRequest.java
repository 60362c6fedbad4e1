package dev.herdlab.proxy;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.util.List;

/// The request of one exchange on its way to a backend: its head and what came of its body until
/// there is a connection, and then what follows.
///
/// Buffers: `firstBody` is owned here until it is sent or dropped. Owner thread: its exchange's.
final class ForwardedRequest {
  /// Up to this size a body is copied behind its head, which is cheaper than a gathering write.
  static final int INLINE_BYTES = 2048;

  // RFC 9110 section 9.2.2; the others may have had an effect already.
  private static final List<AsciiString> IDEMPOTENT =
      List.of(
          AsciiString.cached("GET"),
          AsciiString.cached("HEAD"),
          AsciiString.cached("OPTIONS"),
          AsciiString.cached("PUT"),
          AsciiString.cached("DELETE"),
          AsciiString.cached("TRACE"));

  private final Head head;
  private final HeadRewriter rewriter;
  private final BackendSignals signals;
  private final ByteBufAllocator allocator;
  private ByteBuf firstBody = Unpooled.EMPTY_BUFFER;
  private boolean ended;
  private boolean repeatable;

  /// @param signals adds what backends are asked for themselves
  ForwardedRequest(
      Head head, HeadRewriter rewriter, BackendSignals signals, ByteBufAllocator allocator) {
    this.signals = signals;
    this.head = head;
    this.rewriter = rewriter;
    this.allocator = allocator;
  }

  /// Makes ready for a request.
  ///
  /// @param firstBody what came of its body, taken over
  /// @param ended whether that was all
  void begin(ByteBuf firstBody, boolean ended) {
    this.firstBody = firstBody;
    this.ended = ended;
    repeatable = ended && !firstBody.isReadable() && isIdempotent();
  }

  private boolean isIdempotent() {
    for (AsciiString method : IDEMPOTENT) {
      if (head.methodIs(method)) {
        return true;
      }
    }
    return false;
  }

  /// Whether it came to its end.
  boolean ended() {
    return ended;
  }

  /// Whether it is whole in its head, and harmless to send again.
  boolean isRepeatable() {
    return repeatable;
  }

  /// Whether the response is to carry stamps.
  boolean wantsStamps() {
    return head.find(HeaderNames.REQUEST) >= 0;
  }

  /// Bytes that wait for a connection.
  int waitingBytes() {
    return firstBody.readableBytes();
  }

  /// Sends what there is.
  void sendTo(BackendConnection backend) {
    int bytes = firstBody.readableBytes();
    boolean inline = bytes <= INLINE_BYTES;
    ByteBuf out = allocator.directBuffer(rewriter.room(head) + (inline ? bytes : 0));
    rewriter.request(head, out);
    signals.writeTo(out);
    out.writeShort(Wire.CRLF);
    if (inline) {
      out.writeBytes(firstBody);
      firstBody.release();
      backend.write(out);
    } else {
      backend.write(out);
      backend.write(firstBody);
    }
    firstBody = Unpooled.EMPTY_BUFFER;
    backend.flush();
  }

  /// Writes more of the body; takes it over. What is not flushed here is at the end of the client's
  /// read.
  ///
  /// @param last whether that is all
  void bodyTo(BackendConnection backend, ByteBuf body, boolean last) {
    ended = last;
    backend.write(body);
    if (last || backend.isBlocked()) {
      backend.flush();
    }
  }

  /// Forgets what waits.
  void drop() {
    firstBody.release();
    firstBody = Unpooled.EMPTY_BUFFER;
  }
}
