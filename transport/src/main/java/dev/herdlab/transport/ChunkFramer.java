package dev.herdlab.transport;

import io.netty.buffer.ByteBuf;

/// The chunked coding as a state machine over its framing bytes; see [BodyFramer].
///
/// Owner thread: its framer's. Source: RFC 9112 section 7.1.
final class ChunkFramer {
  // 15 hexadecimal digits are below 2^60: no sum can overflow a long.
  private static final int MAX_SIZE_DIGITS = 15;
  // One head's worth, as trailers are fields; a chunk's first line has no need for more either.
  private static final int MAX_LINE_BYTES = 4096;
  private static final int MAX_TRAILER_BYTES = 16 * 1024;

  private State state = State.SIZE_FIRST;
  private long left;
  private int digits;
  private int lineBytes;

  private enum State {
    SIZE_FIRST,
    SIZE,
    BLANK_AFTER_SIZE,
    EXTENSION_NAME_FIRST,
    EXTENSION_NAME,
    BLANK_AFTER_NAME,
    EXTENSION_VALUE_FIRST,
    EXTENSION_VALUE,
    QUOTED,
    QUOTED_PAIR,
    AFTER_VALUE,
    SIZE_LF,
    DATA,
    DATA_CR,
    DATA_LF,
    TRAILER_FIRST,
    TRAILER_NAME,
    TRAILER_VALUE,
    TRAILER_LF,
    LAST_LF,
    ENDED,
    MALFORMED
  }

  void reset() {
    state = State.SIZE_FIRST;
    left = 0;
    digits = 0;
    lineBytes = 0;
  }

  boolean ended() {
    return state == State.ENDED;
  }

  int measure(ByteBuf in, BodyFramer.Data data) {
    int start = in.readerIndex();
    int end = in.writerIndex();
    int at = start;
    while (at < end && state != State.ENDED) {
      if (state == State.DATA) {
        int bytes = (int) Math.min(left, end - at);
        data.take(in, at, bytes);
        at += bytes;
        left -= bytes;
        if (left == 0) {
          state = State.DATA_CR;
        }
      } else {
        state = step(in.getByte(at++));
        if (state == State.MALFORMED) {
          return BodyFramer.MALFORMED;
        }
      }
    }
    return at - start;
  }

  private State step(byte octet) {
    return switch (state) {
      case SIZE_FIRST, SIZE, BLANK_AFTER_SIZE, SIZE_LF, DATA_CR, DATA_LF -> size(octet);
      case EXTENSION_NAME_FIRST,
          EXTENSION_NAME,
          BLANK_AFTER_NAME,
          EXTENSION_VALUE_FIRST,
          EXTENSION_VALUE,
          QUOTED,
          QUOTED_PAIR,
          AFTER_VALUE ->
          ++lineBytes > MAX_LINE_BYTES ? State.MALFORMED : extension(octet);
      case TRAILER_FIRST, TRAILER_NAME, TRAILER_VALUE, TRAILER_LF, LAST_LF ->
          ++lineBytes > MAX_TRAILER_BYTES ? State.MALFORMED : trailer(octet);
      case DATA, ENDED, MALFORMED -> State.MALFORMED;
    };
  }

  private State size(byte octet) {
    return switch (state) {
      case SIZE_FIRST, SIZE -> {
        int digit = Octets.hex(octet);
        if (digit >= 0) {
          left = (left << 4) | digit;
          yield ++digits > MAX_SIZE_DIGITS ? State.MALFORMED : State.SIZE;
        }
        yield state == State.SIZE_FIRST
            ? State.MALFORMED
            : afterPart(octet, State.BLANK_AFTER_SIZE);
      }
      case BLANK_AFTER_SIZE ->
          // White space leads to an extension only; before the line's end it is no part of the
          // grammar.
          octet == '\r' || ++lineBytes > MAX_LINE_BYTES
              ? State.MALFORMED
              : afterPart(octet, State.BLANK_AFTER_SIZE);
      case SIZE_LF -> octet == '\n' ? dataOrTrailer() : State.MALFORMED;
      case DATA_CR -> octet == '\r' ? State.DATA_LF : State.MALFORMED;
      case DATA_LF -> {
        digits = 0;
        lineBytes = 0;
        yield octet == '\n' ? State.SIZE_FIRST : State.MALFORMED;
      }
      default -> State.MALFORMED;
    };
  }

  private State dataOrTrailer() {
    lineBytes = 0;
    return left == 0 ? State.TRAILER_FIRST : State.DATA;
  }

  // What may follow a size or a complete extension: white space, the next extension, the end of the
  // line.
  private static State afterPart(byte octet, State blank) {
    return switch (octet) {
      case ' ', '\t' -> blank;
      case ';' -> State.EXTENSION_NAME_FIRST;
      case '\r' -> State.SIZE_LF;
      default -> State.MALFORMED;
    };
  }

  private State extension(byte octet) {
    return switch (state) {
      case EXTENSION_NAME_FIRST ->
          Octets.isBlank(octet)
              ? State.EXTENSION_NAME_FIRST
              : Octets.isToken(octet) ? State.EXTENSION_NAME : State.MALFORMED;
      case EXTENSION_NAME -> Octets.isToken(octet) ? State.EXTENSION_NAME : afterName(octet);
      case BLANK_AFTER_NAME -> octet == '\r' ? State.MALFORMED : afterName(octet);
      case EXTENSION_VALUE_FIRST ->
          octet == '"'
              ? State.QUOTED
              : Octets.isBlank(octet)
                  ? State.EXTENSION_VALUE_FIRST
                  : Octets.isToken(octet) ? State.EXTENSION_VALUE : State.MALFORMED;
      case EXTENSION_VALUE ->
          Octets.isToken(octet) ? State.EXTENSION_VALUE : afterPart(octet, State.BLANK_AFTER_SIZE);
      case QUOTED ->
          octet == '"'
              ? State.AFTER_VALUE
              : octet == '\\'
                  ? State.QUOTED_PAIR
                  : Octets.isText(octet) ? State.QUOTED : State.MALFORMED;
      case QUOTED_PAIR -> Octets.isText(octet) ? State.QUOTED : State.MALFORMED;
      case AFTER_VALUE -> afterPart(octet, State.BLANK_AFTER_SIZE);
      default -> State.MALFORMED;
    };
  }

  private static State afterName(byte octet) {
    return octet == '=' ? State.EXTENSION_VALUE_FIRST : afterPart(octet, State.BLANK_AFTER_NAME);
  }

  private State trailer(byte octet) {
    return switch (state) {
      case TRAILER_FIRST ->
          octet == '\r'
              ? State.LAST_LF
              : Octets.isToken(octet) ? State.TRAILER_NAME : State.MALFORMED;
      case TRAILER_NAME ->
          octet == ':'
              ? State.TRAILER_VALUE
              : Octets.isToken(octet) ? State.TRAILER_NAME : State.MALFORMED;
      case TRAILER_VALUE ->
          octet == '\r'
              ? State.TRAILER_LF
              : Octets.isText(octet) ? State.TRAILER_VALUE : State.MALFORMED;
      case TRAILER_LF -> octet == '\n' ? State.TRAILER_FIRST : State.MALFORMED;
      case LAST_LF -> octet == '\n' ? State.ENDED : State.MALFORMED;
      default -> State.MALFORMED;
    };
  }
}
