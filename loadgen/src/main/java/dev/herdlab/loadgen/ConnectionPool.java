package dev.herdlab.loadgen;

import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeaderNames;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections to one proxy: the last one given back is the first taken.
///
/// It never lets a request wait for another's connection: it opens one more, up to the limit, and
/// beyond that the request fails. One whose proxy has left closes its connections as they fall
/// idle. Cost: O(1) a request. Owner thread: the generator's loop.
final class ConnectionPool {
  /// The cookie that keeps a client with a backend, as `Cookie` and `Set-Cookie` begin.
  static final byte[] COOKIE = ascii("herdlab-backend=");

  // Three numbers of at most 20 digits, the name of one, and the end of the head.
  private static final int NUMBERS_BYTES = 96;

  private final PreciseLoop loop;
  private final GeneratorSettings settings;
  private final InetSocketAddress address;
  private final Consumer<ConnectionPool> whenEmpty;
  private final Labels labels;
  private final HeadLimits limits;
  private final byte[] head;
  private final byte[] service = ascii("\r\n" + HeaderNames.SERVICE + ": ");
  private final byte[] timeout = ascii("\r\n" + HeaderNames.TIMEOUT + ": ");
  private final byte[] key = ascii("\r\n" + HeaderNames.KEY + ": ");
  private final byte[] cookie = ascii("\r\ncookie: ");
  private final byte[] end = ascii("\r\n\r\n");
  private final Set<ClientConnection> all = new HashSet<>();
  private final ArrayDeque<ClientConnection> idle = new ArrayDeque<>();
  private int proxy;
  private boolean leaving;

  /// A pool without connections.
  ///
  /// @param whenEmpty called once its proxy has left and its last connection has closed
  ConnectionPool(
      PreciseLoop loop,
      GeneratorSettings settings,
      InetSocketAddress address,
      Labels labels,
      Consumer<ConnectionPool> whenEmpty) {
    this.loop = loop;
    this.settings = settings;
    this.address = address;
    this.labels = labels;
    this.whenEmpty = whenEmpty;
    this.limits = settings.headLimits();
    this.head =
        ascii(
            "GET "
                + settings.path()
                + " HTTP/1.1\r\nhost: "
                + authority(address)
                + "\r\n"
                + HeaderNames.REQUEST
                + ": ");
  }

  InetSocketAddress address() {
    return address;
  }

  /// Connections that are open or opening.
  int size() {
    return all.size();
  }

  /// Gives the proxy its number, which messages name.
  void number(int number) {
    proxy = number;
  }

  /// Opens connections, one after the other, until there are as many as the settings want.
  void warm(CompletableFuture<?> warmed) {
    if (leaving || all.size() >= settings.connections()) {
      warmed.complete(null);
      return;
    }
    ClientConnection connection = newConnection();
    open(connection)
        .addListener(
            (ChannelFutureListener)
                connecting -> {
                  if (connecting.isSuccess()) {
                    giveBack(connection);
                    warm(warmed);
                  } else {
                    closed(connection);
                    warmed.completeExceptionally(
                        new IOException(whyNotConnected(connecting.cause())));
                  }
                });
  }

  /// Sends a request now, or as soon as a new connection is there; without any it fails.
  void send(OpenLoopRun run, int request) {
    ClientConnection connection = idle.poll();
    while (connection != null && !connection.isOpen()) {
      connection = idle.poll();
    }
    if (connection != null) {
      connection.take(run, request);
      connection.write();
    } else if (all.size() < settings.connectionLimit()) {
      run.opening();
      sendOnNewConnection(run, request);
    } else {
      run.failedUnsent(request, ClientFailure.NO_CONNECTION);
    }
  }

  /// The proxy has left: what is in flight may end, and no more is sent here.
  void leave() {
    leaving = true;
    List.copyOf(idle).forEach(connection -> connection.fail(ClientFailure.CLOSED));
    tellIfEmpty();
  }

  /// Takes back a connection that can carry another request.
  void giveBack(ClientConnection connection) {
    if (leaving) {
      connection.fail(ClientFailure.CLOSED);
    } else {
      idle.push(connection);
    }
  }

  /// Forgets a connection that has closed.
  void closed(ClientConnection connection) {
    idle.remove(connection);
    if (all.remove(connection)) {
      tellIfEmpty();
    }
  }

  private void tellIfEmpty() {
    if (leaving && all.isEmpty()) {
      whenEmpty.accept(this);
    }
  }

  /// Closes all connections; requests that they carry fail as closed.
  void close() {
    List.copyOf(all).forEach(connection -> connection.fail(ClientFailure.CLOSED));
  }

  /// The bytes of one request; the caller owns the buffer.
  ///
  /// @param timeoutNanos how long it is waited for from now on; [GeneratorSettings#UNLIMITED]
  ///     without a limit
  /// @param tenant the key of its tenant; empty if it has none
  /// @param backend what its tenant's cookie says; empty if there is none
  ByteBuf render(
      ByteBufAllocator allocator,
      int request,
      long serviceNanos,
      long timeoutNanos,
      String tenant,
      byte[] backend) {
    ByteBuf out = allocator.buffer(head.length + service.length + NUMBERS_BYTES);
    Decimals.write(out.writeBytes(head), request);
    Decimals.write(out.writeBytes(service), serviceNanos);
    if (timeoutNanos != GeneratorSettings.UNLIMITED) {
      Decimals.write(out.writeBytes(timeout), timeoutNanos);
    }
    if (!tenant.isEmpty()) {
      out.writeBytes(key).writeCharSequence(tenant, StandardCharsets.US_ASCII);
    }
    if (backend.length > 0) {
      out.writeBytes(cookie).writeBytes(COOKIE).writeBytes(backend);
    }
    return out.writeBytes(end);
  }

  private void sendOnNewConnection(OpenLoopRun run, int request) {
    ClientConnection connection = newConnection();
    connection.take(run, request);
    open(connection)
        .addListener(
            (ChannelFutureListener)
                connecting -> {
                  if (!connecting.isSuccess()) {
                    closed(connection);
                    connection.failConnect();
                  } else if (connection.request() != ClientConnection.NONE) {
                    connection.write();
                  }
                });
  }

  private ClientConnection newConnection() {
    ClientConnection connection = new ClientConnection(loop, this, limits, labels);
    all.add(connection);
    return connection;
  }

  private ChannelFuture open(ClientConnection connection) {
    return new Bootstrap()
        .group(loop.eventLoop())
        .channel(loop.channelType())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.clamp(settings.connectTimeout().toMillis(), 1, Integer.MAX_VALUE))
        .handler(connection)
        .connect(address);
  }

  private String whyNotConnected(@Nullable Throwable cause) {
    return this + ": " + (cause == null ? "not connected" : cause.getMessage());
  }

  @Override
  public String toString() {
    return "proxy " + proxy + " (" + authority(address) + ")";
  }

  private static String authority(InetSocketAddress address) {
    String host = address.getHostString();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
