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
import org.jspecify.annotations.Nullable;

/// The connections to one proxy: the last one given back is the first taken.
///
/// It never lets a request wait for another's connection: it opens one more, up to the limit, and
/// beyond that the request fails. Cost: O(1) a request. Owner thread: the generator's loop.
final class ConnectionPool {
  // Two numbers of at most 20 digits, and the end of the head.
  private static final int NUMBERS_BYTES = 64;

  private final PreciseLoop loop;
  private final GeneratorSettings settings;
  private final int proxy;
  private final InetSocketAddress address;
  private final Labels labels;
  private final HeadLimits limits;
  private final byte[] head;
  private final byte[] service = ascii("\r\n" + HeaderNames.SERVICE + ": ");
  private final byte[] end = ascii("\r\n\r\n");
  private final Set<ClientConnection> all = new HashSet<>();
  private final ArrayDeque<ClientConnection> idle = new ArrayDeque<>();
  private int opened;

  ConnectionPool(PreciseLoop loop, GeneratorSettings settings, int proxy, Labels labels) {
    this.loop = loop;
    this.settings = settings;
    this.proxy = proxy;
    this.address = settings.proxies().get(proxy);
    this.labels = labels;
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

  /// Connections opened, or tried, since the beginning.
  int opened() {
    return opened;
  }

  /// Opens connections, one after the other, until there are as many as the settings want.
  void warm(CompletableFuture<?> warmed) {
    if (all.size() >= settings.connections()) {
      warmed.complete(null);
      return;
    }
    ClientConnection connection = newConnection();
    open(connection)
        .addListener(
            (ChannelFutureListener)
                connecting -> {
                  if (connecting.isSuccess()) {
                    idle.push(connection);
                    warm(warmed);
                  } else {
                    all.remove(connection);
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
      sendOnNewConnection(run, request);
    } else {
      run.failedUnsent(request, ClientFailure.NO_CONNECTION);
    }
  }

  /// Fails a request that is under way here, and closes its connection.
  void fail(int request, ClientFailure failure) {
    for (ClientConnection connection : all) {
      if (connection.request() == request) {
        connection.fail(failure);
        return;
      }
    }
    throw new IllegalStateException("request " + request + ": on no connection to " + this);
  }

  /// Takes back a connection that can carry another request.
  void giveBack(ClientConnection connection) {
    idle.push(connection);
  }

  /// Forgets a connection that has closed.
  void closed(ClientConnection connection) {
    all.remove(connection);
    idle.remove(connection);
  }

  /// Closes all connections; requests that they carry fail as closed.
  void close() {
    List.copyOf(all).forEach(connection -> connection.fail(ClientFailure.CLOSED));
  }

  /// The bytes of one request; the caller owns the buffer.
  ByteBuf render(ByteBufAllocator allocator, int request, long serviceNanos) {
    ByteBuf out = allocator.buffer(head.length + service.length + NUMBERS_BYTES);
    Decimals.write(out.writeBytes(head), request);
    Decimals.write(out.writeBytes(service), serviceNanos);
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
                    all.remove(connection);
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
    opened++;
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
