package dev.herdlab.stub;

import dev.herdlab.stub.ResponseTemplate.Body;
import dev.herdlab.stub.ResponseTemplate.Then;
import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeadScanner;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.AsciiString;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection to a backend: it reads requests, one at a time, hands each to its server and
/// writes the answer.
///
/// A request that was sent ahead is looked at once its predecessor is answered, and arrives then;
/// so answers are in order. A client that does not read its answers is not read either, once as
/// much of them waits as may wait. A client that closes, or half-closes, gives up its request.
/// Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // failed writes come to exceptionCaught
final class StubConnection extends ChannelInboundHandlerAdapter {
  private static final AsciiString HEAD = AsciiString.cached("HEAD");
  private static final AsciiString CONTINUE = AsciiString.cached("HTTP/1.1 100 Continue\r\n\r\n");
  // How long a refused client may take to read why before the socket goes. A guess.
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final StubServer server;
  private final Channel channel;
  private final HeadScanner scanner = new HeadScanner(HeadScanner.Kind.REQUEST, HeadLimits.DEFAULT);
  private final BodyFramer framer = new BodyFramer();
  private State state = State.HEAD;
  // Bytes after the present request; owned here, released when looked at or when the connection
  // ends.
  private ByteBuf ahead = Unpooled.EMPTY_BUFFER;
  private long receivedNanos;
  private int inFlight;
  private Body answerBody = Body.SENT;
  private Then afterAnswer = Then.KEEP_ALIVE;
  private @Nullable Deadline linger;

  private enum State {
    /// A request's head is read.
    HEAD,
    /// Its body is read.
    BODY,
    /// The request is in the queue or in service.
    SERVED,
    /// The last answer is written; what comes is dropped.
    ENDED
  }

  StubConnection(StubServer server, Channel channel) {
    this.server = server;
    this.channel = channel;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    server.opened(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    state = State.ENDED;
    ahead.release();
    ahead = Unpooled.EMPTY_BUFFER;
    if (linger != null) {
      linger.cancel();
    }
    server.closed(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A reset, most likely; whatever it was, this client cannot be answered.
    close();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    if (ahead.isReadable()) {
      in =
          channel
              .alloc()
              .buffer(ahead.readableBytes() + in.readableBytes())
              .writeBytes(ahead)
              .writeBytes(in);
      ahead.release();
      ((ByteBuf) message).release();
      ahead = Unpooled.EMPTY_BUFFER;
    }
    read(in);
  }

  // Takes over the buffer.
  private void read(ByteBuf in) {
    while (in.isReadable() && accepts()) {
      if (state == State.HEAD) {
        readHead(in);
      } else {
        readBody(in);
      }
    }
    if (in.isReadable() && state != State.ENDED) {
      ahead = in;
    } else {
      in.release();
    }
    updateReading();
  }

  private boolean accepts() {
    return (state == State.HEAD || state == State.BODY) && channel.isWritable();
  }

  // What comes after the last answer is read, to be dropped.
  private void updateReading() {
    boolean reading =
        state == State.ENDED
            || (channel.isWritable()
                && ahead.readableBytes() <= server.settings().readAheadBytes());
    if (channel.isActive() && channel.config().isAutoRead() != reading) {
      channel.config().setAutoRead(reading);
    }
  }

  private void resume() {
    if (ahead.isReadable()) {
      ByteBuf next = ahead;
      ahead = Unpooled.EMPTY_BUFFER;
      read(next);
    } else {
      updateReading();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      // Not at once: this may be called from within a write.
      server.loop().execute(this::resume);
    } else {
      updateReading();
    }
  }

  private void readHead(ByteBuf in) {
    switch (scanner.scan(in)) {
      case INCOMPLETE -> {}
      case MALFORMED -> {
        answerBody = Body.SENT;
        refuse("400 Bad Request", scanner.refusal(), Then.CLOSE);
      }
      case COMPLETE -> {
        Head head = scanner.head();
        answerBody = head.methodIs(HEAD) ? Body.OMITTED : Body.SENT;
        afterAnswer =
            !head.keepAlive()
                ? Then.CLOSE
                : head.minorVersion() == 0 ? Then.KEEP_ALIVE_1_0 : Then.KEEP_ALIVE;
        framer.beginRequest(head);
        if (framer.ended()) {
          received();
        } else {
          state = State.BODY;
          if (head.expectsContinue() && !in.isReadable()) {
            channel.writeAndFlush(
                ByteBufUtil.writeAscii(channel.alloc(), CONTINUE), channel.voidPromise());
          }
        }
      }
    }
  }

  private void readBody(ByteBuf in) {
    int bytes = framer.measure(in);
    if (bytes == BodyFramer.MALFORMED) {
      refuse("400 Bad Request", "the chunked body is malformed", Then.CLOSE);
      return;
    }
    in.skipBytes(bytes);
    if (framer.ended()) {
      received();
    }
  }

  private void received() {
    receivedNanos = server.loop().nanos();
    long serviceNanos = serviceNanos(scanner.head());
    scanner.reset();
    state = State.HEAD;
    if (serviceNanos < 0) {
      refuse(
          "400 Bad Request",
          HeaderNames.SERVICE
              + ": not a number of nanoseconds from 0 to "
              + StubSettings.MAX_SERVICE_NANOS,
          afterAnswer);
      return;
    }
    inFlight = server.admit(this, receivedNanos, serviceNanos);
    if (inFlight == 0) {
      refuse("503 Service Unavailable", "the queue is at its limit", afterAnswer);
    } else {
      state = State.SERVED;
    }
  }

  // From the header, drawn if there is none, or -1.
  private long serviceNanos(Head head) {
    int field = head.find(HeaderNames.SERVICE);
    if (field < 0) {
      return Math.min(server.drawServiceNanos(), StubSettings.MAX_SERVICE_NANOS);
    }
    long nanos = head.number(field, -1);
    return nanos <= StubSettings.MAX_SERVICE_NANOS ? nanos : -1;
  }

  /// Writes the answer to the request that was served.
  void answer(long startNanos, long finishNanos, long nowNanos) {
    state = State.HEAD;
    write(
        server
            .template()
            .ok(
                channel.alloc(),
                new ResponseTemplate.Stamps(receivedNanos, startNanos, finishNanos, nowNanos),
                inFlight,
                answerBody,
                afterAnswer),
        afterAnswer);
    resume();
  }

  /// Closes the socket; the request, if there is one, is given up.
  void close() {
    channel.close();
  }

  private void refuse(String status, String reason, Then then) {
    write(server.template().refusal(channel.alloc(), status, reason, answerBody, then), then);
  }

  private void write(ByteBuf response, Then then) {
    if (then != Then.CLOSE) {
      channel.writeAndFlush(response, channel.voidPromise());
      return;
    }
    state = State.ENDED;
    channel.writeAndFlush(response).addListener((ChannelFutureListener) written -> finish());
  }

  // Closing at once would reset the connection if bytes are still unread, and take the answer with
  // it.
  private void finish() {
    if (channel instanceof DuplexChannel duplex && channel.isActive()) {
      duplex.shutdownOutput();
      linger = server.loop().at(server.loop().nanos() + LINGER_NANOS, this::close);
    }
  }
}
