package dev.herdlab.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;

/// An authoritative DNS server: serves zone files over UDP and TCP at one address.
///
/// It answers for its zones alone, and never asks other servers. At most
/// [ServerLoop#MAX_CONNECTIONS] connections are open: one more takes the place of the one that has
/// been idle longest; one that is idle for [ServerLoop#IDLE] is closed. Files are read once, when
/// it starts.
///
/// Cost: one thread, on which everything happens, so that equal questions in an equal order get
/// equal answers. Owner thread: any for start and close.
public final class DnsServer implements AutoCloseable {
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

  private final ServedFiles files;
  private final InetSocketAddress listen;
  private final Rotation rotation;
  private final IntUnaryOperator coins;
  private final LongSupplier nanoClock;
  private Optional<Running> running = Optional.empty();

  /// What exists from start to close.
  private record Running(Thread thread, int port) {}

  /// Of some files; nothing happens before [#start].
  ///
  /// @param listen where; port 0 for a free one
  /// @param coins draws for [Rotation#RANDOM]: a number from 0 to its argument - 1
  /// @param nanoClock `System::nanoTime`
  public DnsServer(
      ServedFiles files,
      InetSocketAddress listen,
      Rotation rotation,
      IntUnaryOperator coins,
      LongSupplier nanoClock) {
    this.files = files;
    this.listen = listen;
    this.rotation = rotation;
    this.coins = coins;
    this.nanoClock = nanoClock;
  }

  /// Reads an address to listen to: `HOST:PORT`, the host an address or `localhost`; port 0 for a
  /// free one.
  ///
  /// @throws IllegalArgumentException `text (expected: ...)`
  public static InetSocketAddress listenAddress(String text) {
    return Hosts.hostAndPort(text, -1, 0);
  }

  /// Reads the files, binds the port, and begins to answer. To be called once.
  ///
  /// @throws IllegalArgumentException one line, for a bad file or a port that cannot be had
  public void start() {
    List<Zone> zones =
        files.zones().stream()
            .map(zone -> Zone.read(zone.origin(), zone.file(), files.subnetsOf(zone.origin())))
            .toList();
    Responder responder = new Responder(new Authority(zones, rotation, coins));
    ServerSockets sockets = ServerSockets.bind(listen);
    try {
      Selector selector = Selector.open();
      sockets.register(selector);
      ServerLoop loop = new ServerLoop(selector, sockets, responder, nanoClock);
      Thread thread = Thread.ofPlatform().daemon().name("dns-server").start(loop::run);
      running = Optional.of(new Running(thread, sockets.port()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The port that it listens to.
  public int port() {
    return running.orElseThrow(() -> new IllegalStateException("not started")).port();
  }

  /// Waits until it is closed.
  public void await() throws InterruptedException {
    running.orElseThrow(() -> new IllegalStateException("not started")).thread().join();
  }

  /// Stops answering and closes all sockets. Idempotent.
  @Override
  public void close() {
    if (running.isEmpty()) {
      return;
    }
    Running closing = running.get();
    closing.thread().interrupt();
    try {
      closing.thread().join(LONGEST_CLOSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
