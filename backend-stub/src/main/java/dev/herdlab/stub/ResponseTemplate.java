package dev.herdlab.stub;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The responses of one backend, rendered as far as they are known beforehand.
///
/// Cost of a response: one buffer, three copies and six numbers. Owner thread: any (immutable).
final class ResponseTemplate {
  private static final int NANOS_PER_MICRO = 1000;
  private static final int MICROS_PER_MILLI = 1000;
  // Six numbers of at most 20 digits, two durations, and the words between.
  private static final int NUMBERS_BYTES = 512;

  private final byte[] okHead;
  private final byte[] inFlight = ascii("\r\n" + HeaderNames.IN_FLIGHT + ": ");
  private final byte[] timing = ascii("\r\n" + HeaderNames.SERVER_TIMING + ": wait;dur=");
  private final byte[] service = ascii(", service;dur=");
  private final byte[] keepAlive = ascii("\r\n\r\n");
  private final byte[] close = ascii("\r\nconnection: close\r\n\r\n");
  private final byte[] keepAlive10 = ascii("\r\nconnection: keep-alive\r\n\r\n");
  private final byte[] body;
  private final String backend;

  /// What follows a response on its connection.
  enum Then {
    /// The next request; HTTP/1.1 needs no word for it.
    KEEP_ALIVE,
    /// The next request, of a client of HTTP/1.0 that asked for it.
    KEEP_ALIVE_1_0,
    /// The end.
    CLOSE
  }

  /// Whether a response carries its body.
  enum Body {
    /// It does.
    SENT,
    /// The request was HEAD.
    OMITTED
  }

  /// The instants of one service, on the host's clock.
  record Stamps(long received, long start, long finish, long delivered) {}

  ResponseTemplate(String backend, int bodyBytes) {
    this.backend = backend;
    this.body = body(bodyBytes);
    this.okHead =
        ascii(
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: "
                + bodyBytes
                + "\r\n"
                + HeaderNames.BACKEND
                + ": "
                + backend
                + "\r\n"
                + HeaderNames.BACKEND_STAMPS
                + ": ");
  }

  /// The response to a served request; the caller owns the buffer.
  ByteBuf ok(
      ByteBufAllocator allocator, Stamps stamps, int requestsInFlight, Body with, Then then) {
    ByteBuf out = allocator.buffer(okHead.length + NUMBERS_BYTES + body.length);
    out.writeBytes(okHead);
    Decimals.write(out, stamps.received);
    Decimals.write(out.writeByte(','), stamps.start);
    Decimals.write(out.writeByte(','), stamps.finish);
    Decimals.write(out.writeByte(','), stamps.delivered);
    Decimals.write(out.writeBytes(inFlight), requestsInFlight);
    millis(out.writeBytes(timing), stamps.start - stamps.received);
    millis(out.writeBytes(service), stamps.finish - stamps.start);
    end(out, then);
    return with == Body.SENT ? out.writeBytes(body) : out;
  }

  /// A refusal with a line of text for people; the caller owns the buffer.
  ByteBuf refusal(ByteBufAllocator allocator, String status, String reason, Body with, Then then) {
    String text = reason + "\n";
    ByteBuf out = allocator.buffer(NUMBERS_BYTES);
    ByteBufUtil.writeAscii(
        out,
        "HTTP/1.1 "
            + status
            + "\r\ncontent-type: text/plain\r\ncontent-length: "
            + text.length()
            + "\r\n"
            + HeaderNames.BACKEND
            + ": "
            + backend);
    end(out, then);
    if (with == Body.SENT) {
      ByteBufUtil.writeAscii(out, text);
    }
    return out;
  }

  private void end(ByteBuf out, Then then) {
    out.writeBytes(
        switch (then) {
          case KEEP_ALIVE -> keepAlive;
          case KEEP_ALIVE_1_0 -> keepAlive10;
          case CLOSE -> close;
        });
  }

  // Milliseconds with three decimals, rounded down.
  private static void millis(ByteBuf out, long nanos) {
    long micros = nanos / NANOS_PER_MICRO;
    Decimals.write(out, micros / MICROS_PER_MILLI);
    int rest = (int) (micros % MICROS_PER_MILLI);
    out.writeByte('.');
    out.writeByte('0' + rest / 100);
    out.writeByte('0' + rest / 10 % 10);
    out.writeByte('0' + rest % 10);
  }

  private static byte[] body(int bytes) {
    byte[] body = new byte[bytes];
    Arrays.fill(body, (byte) 'x');
    if (bytes > 0) {
      body[bytes - 1] = '\n';
    }
    return body;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
