package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/// One attempt of an exchange at one backend: its lease, and its connection from when it has one.
///
/// What its connection reports goes to the exchange, until it has ended. Owner thread: its
/// exchange's.
final class Try {
  private final Exchange exchange;
  private final Picked lease;
  private final BackendPool pool;
  private @Nullable BackendConnection connection;

  /// When it was picked, on the loop's clock.
  final long pickedNanos;

  /// When the request was written to the connection; [Stamps#NEVER] before.
  long forwardedNanos = Stamps.NEVER;

  /// @param pool kept with the lease: the set may be another one before it ends
  Try(Exchange exchange, Picked lease, BackendPool pool, long pickedNanos) {
    this.exchange = exchange;
    this.lease = lease;
    this.pool = pool;
    this.pickedNanos = pickedNanos;
  }

  String backendId() {
    return lease.backend().id();
  }

  /// Takes a connection, which may have to be established yet.
  ///
  /// @return null at the pool's cap
  @Nullable BackendConnection acquire() {
    connection = pool.acquire(this);
    return connection;
  }

  /// Takes one that was not in use before.
  @Nullable BackendConnection acquireNew() {
    connection = pool.acquireNew(this);
    return connection;
  }

  @Nullable BackendConnection connection() {
    return connection;
  }

  /// Whether the request is on its way to the backend, or there.
  boolean isForwarded() {
    return forwardedNanos != Stamps.NEVER;
  }

  /// Its connection belongs to it no more.
  @Nullable BackendConnection detach() {
    BackendConnection was = connection;
    connection = null;
    return was;
  }

  // The count is lowered before the balancer hears of it: one that throws is logged, and neither
  // side of the exchange suffers.
  void complete(Outcome outcome) {
    try {
      lease.complete(outcome);
    } catch (Throwable e) {
      Log.unexpected("balancer", e);
    }
  }

  /// The connection is established.
  void connected() {
    exchange.connected(this);
  }

  /// It could not be.
  void connectFailed(FailureKind kind) {
    connection = null;
    exchange.failed(this, kind);
  }

  /// Takes what the backend sent.
  void read(ByteBuf in) {
    exchange.backendRead(this, in);
  }

  /// The backend's read is over.
  void readComplete() {
    exchange.backendReadComplete();
  }

  /// The backend takes bytes again.
  void writable() {
    exchange.backendWritable();
  }

  /// The connection is gone.
  ///
  /// @param broken whether it was reset, rather than closed in order
  void closed(BackendConnection closed, boolean broken) {
    connection = null;
    exchange.backendClosed(this, closed, broken);
  }
}
