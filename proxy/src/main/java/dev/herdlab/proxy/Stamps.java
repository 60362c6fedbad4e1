package dev.herdlab.proxy;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;

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

  /// Attempts beside the one that decides.
  private final List<Beside> beside = new ArrayList<>();

  /// One of them.
  ///
  /// @param endedNanos when it was given up; [#NEVER] if it failed
  private record Beside(String backend, long pickedNanos, long forwardedNanos, long endedNanos) {}

  /// An attempt has failed that does not decide.
  void failed(Try attempt) {
    add(attempt, NEVER);
  }

  /// An attempt is given up, since another one is answered.
  void givenUp(Try attempt, long nowNanos) {
    add(attempt, nowNanos);
  }

  private void add(Try attempt, long endedNanos) {
    beside.add(
        new Beside(attempt.backendId(), attempt.pickedNanos, attempt.forwardedNanos, endedNanos));
  }

  /// The attempt that decides, as it stands.
  void of(Try attempt) {
    pickedNanos = attempt.pickedNanos;
    forwardedNanos = attempt.forwardedNanos;
  }

  void reset(long receivedAtNanos) {
    beside.clear();
    receivedNanos = receivedAtNanos;
    pickedNanos = NEVER;
    forwardedNanos = NEVER;
    returnedNanos = NEVER;
  }

  /// Appends the proxy's two header fields, and a third if there were attempts beside.
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
    if (!beside.isEmpty()) {
      writeBeside(out);
    }
  }

  private void writeBeside(ByteBuf out) {
    name(out, HeaderNames.ATTEMPTS);
    for (int i = 0; i < beside.size(); i++) {
      Beside each = beside.get(i);
      if (i > 0) {
        out.writeByte(';');
      }
      out.writeBytes(Wire.ascii(each.backend()));
      for (long nanos : new long[] {each.pickedNanos(), each.forwardedNanos(), each.endedNanos()}) {
        out.writeByte(',');
        Decimals.write(out, nanos);
      }
    }
    out.writeShort(Wire.CRLF);
  }

  private static void name(ByteBuf out, AsciiString name) {
    out.writeBytes(name.array(), name.arrayOffset(), name.length());
    out.writeShort(Wire.COLON);
  }
}
