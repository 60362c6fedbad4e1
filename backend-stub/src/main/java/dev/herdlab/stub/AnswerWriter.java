package dev.herdlab.stub;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/// Writes the responses of one backend, with what is the backend's own: its id, stamps, and what
/// follows.
///
/// Cost of a response: one buffer, three copies and six numbers. Owner thread: any (immutable).
final class AnswerWriter {
  private static final int NANOS_PER_MICRO = 1000;
  private static final int MICROS_PER_MILLI = 1000;
  // Six numbers of at most 20 digits, two durations, and the words between.
  private static final int NUMBERS_BYTES = 512;

  private final byte[] backend;
  private final byte[] stamps = ascii(HeaderNames.BACKEND_STAMPS + ": ");
  private final byte[] inFlight = ascii("\r\n" + HeaderNames.IN_FLIGHT + ": ");
  private final byte[] timing = ascii("\r\n" + HeaderNames.SERVER_TIMING + ": wait;dur=");
  private final byte[] service = ascii(", service;dur=");
  private final byte[] lineEnd = ascii("\r\n");
  private final byte[] close = ascii("connection: close\r\n\r\n");
  private final byte[] keepAlive10 = ascii("connection: keep-alive\r\n\r\n");

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

  AnswerWriter(String backend) {
    this.backend = ascii(HeaderNames.BACKEND + ": " + backend + "\r\n");
  }

  /// The response to a served request; the caller owns the buffer.
  ByteBuf served(
      ByteBufAllocator allocator,
      Answer.Response response,
      Stamps at,
      int requestsInFlight,
      Body with,
      Then then) {
    ByteBuf out = begin(allocator, response);
    Decimals.write(out.writeBytes(stamps), at.received);
    Decimals.write(out.writeByte(','), at.start);
    Decimals.write(out.writeByte(','), at.finish);
    Decimals.write(out.writeByte(','), at.delivered);
    Decimals.write(out.writeBytes(inFlight), requestsInFlight);
    millis(out.writeBytes(timing), at.start - at.received);
    millis(out.writeBytes(service), at.finish - at.start);
    return end(out.writeBytes(lineEnd), response, with, then);
  }

  /// The response to a request that was not served; the caller owns the buffer.
  ByteBuf unserved(ByteBufAllocator allocator, Answer.Response response, Body with, Then then) {
    return end(begin(allocator, response), response, with, then);
  }

  private ByteBuf begin(ByteBufAllocator allocator, Answer.Response response) {
    int bytes = response.head().length + NUMBERS_BYTES + response.body().length;
    return allocator.buffer(bytes).writeBytes(response.head()).writeBytes(backend);
  }

  private ByteBuf end(ByteBuf out, Answer.Response response, Body with, Then then) {
    out.writeBytes(
        switch (then) {
          case KEEP_ALIVE -> lineEnd;
          case KEEP_ALIVE_1_0 -> keepAlive10;
          case CLOSE -> close;
        });
    return with == Body.SENT ? out.writeBytes(response.body()) : out;
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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
