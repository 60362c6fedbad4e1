package dev.herdlab.proxy;

import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The connections of one proxy instance to one backend: last in, first out, and no queue; at the
/// cap there is none to be had.
///
/// Cost: acquire and release O(1); the loss of an idle connection O(idle). Owner thread: its
/// loop's.
final class BackendPool {
  private final PreciseLoop loop;
  private final Bootstrap bootstrap;
  private final BackendAddress backend;
  private final ProxySettings settings;
  private BackendConnection[] idle = new BackendConnection[4];
  private int idleCount;
  private int open;
  private boolean closed;

  BackendPool(
      PreciseLoop loop, Bootstrap bootstrap, BackendAddress backend, ProxySettings settings) {
    this.loop = loop;
    this.bootstrap = bootstrap;
    this.backend = backend;
    this.settings = settings;
  }

  /// The backend, and where it listens.
  BackendAddress backend() {
    return backend;
  }

  /// A connection for an attempt: the one that became idle last, or a new one that is still being
  /// established; null at the cap.
  @Nullable BackendConnection acquire(Try user) {
    while (idleCount > 0) {
      BackendConnection connection = idle[--idleCount];
      if (connection.reuse(user)) {
        return connection;
      }
    }
    return acquireNew(user);
  }

  /// A new connection for an attempt; null at the cap.
  @Nullable BackendConnection acquireNew(Try user) {
    if (open >= settings.pool().cap()) {
      return null;
    }
    BackendConnection connection = new BackendConnection(this, settings.headLimits(), user);
    connect(connection);
    return connection;
  }

  /// Establishes one connection ahead of time.
  CompletableFuture<Void> warm() {
    var opened = new CompletableFuture<Void>();
    connect(new BackendConnection(this, settings.headLimits(), opened));
    return opened;
  }

  private void connect(BackendConnection connection) {
    open++;
    ChannelFuture connecting = bootstrap.clone().handler(connection).connect(backend.address());
    var _ =
        connecting.addListener(
            done -> {
              Throwable cause = done.cause();
              if (cause != null) {
                // Without a channel (no file descriptor left) Netty calls from a thread of its own.
                loop.execute(() -> connection.failed(cause));
              }
            });
  }

  /// Runs a task when the loop has handled the events at hand.
  void later(Runnable task) {
    loop.execute(task);
  }

  /// The clock that idle times are on.
  long nanos() {
    return loop.nanos();
  }

  /// Takes back a connection that may be used again.
  void release(BackendConnection connection) {
    if (closed) {
      connection.close();
      return;
    }
    if (idleCount == idle.length) {
      idle = Arrays.copyOf(idle, 2 * idleCount);
    }
    idle[idleCount++] = connection;
  }

  /// A connection is gone that was in use or being established.
  void closed() {
    open--;
  }

  /// A connection is gone that waited here.
  void closedIdle(BackendConnection connection) {
    for (int i = 0; i < idleCount; i++) {
      if (idle[i] == connection) {
        removeIdle(i);
        break;
      }
    }
    open--;
  }

  private void removeIdle(int at) {
    System.arraycopy(idle, at + 1, idle, at, idleCount - at - 1);
    idleCount--;
  }

  /// Closes the connections that have been idle since before an instant.
  void closeIdleSince(long instantNanos) {
    // The bottom one has waited longest.
    while (idleCount > 0 && idle[0].idleSinceNanos() - instantNanos < 0) {
      idle[0].close();
    }
  }

  /// Closes all idle connections, and each other one when it would become idle.
  void close() {
    closed = true;
    while (idleCount > 0) {
      idle[idleCount - 1].close();
    }
  }

  /// Whether it keeps no connections any more. It still makes new ones for the exchanges that hold
  /// a lease on its backend.
  boolean isClosed() {
    return closed;
  }

  /// Connections that wait for use.
  int idle() {
    return idleCount;
  }

  /// All connections: idle, in use and being established.
  int open() {
    return open;
  }
}
