package dev.herdlab.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// A client on a blocking socket that sends bytes as given and takes responses apart on its own.
final class RawClient implements AutoCloseable {
  private static final int BOUND_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  /// A response; the body without chunk framing.
  record Response(int status, String head, String body) {
    List<String> values(String name) {
      return head.lines()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .toList();
    }

    String value(String name) {
      return String.join("|", values(name));
    }
  }

  RawClient(InetSocketAddress proxy) throws IOException {
    this(proxy, 0);
  }

  RawClient(InetSocketAddress proxy, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.connect(proxy, BOUND_MILLIS);
    socket.setSoTimeout(BOUND_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void endSending() throws IOException {
    socket.shutdownOutput();
  }

  /// Closes the connection early.
  void leave() throws IOException {
    socket.close();
  }

  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  InputStream in() {
    return in;
  }

  /// The next response to a request other than HEAD.
  Response receive() throws IOException {
    return receive(false);
  }

  Response receive(boolean toHead) throws IOException {
    String head = RawBackend.readHead(in);
    if (head.isEmpty()) {
      throw new IOException("closed before a response");
    }
    int status = Integer.parseInt(head.substring(9, 12));
    Response response = new Response(status, head, "");
    if (toHead || status < 200 || status == 204 || status == 304) {
      return response;
    }
    return new Response(status, head, body(response));
  }

  private String body(Response response) throws IOException {
    if (!response.values("transfer-encoding").isEmpty()) {
      return RawBackend.readChunks(in);
    }
    List<String> length = response.values("content-length");
    byte[] body =
        length.isEmpty() ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length.getFirst()));
    if (!length.isEmpty() && body.length < Integer.parseInt(length.getFirst())) {
      throw new IOException("closed within a body, after " + body.length + " bytes");
    }
    return new String(body, StandardCharsets.ISO_8859_1);
  }

  Response ask(String request) throws IOException {
    send(request);
    return receive();
  }

  Response get(String path) throws IOException {
    return ask("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
  }

  /// Whether the proxy closes the connection, in order or by a reset, without a further byte.
  boolean isClosedByProxy() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
