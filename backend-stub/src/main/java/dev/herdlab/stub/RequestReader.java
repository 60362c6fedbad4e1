package dev.herdlab.stub;

import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/// Reads one request after another from the bytes of a connection: the head strictly, the body if
/// it is wanted.
///
/// Cost: what `HeadScanner` and `BodyFramer` cost, and a copy of a body that is wanted. Owner
/// thread: the pool's loop.
final class RequestReader {
  private static final byte[] NOTHING = new byte[0];
  private static final int FIRST_BODY_BYTES = 1024;

  private final int maxBodyBytes;
  private final HeadScanner scanner = new HeadScanner(HeadScanner.Kind.REQUEST, HeadLimits.DEFAULT);
  private final BodyFramer framer = new BodyFramer();
  private boolean inBody;
  private byte[] body = NOTHING;
  private int bodyBytes;
  private boolean tooLarge;
  private String refusal = "";

  /// How far the request is.
  enum Result {
    /// More bytes are needed; all bytes given were eaten.
    INCOMPLETE,
    /// The head is there and the client may want to be told to send the body.
    HEAD,
    /// The request is there; the rest of the bytes was not eaten.
    COMPLETE,
    /// The request is refused for good; `refusal` says why.
    MALFORMED,
    /// Its body is longer than is taken.
    TOO_LARGE
  }

  /// @param maxBodyBytes 0: bodies are dropped
  RequestReader(int maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
  }

  /// Eats bytes up to the end of the head or of the request. After `COMPLETE` call [#reset].
  Result read(ByteBuf in) {
    if (inBody) {
      return readBody(in);
    }
    return switch (scanner.scan(in)) {
      case INCOMPLETE -> Result.INCOMPLETE;
      case MALFORMED -> {
        refusal = scanner.refusal();
        yield Result.MALFORMED;
      }
      case COMPLETE -> {
        framer.beginRequest(scanner.head());
        inBody = !framer.ended();
        if (keepsBodies() && scanner.head().contentLength() > maxBodyBytes) {
          yield Result.TOO_LARGE;
        }
        yield inBody ? Result.HEAD : Result.COMPLETE;
      }
    };
  }

  private boolean keepsBodies() {
    return maxBodyBytes > 0;
  }

  private Result readBody(ByteBuf in) {
    int bytes = framer.measure(in, this::keep);
    if (bytes == BodyFramer.MALFORMED) {
      refusal = "the chunked body is malformed";
      return Result.MALFORMED;
    }
    in.skipBytes(bytes);
    if (tooLarge) {
      return Result.TOO_LARGE;
    }
    return framer.ended() ? Result.COMPLETE : Result.INCOMPLETE;
  }

  private void keep(ByteBuf in, int index, int bytes) {
    tooLarge = keepsBodies() && (tooLarge || bytes > maxBodyBytes - bodyBytes);
    if (!keepsBodies() || tooLarge) {
      return;
    }
    int needed = bodyBytes + bytes;
    if (needed > body.length) {
      int room = Math.max(needed, Math.max(2 * body.length, FIRST_BODY_BYTES));
      body = Arrays.copyOf(body, Math.min(room, maxBodyBytes));
    }
    in.getBytes(index, body, bodyBytes, bytes);
    bodyBytes = needed;
  }

  /// The present request's head.
  Head head() {
    return scanner.head();
  }

  /// Why a request is malformed.
  String refusal() {
    return refusal;
  }

  /// The complete request's body, without its framing; empty where bodies are dropped.
  byte[] body() {
    return bodyBytes == 0 ? NOTHING : Arrays.copyOf(body, bodyBytes);
  }

  /// Makes ready for the next request.
  void reset() {
    scanner.reset();
    inBody = false;
    body = NOTHING;
    bodyBytes = 0;
    tooLarge = false;
  }
}
