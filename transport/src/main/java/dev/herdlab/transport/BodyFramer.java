package dev.herdlab.transport;

import io.netty.buffer.ByteBuf;

/// Finds the end of a body in the bytes that pass by; it neither keeps nor changes them, so they
/// can be passed on as slices, chunk framing included.
///
/// Chunked bodies are taken strictly: CR LF only, hexadecimal sizes of at most 15 digits,
/// extensions with quoted strings by the grammar, no control characters, and bounds on the bytes of
/// a chunk's first line and of all trailer lines.
///
/// Cost: O(1) a call, plus one step for each byte of chunk framing. Owner thread: its connection's.
/// Source: RFC 9112 sections 6.3 and 7.1.
public final class BodyFramer {
  /// What [#measure] returns for bytes that are not a body.
  public static final int MALFORMED = -1;

  private static final Data DROPPED = (in, index, bytes) -> {};

  private final ChunkFramer chunks = new ChunkFramer();
  private Length length = Length.NONE;
  private long left;

  /// Takes a body's data, without its framing.
  @FunctionalInterface
  public interface Data {
    /// The next bytes of it.
    ///
    /// @param in to be read by index alone, and only during the call
    /// @param index of the first
    /// @param bytes how many, 1 or more
    void take(ByteBuf in, int index, int bytes);
  }

  /// How a body's end is known.
  public enum Length {
    /// There is no body.
    NONE,
    /// By a number of bytes.
    FIXED,
    /// By the last chunk.
    CHUNKED,
    /// By the end of the connection; responses only.
    UNTIL_CLOSE
  }

  /// Makes ready for the body of this request.
  public void beginRequest(Head head) {
    if (head.chunked()) {
      begin(Length.CHUNKED, 0);
    } else {
      begin(Length.FIXED, Math.max(0, head.contentLength()));
    }
  }

  /// Makes ready for the body of this response.
  ///
  /// @param toHead whether the request was HEAD
  public void beginResponse(Head head, boolean toHead) {
    int status = head.status();
    if (toHead || status < 200 || status == 204 || status == 304) {
      begin(Length.NONE, 0);
    } else if (head.chunked()) {
      begin(Length.CHUNKED, 0);
    } else if (head.contentLength() >= 0) {
      begin(Length.FIXED, head.contentLength());
    } else {
      begin(Length.UNTIL_CLOSE, 0);
    }
  }

  private void begin(Length next, long bytes) {
    length = next == Length.FIXED && bytes == 0 ? Length.NONE : next;
    left = bytes;
    chunks.reset();
  }

  /// How the present body's end is known; a fixed length of 0 is `NONE`.
  public Length length() {
    return length;
  }

  /// True once the last byte of the body was measured; never for `UNTIL_CLOSE`.
  public boolean ended() {
    return switch (length) {
      case NONE -> true;
      case FIXED -> left == 0;
      case CHUNKED -> chunks.ended();
      case UNTIL_CLOSE -> false;
    };
  }

  /// How many of the readable bytes belong to the body, from the reader index on, or [#MALFORMED].
  /// The caller moves the reader index by just as much before the next call.
  public int measure(ByteBuf in) {
    return measure(in, DROPPED);
  }

  /// The same, and hands the data among them on.
  public int measure(ByteBuf in, Data data) {
    return switch (length) {
      case NONE -> 0;
      case FIXED -> {
        int bytes = (int) Math.min(left, in.readableBytes());
        left -= bytes;
        yield plain(in, bytes, data);
      }
      case CHUNKED -> chunks.measure(in, data);
      case UNTIL_CLOSE -> plain(in, in.readableBytes(), data);
    };
  }

  private static int plain(ByteBuf in, int bytes, Data data) {
    if (bytes > 0) {
      data.take(in, in.readerIndex(), bytes);
    }
    return bytes;
  }
}
