package dev.herdlab.loadgen;

import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import dev.herdlab.transport.PreciseLoop;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/// One connection to a proxy: it carries one request at a time, reads the response to its last byte
/// and tells the run.
///
/// It leaves its pool for good when it closes; the request that it carried then has failed. Owner
/// thread: the generator's loop.
@SuppressWarnings("FutureReturnValueIgnored") // failed writes come to exceptionCaught
final class ClientConnection extends ChannelInboundHandlerAdapter {
  /// The request of a connection that carries none.
  static final int NONE = -1;

  private static final int FIRST_FINAL_STATUS = 200;

  private final PreciseLoop loop;
  private final ConnectionPool pool;
  private final HeadScanner scanner;
  private final BodyFramer framer = new BodyFramer();
  private final ResponseStamps stamps;
  private @Nullable Channel channel;
  private @Nullable OpenLoopRun run;
  private int request = NONE;
  private boolean inBody;

  ClientConnection(PreciseLoop loop, ConnectionPool pool, HeadLimits limits, Labels labels) {
    this.loop = loop;
    this.pool = pool;
    this.scanner = new HeadScanner(HeadScanner.Kind.RESPONSE, limits);
    this.stamps = new ResponseStamps(labels);
  }

  /// The request that it carries or waits to carry, or [#NONE].
  int request() {
    return request;
  }

  boolean isOpen() {
    return channel != null && channel.isActive();
  }

  /// Takes a request on; it is written by [#write].
  void take(OpenLoopRun itsRun, int itsRequest) {
    run = itsRun;
    request = itsRequest;
    stamps.clear();
    itsRun.carriedBy(itsRequest, this);
  }

  /// Writes the request that it took on: one buffer, one system call.
  void write() {
    if (run == null || channel == null) {
      return;
    }
    ByteBuf bytes =
        pool.render(
            channel.alloc(),
            request,
            run.serviceNanos(request),
            run.remainingNanos(request),
            run.key(request),
            run.cookie(request));
    run.sent(request, loop.nanos());
    channel.writeAndFlush(bytes, channel.voidPromise());
  }

  /// Ends its request with a failure, if it carries one, and closes.
  void fail(ClientFailure failure) {
    OpenLoopRun itsRun = run;
    int failed = request;
    release();
    if (channel != null) {
      channel.close();
    }
    if (itsRun != null) {
      itsRun.failed(failed, failure, stamps);
    }
  }

  /// The attempt to connect came to nothing.
  void failConnect() {
    OpenLoopRun itsRun = run;
    int failed = request;
    release();
    if (itsRun != null) {
      itsRun.failedUnsent(failed, ClientFailure.CONNECT_FAILED);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    pool.closed(this);
    fail(ClientFailure.CLOSED);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A reset, most likely; channelInactive follows and accounts for the request.
    context.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable() && context.channel().isActive()) {
        if (request == NONE) {
          // Nobody asked: whatever this is, it must not pass for the next response.
          context.close();
        } else if (inBody) {
          readBody(in);
        } else {
          readHead(in);
        }
      }
    } finally {
      in.release();
    }
  }

  private void readHead(ByteBuf in) {
    switch (scanner.scan(in)) {
      case INCOMPLETE -> {}
      case MALFORMED -> fail(ClientFailure.BAD_RESPONSE);
      case COMPLETE -> {
        if (scanner.head().status() < FIRST_FINAL_STATUS) {
          scanner.reset();
          return;
        }
        framer.beginResponse(scanner.head(), false);
        inBody = true;
        if (!stamps.read(scanner.head()) || framer.length() == BodyFramer.Length.UNTIL_CLOSE) {
          // Without a length the end can't be told from a broken connection.
          fail(ClientFailure.BAD_RESPONSE);
        } else if (framer.ended()) {
          complete();
        }
      }
    }
  }

  private void readBody(ByteBuf in) {
    int bytes = framer.measure(in);
    if (bytes == BodyFramer.MALFORMED) {
      fail(ClientFailure.BAD_RESPONSE);
      return;
    }
    in.skipBytes(bytes);
    if (framer.ended()) {
      complete();
    }
  }

  private void complete() {
    long nowNanos = loop.nanos();
    OpenLoopRun itsRun = run;
    int done = request;
    int status = scanner.head().status();
    boolean keepAlive = scanner.head().keepAlive();
    if (itsRun != null) {
      itsRun.takeCookie(done, scanner.head());
    }
    release();
    if (keepAlive) {
      pool.giveBack(this);
    } else if (channel != null) {
      channel.close();
    }
    if (itsRun != null) {
      itsRun.answered(done, nowNanos, status, stamps);
    }
  }

  private void release() {
    run = null;
    request = NONE;
    inBody = false;
    scanner.reset();
  }
}
