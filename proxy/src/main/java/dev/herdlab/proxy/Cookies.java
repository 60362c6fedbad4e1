package dev.herdlab.proxy;

import dev.herdlab.transport.Head;
import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;
import java.util.Arrays;

/// The cookies of requests, and the one that keeps a client with a backend: `herdlab-backend`,
/// whose value is the backend's id.
///
/// Cost: O(length of the Cookie fields), no allocation. Owner thread: any. Source: RFC 6265
/// sections 4.2.1 (what clients send) and 4.1.1 (what values may contain).
final class Cookies {
  /// There is no such cookie.
  static final long NOWHERE = -1;

  /// The name of the one that keeps a client with a backend.
  static final byte[] BACKEND = Wire.ascii("herdlab-backend");

  private static final AsciiString FIELD = AsciiString.cached("cookie");
  private static final byte[] SET = Wire.ascii("set-cookie: herdlab-backend=");
  private static final byte[] ATTRIBUTES = Wire.ascii("; Path=/; HttpOnly\r\n");

  private Cookies() {}

  /// Where the value of the first cookie of this name is, to be read by [#start] and [#end];
  /// [#NOWHERE] if there is none. Quotes around it belong to it.
  static long find(Head head, byte[] name) {
    for (int i = head.find(FIELD, 0); i >= 0; i = head.find(FIELD, i + 1)) {
      long found = find(head.octets(), head.valueStart(i), head.valueEnd(i), name);
      if (found != NOWHERE) {
        return found;
      }
    }
    return NOWHERE;
  }

  private static long find(byte[] octets, int start, int end, byte[] name) {
    int at = start;
    while (at < end) {
      while (at < end && (octets[at] == ' ' || octets[at] == ';')) {
        at++;
      }
      int pair = at;
      while (at < end && octets[at] != ';') {
        at++;
      }
      int value = pair + name.length + 1;
      if (value <= at
          && octets[value - 1] == '='
          && Arrays.equals(octets, pair, value - 1, name, 0, name.length)) {
        int last = at;
        while (last > value && octets[last - 1] == ' ') {
          last--;
        }
        return (long) value << Integer.SIZE | last;
      }
    }
    return NOWHERE;
  }

  static int start(long range) {
    return (int) (range >>> Integer.SIZE);
  }

  static int end(long range) {
    return (int) range;
  }

  /// Whether an id can be a cookie's value.
  static boolean canCarry(String id) {
    return id.chars().allMatch(c -> c > ' ' && c < 0x7F && "\",;\\".indexOf(c) < 0);
  }

  /// Appends the field that gives the client a cookie.
  ///
  /// @param id that a cookie [#canCarry]
  static void set(ByteBuf out, String id) {
    out.writeBytes(SET);
    for (int i = 0; i < id.length(); i++) {
      out.writeByte(id.charAt(i));
    }
    out.writeBytes(ATTRIBUTES);
  }
}
