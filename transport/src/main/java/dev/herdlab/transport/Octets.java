package dev.herdlab.transport;

import io.netty.util.AsciiString;

/// The classes of octets that HTTP's grammar knows, as tables. Owner thread: any (immutable).
///
/// Source: RFC 9110 section 5.6.2 (token), section 5.5 (field values); RFC 3986 section 3.2.2
/// (host).
final class Octets {
  private static final int TOKEN = 1;
  private static final int TEXT = 2;
  private static final int TARGET = 4;
  private static final int HOST = 8;
  private static final byte[] CLASSES = new byte[256];

  static {
    for (int c = 0; c < 256; c++) {
      boolean alphanumeric =
          (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
      int classes = 0;
      if (alphanumeric || "!#$%&'*+-.^_`|~".indexOf(c) >= 0) {
        classes |= TOKEN;
      }
      if (c == '\t' || (c >= ' ' && c != 0x7F)) {
        classes |= TEXT;
      }
      if (c > ' ' && c < 0x7F && c != '#') {
        classes |= TARGET;
      }
      if (alphanumeric || "-._~%!$&'()*+,;=:[]".indexOf(c) >= 0) {
        classes |= HOST;
      }
      CLASSES[c] = (byte) classes;
    }
  }

  private Octets() {}

  static boolean isToken(byte octet) {
    return (CLASSES[octet & 0xFF] & TOKEN) != 0;
  }

  /// What a field value or a reason phrase may contain, white space included.
  static boolean isText(byte octet) {
    return (CLASSES[octet & 0xFF] & TEXT) != 0;
  }

  /// What a request target may contain: visible ASCII but the fragment's mark.
  static boolean isTarget(byte octet) {
    return (CLASSES[octet & 0xFF] & TARGET) != 0;
  }

  static boolean isHost(byte octet) {
    return (CLASSES[octet & 0xFF] & HOST) != 0;
  }

  static boolean isDigit(byte octet) {
    return octet >= '0' && octet <= '9';
  }

  static boolean isBlank(byte octet) {
    return octet == ' ' || octet == '\t';
  }

  /// The value of a hexadecimal digit, or -1.
  static int hex(byte octet) {
    if (octet >= '0' && octet <= '9') {
      return octet - '0';
    }
    int lower = octet | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }

  static byte lower(byte octet) {
    return octet >= 'A' && octet <= 'Z' ? (byte) (octet | 0x20) : octet;
  }

  /// Whether the octets from `start` to `end` are `name` but for the case of letters; `name` is in
  /// lower case.
  static boolean equalsIgnoringCase(byte[] octets, int start, int end, AsciiString name) {
    if (end - start != name.length()) {
      return false;
    }
    byte[] lower = name.array();
    int offset = name.arrayOffset();
    for (int i = start; i < end; i++) {
      if (lower(octets[i]) != lower[offset + i - start]) {
        return false;
      }
    }
    return true;
  }

  /// Whether two ranges of the same octets are equal but for the case of letters.
  static boolean equalsIgnoringCase(
      byte[] octets, int start, int end, int otherStart, int otherEnd) {
    if (end - start != otherEnd - otherStart) {
      return false;
    }
    for (int i = 0; i < end - start; i++) {
      if (lower(octets[start + i]) != lower(octets[otherStart + i])) {
        return false;
      }
    }
    return true;
  }
}
