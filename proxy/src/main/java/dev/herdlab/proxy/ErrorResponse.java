package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/// The responses that the proxy originates, one for each kind of failure, made once.
///
/// Owner thread: any; the arrays are never written to.
final class ErrorResponse {
  /// How many bytes one takes at most.
  static final int ROOM = 1024;

  private static final Map<FailureKind, byte[]> HEADS = new EnumMap<>(FailureKind.class);
  private static final Map<FailureKind, byte[]> BODIES = new EnumMap<>(FailureKind.class);

  static {
    for (FailureKind kind : FailureKind.values()) {
      String body = kind.label() + "\n";
      String head =
          "HTTP/1.1 %d %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n%s: %s\r\n"
              .formatted(
                  kind.status(),
                  reason(kind.status()),
                  body.length(),
                  HeaderNames.CAUSE,
                  kind.label());
      HEADS.put(kind, Wire.ascii(head));
      BODIES.put(kind, Wire.ascii(body));
    }
  }

  private ErrorResponse() {}

  private static String reason(int status) {
    return switch (status) {
      case 400 -> "Bad Request";
      case 408 -> "Request Timeout";
      case 502 -> "Bad Gateway";
      case 503 -> "Service Unavailable";
      case 504 -> "Gateway Timeout";
      default -> "Error";
    };
  }

  /// Appends the head but for the empty line.
  ///
  /// @param backend id of the picked backend; empty if none was
  static void head(ByteBuf out, FailureKind kind, String backend) {
    out.writeBytes(Objects.requireNonNull(HEADS.get(kind)));
    if (!backend.isEmpty()) {
      AsciiString name = HeaderNames.BACKEND;
      out.writeBytes(name.array(), name.arrayOffset(), name.length());
      out.writeShort(Wire.COLON);
      out.writeBytes(Wire.ascii(backend));
      out.writeShort(Wire.CRLF);
    }
  }

  /// Appends the body.
  static void body(ByteBuf out, FailureKind kind) {
    out.writeBytes(Objects.requireNonNull(BODIES.get(kind)));
  }
}
