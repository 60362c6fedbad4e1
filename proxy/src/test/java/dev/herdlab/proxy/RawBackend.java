package dev.herdlab.proxy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A backend on blocking sockets that shares no code with what is tested: it takes requests apart
/// line by line, keeps what it saw, and answers as the script says.
final class RawBackend implements AutoCloseable {
  /// A response that keeps the connection.
  static final Script OK =
      (request, exchange) -> exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

  private final ServerSocket server;
  private final Script script;
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();

  /// One request as it came.
  record Request(int connection, String head, String body) {
    String line() {
      return head.substring(0, head.indexOf("\r\n"));
    }

    List<String> values(String name) {
      return head.lines()
          .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .toList();
    }
  }

  /// Answers a request whose head and body were read.
  interface Script {
    void answer(Request request, Exchange exchange) throws IOException;

    /// Acts before the body is read.
    default void beforeBody(Request request, Exchange exchange) throws IOException {}
  }

  /// The connection as a script sees it.
  record Exchange(Socket socket, InputStream in, OutputStream out) {
    void send(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
    }

    void close() throws IOException {
      socket.close();
    }

    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  RawBackend(Script script) {
    this.script = script;
    try {
      server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  int connections() {
    return connections.get();
  }

  /// Connections that the proxy has closed.
  int ended() {
    return ended.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        int number = connections.getAndIncrement();
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket, number));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      var exchange =
          new Exchange(
              socket, new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
      while (true) {
        String head = readHead(exchange.in());
        if (head.isEmpty()) {
          return;
        }
        Request early = new Request(number, head, "");
        script.beforeBody(early, exchange);
        Request request = new Request(number, head, readBody(early, exchange.in()));
        requests.add(request);
        script.answer(request, exchange);
        if (socket.isClosed()) {
          return;
        }
      }
    } catch (IOException e) {
      // The proxy may close or reset at any time.
    } finally {
      ended.incrementAndGet();
      open.remove(socket);
    }
  }

  /// Up to and with the empty line; empty at the end of the stream.
  static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int octet = in.read();
      if (octet < 0) {
        return "";
      }
      head.append((char) octet);
    }
    return head.toString();
  }

  private static String readBody(Request request, InputStream in) throws IOException {
    if (!request.values("transfer-encoding").isEmpty()) {
      return readChunks(in);
    }
    List<String> length = request.values("content-length");
    if (length.isEmpty()) {
      return "";
    }
    byte[] body = in.readNBytes(Integer.parseInt(length.getFirst()));
    if (body.length < Integer.parseInt(length.getFirst())) {
      throw new IOException("closed within a body");
    }
    return new String(body, StandardCharsets.ISO_8859_1);
  }

  /// The chunks as they came, framing and trailers included.
  static String readChunks(InputStream in) throws IOException {
    StringBuilder raw = new StringBuilder();
    while (true) {
      String line = readLine(in);
      raw.append(line);
      long size = Long.parseLong(line.strip().replaceAll(";.*", "").strip(), 16);
      if (size > 1 << 24) {
        throw new IOException("chunk of " + size + " bytes");
      }
      raw.append(new String(in.readNBytes((int) size), StandardCharsets.ISO_8859_1));
      String end = readLine(in);
      raw.append(end);
      if (size == 0) {
        while (!end.equals("\r\n")) {
          end = readLine(in);
          raw.append(end);
        }
        return raw.toString();
      }
    }
  }

  static String readLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int octet = in.read();
    while (octet >= 0) {
      line.append((char) octet);
      if (octet == '\n') {
        return line.toString();
      }
      octet = in.read();
    }
    throw new IOException("closed within a line: " + line);
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
