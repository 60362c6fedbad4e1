package dev.herdlab.dns;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;

/// The two sockets of a DNS server: the same port for TCP and UDP.
///
/// Owner thread: the one that binds them, then the server's.
record ServerSockets(ServerSocketChannel tcp, DatagramChannel udp, int port)
    implements AutoCloseable {
  /// How often a free port of TCP's is tried for UDP, when any port will do.
  private static final int ATTEMPTS = 20;

  /// Binds both; port 0 for one that is free for both.
  ///
  /// @throws IllegalArgumentException one line, if it cannot be had
  static ServerSockets bind(InetSocketAddress listen) {
    int attempts = listen.getPort() == 0 ? ATTEMPTS : 1;
    for (int left = attempts; ; left--) {
      Optional<ServerSockets> sockets = attempt(listen, left > 1);
      if (sockets.isPresent()) {
        return sockets.get();
      }
    }
  }

  /// @param mayFail whether a port that only TCP can have is no error
  private static Optional<ServerSockets> attempt(InetSocketAddress listen, boolean mayFail) {
    StandardProtocolFamily family =
        listen.getAddress().getAddress().length == 4
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    String transport = "TCP";
    try {
      ServerSocketChannel tcp = ServerSocketChannel.open(family);
      try {
        tcp.setOption(StandardSocketOptions.SO_REUSEADDR, true).bind(listen);
        InetSocketAddress bound = (InetSocketAddress) tcp.getLocalAddress();
        transport = "UDP";
        DatagramChannel udp = DatagramChannel.open(family);
        try {
          return Optional.of(new ServerSockets(tcp, udp.bind(bound), bound.getPort()));
        } catch (IOException e) {
          udp.close();
          throw e;
        }
      } catch (IOException e) {
        tcp.close();
        throw e;
      }
    } catch (IOException e) {
      if (mayFail && e instanceof BindException && transport.equals("UDP")) {
        return Optional.empty();
      }
      throw new IllegalArgumentException(
          "%s: %s, for %s (expected: an address of this machine, with a port that is free)"
              .formatted(Hosts.written(listen), e.getMessage(), transport),
          e);
    }
  }

  void register(Selector selector) throws IOException {
    tcp.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    udp.configureBlocking(false).register(selector, SelectionKey.OP_READ);
  }

  @Override
  public void close() throws IOException {
    tcp.close();
    udp.close();
  }
}
