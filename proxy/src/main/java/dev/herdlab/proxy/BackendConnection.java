package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ConnectTimeoutException;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// One connection to a backend: brings what it reads to the attempt that uses it, one at a time.
///
/// Owner thread: its loop's.
final class BackendConnection extends ChannelInboundHandlerAdapter {
  private final BackendPool pool;
  private final HeadScanner scanner;
  private final @Nullable CompletableFuture<Void> warmed;
  private State state = State.CONNECTING;
  private @Nullable Channel channel;
  private @Nullable Try user;
  private boolean pooled;
  private boolean broken;
  private boolean flushPending;
  private long idleSinceNanos;

  private enum State {
    CONNECTING,
    IDLE,
    BUSY,
    CLOSED
  }

  /// A connection for an attempt, to be established.
  BackendConnection(BackendPool pool, HeadLimits limits, Try user) {
    this.pool = pool;
    this.scanner = new HeadScanner(HeadScanner.Kind.RESPONSE, limits);
    this.user = user;
    this.warmed = null;
  }

  /// A connection for later, to be established.
  BackendConnection(BackendPool pool, HeadLimits limits, CompletableFuture<Void> warmed) {
    this.pool = pool;
    this.scanner = new HeadScanner(HeadScanner.Kind.RESPONSE, limits);
    this.warmed = warmed;
  }

  /// Scans the responses of this connection.
  HeadScanner scanner() {
    return scanner;
  }

  /// True once it is established and until it is closed.
  boolean isReady() {
    return state == State.BUSY;
  }

  /// True if it waited in the pool before its present use, so that the backend may have closed it
  /// meanwhile.
  boolean wasPooled() {
    return pooled;
  }

  /// Puts an idle connection to use.
  ///
  /// @return false if it turns out to be closed
  boolean reuse(Try next) {
    if (channel == null || !channel.isActive()) {
      leave(State.CLOSED);
      pool.closed();
      return false;
    }
    state = State.BUSY;
    pooled = true;
    scanner.reset();
    user = next;
    return true;
  }

  /// Ends the present use; the connection waits for the next.
  void release(long nowNanos) {
    state = State.IDLE;
    user = null;
    idleSinceNanos = nowNanos;
    setReading(true);
    pool.release(this);
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /// Writes without flushing; takes over the buffer.
  void write(ByteBuf bytes) {
    if (channel == null) {
      bytes.release();
      return;
    }
    flushPending = true;
    var _ = channel.write(bytes, channel.voidPromise());
  }

  /// Flushes what was written since the last flush.
  void flush() {
    if (flushPending && channel != null) {
      flushPending = false;
      channel.flush();
    }
  }

  /// Whether as much waits to be sent as may wait.
  boolean isBlocked() {
    return channel != null && !channel.isWritable();
  }

  long waitingBytes() {
    return channel == null ? 0 : ClientOutput.unsent(channel);
  }

  void setReading(boolean reading) {
    if (channel != null && channel.config().isAutoRead() != reading) {
      channel.config().setAutoRead(reading);
    }
  }

  /// Closes it, whatever its state; nobody hears of it any more.
  void close() {
    switch (state) {
      case CONNECTING, BUSY -> {
        leave(State.CLOSED);
        pool.closed();
      }
      case IDLE -> {
        leave(State.CLOSED);
        pool.closedIdle(this);
      }
      case CLOSED -> {}
    }
    if (channel != null) {
      var _ = channel.close();
    }
  }

  /// The same for one that may have an event in the batch which the loop is handling: its socket is
  /// closed only behind that. Else a new one with the same descriptor would get the event.
  void giveUp() {
    switch (state) {
      case CONNECTING, BUSY -> {
        leave(State.CLOSED);
        pool.closed();
        pool.later(this::close);
      }
      case IDLE, CLOSED -> close();
    }
  }

  private void leave(State next) {
    state = next;
    user = null;
  }

  /// The connection could not be established.
  void failed(Throwable cause) {
    if (state != State.CONNECTING) {
      return;
    }
    Try its = user;
    leave(State.CLOSED);
    pool.closed();
    if (warmed != null) {
      warmed.completeExceptionally(cause);
    }
    if (its != null) {
      its.connectFailed(
          cause instanceof ConnectTimeoutException
              ? FailureKind.CONNECT_TIMEOUT
              : FailureKind.CONNECT_FAILED);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (state != State.CONNECTING) {
      var _ = context.close();
    } else if (user != null) {
      state = State.BUSY;
      user.connected();
    } else {
      release(pool.nanos());
      if (warmed != null) {
        warmed.complete(null);
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (user != null) {
      user.read(in);
    } else {
      // Nothing was asked: what comes can't be told from the answer to the next request.
      in.release();
      close();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (user != null) {
      user.readComplete();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (user != null && context.channel().isWritable()) {
      user.writable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Try its = user;
    boolean wasBroken = broken;
    close();
    if (its != null) {
      its.closed(this, wasBroken);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (state == State.CONNECTING && cause instanceof NotYetConnectedException) {
      return; // An event of the socket that had this descriptor before; the connection goes on.
    }
    broken = true;
    Log.unexpected("backend connection", cause);
    var _ = context.close();
  }
}
