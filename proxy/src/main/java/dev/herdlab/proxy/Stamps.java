package dev.herdlab.proxy;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;

/// The instants of one exchange at its proxy, on the loop's clock; -1 for what has not happened.
///
/// Owner thread: its exchange's.
final class Stamps {
  static final long NEVER = -1;

  /// The request's head was read.
  long receivedNanos;

  /// The balancer answered.
  long pickedNanos;

  /// The request was written to the backend's connection.
  long forwardedNanos;

  /// The response's head was read.
  long returnedNanos;

  void reset(long receivedAtNanos) {
    receivedNanos = receivedAtNanos;
    pickedNanos = NEVER;
    forwardedNanos = NEVER;
    returnedNanos = NEVER;
  }

  /// Appends the proxy's two header fields.
  void write(ByteBuf out, int proxy) {
    name(out, HeaderNames.PROXY);
    Decimals.write(out, proxy);
    out.writeShort(Wire.CRLF);
    name(out, HeaderNames.PROXY_STAMPS);
    Decimals.write(out, receivedNanos);
    out.writeByte(',');
    Decimals.write(out, pickedNanos);
    out.writeByte(',');
    Decimals.write(out, forwardedNanos);
    out.writeByte(',');
    Decimals.write(out, returnedNanos);
    out.writeShort(Wire.CRLF);
  }

  private static void name(ByteBuf out, AsciiString name) {
    out.writeBytes(name.array(), name.arrayOffset(), name.length());
    out.writeShort(Wire.COLON);
  }
}
