package dev.herdlab.proxy;

import java.nio.charset.StandardCharsets;

/// Bytes of HTTP/1.1 that the proxy writes itself. Owner thread: any; the arrays are never written
/// to.
final class Wire {
  /// CR LF, as the short that it is.
  static final int CRLF = ('\r' << 8) | '\n';

  /// Colon and space.
  static final int COLON = (':' << 8) | ' ';

  static final byte[] HTTP_1_1 = ascii("HTTP/1.1 ");
  static final byte[] CONNECTION_CLOSE = ascii("connection: close\r\n");
  static final byte[] CONNECTION_KEEP_ALIVE = ascii("connection: keep-alive\r\n");
  static final byte[] X_FORWARDED_FOR = ascii("x-forwarded-for: ");
  static final byte[] LIST_SEPARATOR = ascii(", ");
  static final byte[] HOST = ascii("host: ");

  private Wire() {}

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
