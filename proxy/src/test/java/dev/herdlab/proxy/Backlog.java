package dev.herdlab.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/// As many connections as a server takes that accepts none: one more hangs while it connects.
final class Backlog implements AutoCloseable {
  private final List<Socket> sockets = new ArrayList<>();

  static Backlog fill(ServerSocket server) throws IOException {
    Backlog filled = new Backlog();
    InetSocketAddress address =
        new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(address, 200);
        filled.sockets.add(socket);
      } catch (SocketTimeoutException full) {
        socket.close();
        return filled;
      }
    }
  }

  int size() {
    return sockets.size();
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
