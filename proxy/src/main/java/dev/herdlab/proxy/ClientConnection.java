package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadScanner;
import dev.herdlab.transport.Resets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// One connection of a client: takes its requests apart, one after another, and gives them to its
/// exchange.
///
/// A client may send its next requests before the response (pipelining): they wait in `stash`, and
/// reading stops once that holds `readAheadBytes`. A client that closes its connection, or its
/// sending half, cancels its exchange, also while its bytes are not read: epoll reports that by
/// itself. Deviation: NIO does not, so there it is noticed at the next read. A client that does not
/// read its responses is not read either, once as much of them waits as may wait.
///
/// Owner thread: its loop's.
final class ClientConnection extends ChannelInboundHandlerAdapter {
  private final ProxyInstance instance;
  private final SocketChannel channel;
  private final HeadScanner scanner;
  private final BodyFramer framer = new BodyFramer();
  private final Exchange exchange;
  private final ClientOutput output;
  private final Stash stash;
  private State state = State.HEAD;
  private boolean consuming;
  private long expiresNanos;

  /// Where this stands in its instance's list.
  int index = -1;

  private enum State {
    /// A request's head is awaited.
    HEAD,
    /// A request's body is being forwarded; its response may have begun.
    BODY,
    /// The request is complete, its response is not.
    RESPONSE,
    /// The last response is being sent; what the client still sends is dropped.
    LINGERING,
    CLOSED
  }

  ClientConnection(ProxyInstance instance, SocketChannel channel) {
    ProxySettings settings = instance.settings();
    InetSocketAddress remote = channel.remoteAddress();
    String address = remote == null ? "unknown" : remote.getAddress().getHostAddress();
    this.instance = instance;
    this.channel = channel;
    this.scanner = new HeadScanner(HeadScanner.Kind.REQUEST, settings.headLimits());
    this.output = new ClientOutput(channel);
    this.stash = new Stash(channel.alloc());
    this.exchange =
        new Exchange(
            instance,
            this,
            output,
            new HeadRewriter(settings.pseudonym(), address),
            new PickContexts(settings.key(), address),
            scanner.head(),
            channel.alloc());
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    instance.opened(this);
    expireIn(instance.settings().timeouts().clientIdle().toNanos());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (state == State.LINGERING || state == State.CLOSED) {
      in.release();
    } else if (!stash.isEmpty() || !accepts()) {
      stash.add(in);
      updateReading();
    } else {
      consume(in);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (state == State.BODY) {
      exchange.clientReadComplete();
    }
  }

  private boolean accepts() {
    return (state == State.HEAD && !output.isBlocked())
        || (state == State.BODY && exchange.acceptsBody());
  }

  private void consume(ByteBuf in) {
    consuming = true;
    try {
      while (in.isReadable() && accepts()) {
        if (state == State.HEAD) {
          head(in);
        } else {
          body(in);
        }
      }
    } finally {
      consuming = false;
      if (in.isReadable() && state != State.LINGERING && state != State.CLOSED) {
        stash.add(in);
      } else {
        in.release();
      }
    }
    updateReading();
  }

  private void consumeStash() {
    if (!consuming && !stash.isEmpty()) {
      consume(stash.take());
    }
  }

  private void updateReading() {
    boolean reading =
        stash.size() <= instance.settings().readAheadBytes()
            && !(state == State.HEAD && output.isBlocked())
            && !(state == State.BODY && exchange.isBackendBlocked());
    if (channel.config().isAutoRead() != reading) {
      channel.config().setAutoRead(reading);
    }
  }

  private void head(ByteBuf in) {
    boolean first = !scanner.started();
    switch (scanner.scan(in)) {
      case INCOMPLETE -> {
        if (first && scanner.started()) {
          expireIn(instance.settings().timeouts().requestHead().toNanos());
        }
      }
      case MALFORMED -> answer(FailureKind.BAD_REQUEST, "", null);
      case COMPLETE -> begin(in);
    }
  }

  private void begin(ByteBuf in) {
    Head head = scanner.head();
    framer.beginRequest(head);
    int bytes = framer.measure(in);
    if (bytes == BodyFramer.MALFORMED || head.methodIs(Methods.CONNECT)) {
      exchange.refused(FailureKind.BAD_REQUEST);
      answer(FailureKind.BAD_REQUEST, "", null);
      return;
    }
    boolean ended = framer.ended();
    state = ended ? State.RESPONSE : State.BODY;
    exchange.begin(bytes == 0 ? Unpooled.EMPTY_BUFFER : in.readRetainedSlice(bytes), ended);
  }

  private void body(ByteBuf in) {
    int bytes = framer.measure(in);
    if (bytes == BodyFramer.MALFORMED) {
      exchange.fail(FailureKind.BAD_REQUEST);
      return;
    }
    boolean ended = framer.ended();
    if (ended) {
      state = State.RESPONSE;
    }
    exchange.requestBody(in.readRetainedSlice(bytes), ended);
  }

  /// The exchange can take more of the request's body.
  void backendReady() {
    // Not at once: this may be called from within a write of consume().
    instance.execute(
        () -> {
          if (state == State.BODY) {
            consumeStash();
            exchange.clientReadComplete();
            updateReading();
          }
        });
  }

  /// Answers with an error of the proxy's own. The connection is kept if the request was read to
  /// its end.
  ///
  /// @param backend id of the picked backend; empty if none was
  /// @param stamps to be added, or null
  void answer(FailureKind kind, String backend, @Nullable Stamps stamps) {
    Head head = scanner.head();
    boolean keepAlive =
        state == State.RESPONSE
            && kind != FailureKind.BAD_REQUEST
            && kind != FailureKind.REQUEST_TIMEOUT
            && head.keepAlive()
            && !instance.isDraining();
    ByteBuf out = output.allocate(ErrorResponse.ROOM);
    ErrorResponse.head(out, kind, backend);
    if (keepAlive) {
      HeadRewriter.connection(head, true, out);
    } else {
      out.writeBytes(Wire.CONNECTION_CLOSE);
    }
    if (stamps != null) {
      stamps.write(out, instance.number());
    }
    out.writeShort(Wire.CRLF);
    if (state == State.HEAD || !head.methodIs(Methods.HEAD)) {
      ErrorResponse.body(out, kind);
    }
    output.write(out);
    responseEnded(keepAlive);
  }

  /// The response's last byte is written: sends it, and goes on to the next request or to the
  /// connection's end.
  void responseEnded(boolean keepAlive) {
    if (state == State.CLOSED) {
      // The client turned out to be gone when the response was written.
      return;
    }
    if (!keepAlive || instance.isDraining()) {
      end();
      return;
    }
    state = State.HEAD;
    scanner.reset();
    output.flush();
    expireIn(instance.settings().timeouts().clientIdle().toNanos());
    consumeStash();
    updateReading();
  }

  // A connection that is closed with bytes unread is reset, and the reset may overtake the
  // response. So only the sending half is closed if there may be such bytes, and the rest is
  // dropped until the client closes too.
  private void end() {
    boolean allRead = state == State.RESPONSE && stash.isEmpty();
    state = State.LINGERING;
    stash.drop();
    updateReading();
    expireIn(instance.settings().timeouts().progress().toNanos());
    var _ =
        channel
            .writeAndFlush(Unpooled.EMPTY_BUFFER)
            .addListener(
                sent -> {
                  if (allRead || !sent.isSuccess()) {
                    close();
                  } else if (state == State.LINGERING) {
                    expireIn(instance.settings().timeouts().linger().toNanos());
                    var _ = channel.shutdownOutput();
                  }
                });
  }

  /// Ends a response that can't be completed.
  ///
  /// @param untilClose whether only a reset tells the client that it is not complete
  void abort(boolean untilClose) {
    if (untilClose) {
      Resets.prepare(channel);
    }
    close();
  }

  /// Closes the connection, whatever goes on; an exchange is cancelled.
  void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      stash.drop();
      instance.closed(this);
      exchange.cancel();
      var _ = channel.close();
    }
  }

  void expireIn(long nanos) {
    expiresNanos = instance.nanos() + nanos;
  }

  void expireAt(long instantNanos) {
    expiresNanos = instantNanos;
  }

  /// Bytes held for either side of this connection: what the client sent ahead, what it does not
  /// read, and what the backend does not take.
  long waitingBytes() {
    return stash.size() + output.waitingBytes() + exchange.waitingBytes();
  }

  /// Ends the connection if no request is under way.
  void endIfIdle() {
    if (state == State.HEAD && !scanner.started()) {
      if (output.waitingBytes() == 0) {
        close();
      } else {
        end();
      }
    }
  }

  /// Acts if the time-out of the present state has passed.
  void expireIfDue(long nowNanos) {
    if (expiresNanos - nowNanos > 0) {
      return;
    }
    switch (state) {
      case HEAD -> {
        if (scanner.started()) {
          answer(FailureKind.REQUEST_TIMEOUT, "", null);
        } else {
          close();
        }
      }
      case BODY, RESPONSE -> exchange.expired();
      case LINGERING -> close();
      case CLOSED -> {}
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (output.isBlocked()) {
      return;
    }
    if (state == State.BODY || state == State.RESPONSE) {
      exchange.clientWritable();
    } else if (state == State.HEAD) {
      // Not at once: this may be called from within responseEnded().
      instance.execute(this::resume);
    }
  }

  private void resume() {
    if (state == State.HEAD) {
      consumeStash();
      updateReading();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Log.unexpected("client connection", cause);
    close();
  }
}
