package dev.herdlab.stub;

import dev.herdlab.stub.AnswerWriter.Body;
import dev.herdlab.stub.AnswerWriter.Stamps;
import dev.herdlab.stub.AnswerWriter.Then;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import dev.herdlab.transport.KnownField;
import dev.herdlab.workload.BackendFault;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;
import java.util.Optional;

/// One connection to a backend: it reads requests, one at a time, hands each to its server's engine
/// and writes the answer. What a proxy asks for itself is the affair of its [OwnRequests].
///
/// A request that was sent ahead is looked at once its predecessor is answered, and arrives then;
/// so answers are in order. A client that does not read its answers is not read either, once as
/// much of them waits as may wait. A client that closes, or half-closes, gives up its request.
/// Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // failed writes come to exceptionCaught
final class StubConnection extends ChannelInboundHandlerAdapter implements Exchange {
  private static final AsciiString HEAD = AsciiString.cached("HEAD");
  private static final AsciiString CONTINUE = AsciiString.cached("HTTP/1.1 100 Continue\r\n\r\n");
  private static final Answer NO_ANSWER = new Answer.Broken(new byte[0], Answer.Ending.CLOSE);
  private static final long UNNAMED = -1;
  private static final long MALFORMED = -2;
  private static final int UNCOUNTED = -1;
  // Longer than any service, and short enough to be added to an instant.
  private static final long FOREVER_NANOS = 2 * StubSettings.MAX_SERVICE_NANOS;
  // Where a status line has the first digit of its code.
  private static final int STATUS_CLASS = "HTTP/1.1 ".length();

  private final StubServer server;
  private final Channel channel;
  private final RequestReader reader;
  private final ConnectionOutput output;
  private final OwnRequests own;
  private State state = State.READING;
  // Bytes after the present request; owned here, released when looked at or when the connection
  // ends.
  private ByteBuf ahead = Unpooled.EMPTY_BUFFER;
  private long receivedNanos;
  // What the request says; UNNAMED if it says nothing.
  private long namedNanos;
  // How many requests were in flight before this one; UNCOUNTED if it is none itself.
  private int tag = UNCOUNTED;
  private boolean wantsReport;
  // When the client gives the request up, as it says; far away if it says nothing. It has left by
  // then for all that the servers do, however late that is noticed.
  private long givenUpNanos;
  // When the client of a counted request left, if the engine has not answered by then.
  private long leftNanos;
  private Answer answer = NO_ANSWER;
  private Body answerBody = Body.SENT;
  private Then afterAnswer = Then.KEEP_ALIVE;

  private enum State {
    /// A request is read.
    READING,
    /// The request is the engine's, which has not answered.
    TAKEN,
    /// The engine has answered, and the request is in the queue or in service.
    SERVED,
    /// Nothing is read until the client closes: a proxy listens for the backend to become idle, or
    /// has asked one that hangs.
    SILENT,
    /// The client has gone before the engine has answered a request that counts.
    LEFT,
    /// The last answer is written; what comes is dropped.
    ENDED
  }

  StubConnection(StubServer server, Channel channel) {
    this.server = server;
    this.channel = channel;
    this.reader = new RequestReader(server.engine().maxBodyBytes());
    this.output = new ConnectionOutput(server.loop(), channel);
    this.own = new OwnRequests(server, this, channel);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    server.opened(this);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    boolean counted = isCounted();
    state = counted && state == State.TAKEN ? State.LEFT : State.ENDED;
    long nowNanos = server.loop().nanos();
    leftNanos = nowNanos - givenUpNanos > 0 ? givenUpNanos : nowNanos;
    ahead.release();
    ahead = Unpooled.EMPTY_BUFFER;
    output.closed();
    server.idle().remove(own);
    server.closed(this, counted, leftNanos);
  }

  private boolean isCounted() {
    return tag != UNCOUNTED && (state == State.TAKEN || state == State.SERVED);
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
    boolean kept = false;
    try {
      while (in.isReadable() && state == State.READING && channel.isWritable()) {
        readSome(in);
      }
      if (in.isReadable() && state != State.ENDED) {
        ahead = in;
        kept = true;
      }
    } finally {
      if (!kept) {
        in.release();
      }
    }
    updateReading();
  }

  private void readSome(ByteBuf in) {
    switch (reader.read(in)) {
      case INCOMPLETE -> {}
      case HEAD -> {
        if (reader.head().expectsContinue() && !in.isReadable()) {
          channel.writeAndFlush(
              ByteBufUtil.writeAscii(channel.alloc(), CONTINUE), channel.voidPromise());
        }
      }
      case COMPLETE -> received();
      case MALFORMED -> refuseForGood("400 Bad Request", reader.refusal());
      case TOO_LARGE ->
          refuseForGood(
              "413 Content Too Large",
              "the body is longer than " + server.engine().maxBodyBytes() + " bytes");
    }
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

  private void received() {
    receivedNanos = server.loop().nanos();
    Head head = reader.head();
    answerBody = head.methodIs(HEAD) ? Body.OMITTED : Body.SENT;
    afterAnswer =
        !head.keepAlive()
            ? Then.CLOSE
            : head.minorVersion() == 0 ? Then.KEEP_ALIVE_1_0 : Then.KEEP_ALIVE;
    tag = UNCOUNTED;
    if (!own.took(head)) {
      requested(head);
    }
    reader.reset();
  }

  private void requested(Head head) {
    namedNanos = namedNanos(head);
    int limit = head.find(KnownField.X_HERDLAB_TIMEOUT);
    givenUpNanos =
        receivedNanos
            + (limit < 0
                ? FOREVER_NANOS
                : Math.min(FOREVER_NANOS, head.number(limit, FOREVER_NANOS)));
    int asked = head.find(KnownField.X_HERDLAB_REPORT);
    wantsReport = asked >= 0 && head.number(asked, 0) == 1;
    server.idle().heard(head);
    boolean aside = server.engine().aside(head);
    if (aside || accepted()) {
      tag = aside ? UNCOUNTED : server.enter(receivedNanos);
      state = State.TAKEN;
      server.engine().answer(this, head, reader.body());
    }
  }

  /// Answers a probe.
  void probed() {
    write(
        server
            .writer()
            .probed(channel.alloc(), server.inFlight(), server.latencyNanos(), afterAnswer),
        afterAnswer);
  }

  /// Writes no answer, and reads nothing more.
  void fallSilent() {
    state = State.SILENT;
  }

  /// Who asks.
  enum Asker {
    /// A client, whose request counts.
    CLIENT,
    /// A proxy for itself.
    PROXY
  }

  /// Has the fault in force end what was asked, if it is one that does so at once.
  ///
  /// @return whether it did
  boolean isFailed(Asker asker) {
    BackendFault fault = server.fault();
    return switch (fault.kind()) {
      case NONE, HANG -> false;
      case REFUSE, CLOSE -> {
        if (asker == Asker.CLIENT) {
          server.refused();
        }
        state = State.ENDED;
        close();
        yield true;
      }
      case STATUS -> {
        if (asker == Asker.CLIENT) {
          server.failed();
        }
        turnAway(Answer.text(fault.status() + " Fault", "the backend was told to fail so"));
        yield true;
      }
    };
  }

  private static long namedNanos(Head head) {
    int field = head.find(HeaderNames.SERVICE);
    if (field < 0) {
      return UNNAMED;
    }
    long nanos = head.number(field, MALFORMED);
    return nanos <= StubSettings.MAX_SERVICE_NANOS ? nanos : MALFORMED;
  }

  // Turns the request away unless it may be served.
  private boolean accepted() {
    if (namedNanos == MALFORMED) {
      refuse(
          "400 Bad Request",
          HeaderNames.SERVICE
              + ": not a number of nanoseconds from 0 to "
              + StubSettings.MAX_SERVICE_NANOS);
      return false;
    }
    if (isFailed(Asker.CLIENT)) {
      return false;
    }
    if (server.isFull(receivedNanos)) {
      server.failed();
      turnAway(Answer.SHED);
      return false;
    }
    return true;
  }

  private void refuse(String status, String reason) {
    server.refused();
    turnAway(Answer.text(status, reason));
  }

  private void refuseForGood(String status, String reason) {
    answerBody = Body.SENT;
    afterAnswer = Then.CLOSE;
    refuse(status, reason);
  }

  @Override
  public InetSocketAddress local() {
    return (InetSocketAddress) channel.localAddress();
  }

  @Override
  public InetSocketAddress remote() {
    return (InetSocketAddress) channel.remoteAddress();
  }

  @Override
  public void serve(Answer given) {
    serve(given, server.law());
  }

  @Override
  public void serve(Answer given, ServiceDraw otherwise) {
    if (state != State.TAKEN && state != State.LEFT) {
      return;
    }
    long serviceNanos = namedNanos == UNNAMED ? server.draw(otherwise) : namedNanos;
    if (state == State.LEFT) {
      state = State.ENDED;
      server.admitLeft(this, receivedNanos, serviceNanos, leftNanos);
    } else {
      state = State.SERVED;
      answer = given;
      server.admit(this, receivedNanos, serviceNanos);
    }
  }

  @Override
  public void reply(Answer.Response response) {
    if (isCounted()) {
      throw new IllegalStateException("reply: to a request that is counted (expected: serve)");
    }
    if (state == State.TAKEN) {
      turnAway(response);
      resume();
    }
  }

  /// Writes the answer to the request that was served.
  void deliver(long startNanos, long finishNanos, long nowNanos) {
    switch (answer) {
      case Answer.Response response -> {
        Then then = response.ending() == Answer.Ending.KEEP ? afterAnswer : Then.CLOSE;
        var stamps = new Stamps(receivedNanos, startNanos, finishNanos, nowNanos);
        write(
            server
                .writer()
                .served(channel.alloc(), response, stamps, tag + 1, load(), answerBody, then),
            then);
        resume();
      }
      case Answer.Broken broken -> {
        state = State.ENDED;
        output.breakOff(broken);
      }
    }
  }

  private Optional<BackendLoad> load() {
    return wantsReport ? Optional.of(server.load()) : Optional.empty();
  }

  /// Whether the answer to the request that is served says that it failed.
  boolean answerFails() {
    return switch (answer) {
      case Answer.Response response -> response.head()[STATUS_CLASS] == '5';
      case Answer.Broken broken -> true;
    };
  }

  /// How many requests were in flight before the one that is served.
  int tag() {
    return tag;
  }

  /// When the request that is served was received.
  long receivedNanos() {
    return receivedNanos;
  }

  /// Closes the socket; the request, if there is one, is given up.
  void close() {
    output.close();
  }

  /// Resets the connection; the request, if there is one, is given up.
  void reset() {
    output.reset();
  }

  /// Answers without service.
  void turnAway(Answer.Response response) {
    Then then = response.ending() == Answer.Ending.KEEP ? afterAnswer : Then.CLOSE;
    write(server.writer().unserved(channel.alloc(), response, load(), answerBody, then), then);
  }

  private void write(ByteBuf response, Then then) {
    state = then == Then.CLOSE ? State.ENDED : State.READING;
    output.write(response, then);
  }
}
