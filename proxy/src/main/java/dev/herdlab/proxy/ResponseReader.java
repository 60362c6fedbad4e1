package dev.herdlab.proxy;

import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import io.netty.buffer.ByteBuf;

/// Reads the responses of a connection that stands beside the pools, one after another, to GET
/// requests: the final head, then the body's data.
///
/// Owner thread: its connection's.
final class ResponseReader {
  // A backend that sends nothing but interim responses is not answering.
  private static final int MAX_INTERIM = 16;
  private static final int SWITCHING = 101;
  private static final int FIRST_FINAL = 200;

  private final HeadScanner scanner;
  private final BodyFramer framer = new BodyFramer();
  private boolean inBody;
  private int interim;

  /// How far a response is.
  enum Result {
    /// More bytes are needed; all that were given are eaten.
    INCOMPLETE,
    /// The head is there; the body is read by the next call.
    HEAD,
    /// The body has ended; bytes that are left belong to nothing that was asked.
    END,
    /// It is none.
    MALFORMED
  }

  ResponseReader(HeadLimits limits) {
    this.scanner = new HeadScanner(HeadScanner.Kind.RESPONSE, limits);
  }

  /// Eats bytes.
  ///
  /// @param data takes the body's
  Result read(ByteBuf in, BodyFramer.Data data) {
    return inBody ? body(in, data) : head(in);
  }

  private Result head(ByteBuf in) {
    HeadScanner.Result result = scanner.scan(in);
    while (result == HeadScanner.Result.COMPLETE && scanner.head().status() < FIRST_FINAL) {
      if (scanner.head().status() == SWITCHING || ++interim > MAX_INTERIM) {
        return Result.MALFORMED;
      }
      scanner.reset();
      result = scanner.scan(in);
    }
    return switch (result) {
      case INCOMPLETE -> Result.INCOMPLETE;
      case MALFORMED -> Result.MALFORMED;
      case COMPLETE -> {
        framer.beginResponse(scanner.head(), false);
        inBody = true;
        yield Result.HEAD;
      }
    };
  }

  private Result body(ByteBuf in, BodyFramer.Data data) {
    int bytes = framer.measure(in, data);
    if (bytes == BodyFramer.MALFORMED) {
      return Result.MALFORMED;
    }
    in.skipBytes(bytes);
    return framer.ended() ? Result.END : Result.INCOMPLETE;
  }

  /// The present response's head, once it is there.
  Head head() {
    return scanner.head();
  }

  /// Whether the connection may carry another request after this response.
  boolean keepsAlive() {
    return scanner.head().keepAlive() && framer.length() != BodyFramer.Length.UNTIL_CLOSE;
  }

  /// Makes ready for the next response.
  void reset() {
    scanner.reset();
    inBody = false;
    interim = 0;
  }
}
