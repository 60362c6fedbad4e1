package dev.herdlab.wiremock;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// A blocking client that writes bytes as they are given and reads what a backend answers; reads
/// are bounded.
final class RawClient implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 20_000;
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private final Socket socket = new Socket();
  private final InputStream in;

  RawClient(InetSocketAddress address) throws IOException {
    socket.connect(address, READ_TIMEOUT_MILLIS);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  record Response(int status, Map<String, String> fields, String body) {
    String field(String name) {
      String value = fields.get(name);
      if (value == null) {
        throw new AssertionError(name + " is missing in " + fields);
      }
      return value;
    }

    String backend() {
      return field("x-herdlab-backend");
    }

    Stamps stamps() {
      long[] nanos =
          Arrays.stream(field("x-herdlab-backend-stamps").split(","))
              .mapToLong(Long::parseLong)
              .toArray();
      return new Stamps(nanos[0], nanos[1], nanos[2], nanos[3]);
    }
  }

  record Stamps(long received, long start, long finish, long delivered) {
    long service() {
      return finish - start;
    }
  }

  static String get(long serviceNanos) {
    return "GET / HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: " + serviceNanos + "\r\n\r\n";
  }

  RawClient write(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  Response exchange(String request) throws IOException {
    return write(request).read();
  }

  Response read() throws IOException {
    return read(true);
  }

  Response readWithoutBody() throws IOException {
    return read(false);
  }

  /// True if the other side has closed and nothing more came before.
  boolean atEnd() throws IOException {
    return in.read() < 0;
  }

  /// Bytes that have come.
  int available() throws IOException {
    return in.available();
  }

  /// All that comes until the other side closes.
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private Response read(boolean withBody) throws IOException {
    int status = Integer.parseInt(line().substring(STATUS_AT, STATUS_AT + 3));
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      fields.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (one, other) -> one + ", " + other);
    }
    int length = withBody ? Integer.parseInt(fields.get("content-length")) : 0;
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("in the body");
    }
    return new Response(status, fields, new String(body, StandardCharsets.ISO_8859_1));
  }

  /// One line, without its end.
  String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("in the head");
      }
      line.write(c);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
