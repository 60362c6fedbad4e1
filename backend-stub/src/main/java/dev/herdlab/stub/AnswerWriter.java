package dev.herdlab.stub;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Writes the responses of one backend, with what is the backend's own: its id, stamps, load, and
/// what follows.
///
/// Cost of a response: one buffer, three copies and six numbers, ten with a load report, which has
/// the text form of ORCA as Envoy and gRPC A51 know it. Owner thread: any (immutable).
final class AnswerWriter {
  private static final int NANOS_PER_MICRO = 1000;
  private static final int MICROS_PER_MILLI = 1000;
  // Six numbers of at most 20 digits, two durations, and the words between.
  private static final int NUMBERS_BYTES = 512;

  private final byte[] backend;
  private final byte[] stamps = ascii(HeaderNames.BACKEND_STAMPS + ": ");
  private final byte[] inFlight = ascii("\r\n" + HeaderNames.IN_FLIGHT + ": ");
  private final byte[] timing = ascii(HeaderNames.SERVER_TIMING + ": wait;dur=");
  private final byte[] service = ascii(", service;dur=");
  private final byte[] report = ascii(HeaderNames.LOAD_METRICS + ": TEXT cpu_utilization=");
  private final byte[] rate = ascii(",rps_fractional=");
  private final byte[] errors = ascii(",eps=");
  private final byte[] reportInFlight = ascii(",named_metrics.in_flight=");
  private final byte[] probed = ascii("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n");
  private final byte[] probedInFlight = ascii(HeaderNames.IN_FLIGHT + ": ");
  private final byte[] probedLatency = ascii("\r\n" + HeaderNames.LATENCY + ": ");
  private final byte[] idle =
      ascii("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n");
  private final byte[] notice = ascii("5\r\nidle\n\r\n");
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
  ///
  /// @param load for the client, if it asked
  ByteBuf served(
      ByteBufAllocator allocator,
      Answer.Response response,
      Stamps at,
      int requestsInFlight,
      Optional<BackendLoad> load,
      Body with,
      Then then) {
    ByteBuf out = begin(allocator, response);
    Decimals.write(out.writeBytes(stamps), at.received);
    Decimals.write(out.writeByte(','), at.start);
    Decimals.write(out.writeByte(','), at.finish);
    Decimals.write(out.writeByte(','), at.delivered);
    Decimals.write(out.writeBytes(inFlight), requestsInFlight);
    out.writeBytes(lineEnd);
    load.ifPresent(one -> report(out, one));
    millis(out.writeBytes(timing), at.start - at.received);
    millis(out.writeBytes(service), at.finish - at.start);
    return end(out.writeBytes(lineEnd), response, with, then);
  }

  private void report(ByteBuf out, BackendLoad load) {
    Decimals.write(out.writeBytes(report), load.utilisation());
    Decimals.write(out.writeBytes(rate), load.ratePerSecond());
    Decimals.write(out.writeBytes(errors), load.errorsPerSecond());
    Decimals.write(out.writeBytes(reportInFlight), load.inFlight());
    out.writeBytes(lineEnd);
  }

  /// The response to a request that was not served; the caller owns the buffer.
  ///
  /// @param load for the client, if it asked
  ByteBuf unserved(
      ByteBufAllocator allocator,
      Answer.Response response,
      Optional<BackendLoad> load,
      Body with,
      Then then) {
    ByteBuf out = begin(allocator, response);
    load.ifPresent(one -> report(out, one));
    return end(out, response, with, then);
  }

  /// The response to a probe; the caller owns the buffer.
  ///
  /// @param latencyNanos to expect of a request
  ByteBuf probed(ByteBufAllocator allocator, int requestsInFlight, long latencyNanos, Then then) {
    ByteBuf out = allocator.buffer(NUMBERS_BYTES).writeBytes(probed).writeBytes(backend);
    Decimals.write(out.writeBytes(probedInFlight), requestsInFlight);
    Decimals.write(out.writeBytes(probedLatency), latencyNanos);
    return then(out.writeBytes(lineEnd), then);
  }

  /// The head of a response that goes on with [#notice]s; the caller owns the buffer.
  ByteBuf idleHead(ByteBufAllocator allocator) {
    return allocator.buffer(NUMBERS_BYTES).writeBytes(idle).writeBytes(backend).writeBytes(lineEnd);
  }

  /// That the backend has become idle; the caller owns the buffer.
  ByteBuf notice(ByteBufAllocator allocator) {
    return allocator.buffer(notice.length).writeBytes(notice);
  }

  private ByteBuf begin(ByteBufAllocator allocator, Answer.Response response) {
    int bytes = response.head().length + NUMBERS_BYTES + response.body().length;
    return allocator.buffer(bytes).writeBytes(response.head()).writeBytes(backend);
  }

  private ByteBuf end(ByteBuf out, Answer.Response response, Body with, Then then) {
    then(out, then);
    return with == Body.SENT ? out.writeBytes(response.body()) : out;
  }

  private ByteBuf then(ByteBuf out, Then then) {
    return out.writeBytes(
        switch (then) {
          case KEEP_ALIVE -> lineEnd;
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

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
