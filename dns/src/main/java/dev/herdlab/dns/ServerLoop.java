package dev.herdlab.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// What the server's thread does: waits for packets, connections and questions, and answers them.
///
/// Owner thread: the server's.
final class ServerLoop {
  /// Bound on connections; a guess for a server of experiments.
  static final int MAX_CONNECTIONS = 128;

  /// How long a connection may be without progress (RFC 7766, section 6.2.3: a few seconds).
  static final Duration IDLE = Duration.ofSeconds(10);

  /// How many packets are answered before connections get their turn.
  private static final int PACKETS_AT_A_TIME = 64;

  private static final int MAX_PACKET_BYTES = 65_535;

  private final Selector selector;
  private final ServerSockets sockets;
  private final Responder responder;
  private final LongSupplier nanoClock;
  private final ByteBuffer packet = ByteBuffer.allocate(MAX_PACKET_BYTES);

  ServerLoop(
      Selector selector, ServerSockets sockets, Responder responder, LongSupplier nanoClock) {
    this.selector = selector;
    this.sockets = sockets;
    this.responder = responder;
    this.nanoClock = nanoClock;
  }

  /// Until the thread is interrupted; then all sockets are closed.
  void run() {
    try (selector;
        sockets) {
      while (!Thread.currentThread().isInterrupted()) {
        selector.select(this::handle, untilIdleMillis());
        closeIdle();
      }
      connections().forEach(key -> ((TcpConnection) key.attachment()).close());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void handle(SelectionKey key) {
    try {
      switch (key.channel()) {
        case DatagramChannel _ -> answerPackets();
        case ServerSocketChannel _ -> accept();
        default -> serve(key, (TcpConnection) key.attachment());
      }
    } catch (IOException passing) {
      // A packet that cannot be sent, or a client that went away before it was accepted.
    }
  }

  private void answerPackets() throws IOException {
    for (int i = 0; i < PACKETS_AT_A_TIME; i++) {
      packet.clear();
      if (!(sockets.udp().receive(packet) instanceof InetSocketAddress source)) {
        return;
      }
      byte[] query = new byte[packet.flip().remaining()];
      packet.get(query);
      Optional<byte[]> reply =
          responder.respond(query, source.getAddress(), Responder.Transport.UDP);
      if (reply.isPresent()) {
        sockets.udp().send(ByteBuffer.wrap(reply.get()), source);
      }
    }
  }

  private void accept() throws IOException {
    SocketChannel client = sockets.tcp().accept();
    if (client == null) {
      return;
    }
    List<SelectionKey> open = connections();
    if (open.size() >= MAX_CONNECTIONS) {
      open.stream()
          .min(Comparator.comparingLong(key -> progress(key) - nanoClock.getAsLong()))
          .ifPresent(ServerLoop::close);
    }
    try {
      client.configureBlocking(false);
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      client.register(
          selector,
          SelectionKey.OP_READ,
          new TcpConnection(client, responder, nanoClock.getAsLong()));
    } catch (IOException gone) {
      client.close();
    }
  }

  private void serve(SelectionKey key, TcpConnection connection) {
    try {
      int interest = connection.ready(nanoClock.getAsLong());
      if (interest == 0) {
        close(key);
      } else {
        key.interestOps(interest);
      }
    } catch (IOException gone) {
      close(key);
    }
  }

  private void closeIdle() {
    long now = nanoClock.getAsLong();
    connections().stream()
        .filter(key -> now - progress(key) >= IDLE.toNanos())
        .forEach(ServerLoop::close);
  }

  /// 0, which is for ever, if no connection is open.
  private long untilIdleMillis() {
    long now = nanoClock.getAsLong();
    return connections().stream()
        .mapToLong(key -> IDLE.toNanos() - (now - progress(key)))
        .map(nanos -> Math.max(1, nanos / 1_000_000 + 1))
        .min()
        .orElse(0);
  }

  private List<SelectionKey> connections() {
    return selector.keys().stream()
        .filter(key -> key.isValid() && key.attachment() instanceof TcpConnection)
        .toList();
  }

  private static long progress(SelectionKey key) {
    return ((TcpConnection) key.attachment()).progressNanos();
  }

  private static void close(SelectionKey key) {
    key.cancel();
    ((TcpConnection) key.attachment()).close();
  }
}
