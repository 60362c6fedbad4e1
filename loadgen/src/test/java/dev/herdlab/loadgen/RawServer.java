package dev.herdlab.loadgen;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// A server on a loopback port that does on each connection what its script says.
final class RawServer implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 20_000;

  // Not getLoopbackAddress: its name would be in the Host field.
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final ServerSocket listener = new ServerSocket(0, 50, LOOPBACK);
  private final int port = listener.getLocalPort();
  // Bound, but not listening, once connections are refused.
  private final Socket guard = new Socket();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger ended = new AtomicInteger();

  RawServer(Script script) throws IOException {
    Thread.startVirtualThread(() -> accept(script));
  }

  /// What is done on one connection; it is closed afterwards.
  @FunctionalInterface
  interface Script {
    void serve(Peer peer) throws IOException;
  }

  /// The other side of one connection.
  record Peer(Socket socket, InputStream in) {
    /// The next request's head, empty at the end of the connection.
    String request() throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int octet = in.read();
        if (octet < 0) {
          return "";
        }
        head.write(octet);
      }
      return head.toString(StandardCharsets.ISO_8859_1);
    }

    void write(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Reads until the other side closes.
    void awaitEnd() throws IOException {
      in.transferTo(OutputStream.nullOutputStream());
    }
  }

  /// Answers each request in the same way, for as long as the other side asks.
  static RawServer answering(String response) throws IOException {
    return new RawServer(
        peer -> {
          while (!peer.request().isEmpty()) {
            peer.write(response);
          }
        });
  }

  InetSocketAddress address() {
    return new InetSocketAddress(LOOPBACK, port);
  }

  /// Connections accepted so far.
  int accepted() {
    return sockets.size();
  }

  /// Connections whose script has ended.
  int ended() {
    return ended.get();
  }

  /// Refuses further connections; those that are there go on. The port stays taken, so that nobody
  /// else's server can answer there.
  void refuse() throws IOException {
    listener.close();
    guard.setReuseAddress(true);
    // The listener is gone only once the thread that accepts has noticed.
    GeneratorFixture.await(this::guardIsBound);
  }

  private boolean guardIsBound() {
    try {
      guard.bind(new InetSocketAddress(LOOPBACK, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void accept(Script script) {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.startVirtualThread(() -> serve(script, socket));
      }
    } catch (IOException e) {
      // The listener was closed.
    }
  }

  private void serve(Script script, Socket socket) {
    try (socket) {
      script.serve(new Peer(socket, socket.getInputStream()));
    } catch (IOException e) {
      // The other side has gone, as some tests want it.
    } finally {
      ended.incrementAndGet();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    guard.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
