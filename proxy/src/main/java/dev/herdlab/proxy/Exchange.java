package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadScanner;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request and its response: from the pick to the last byte, failure or cancellation, when its
/// lease is completed, once. The same object serves one exchange of its client's connection after
/// another.
///
/// Buffers: `firstBody` is owned here until it is forwarded; what a method takes it passes on or
/// releases.
///
/// Cost: a request that comes in one read is one read, one write and one flush each way. Owner
/// thread: its loop's.
final class Exchange {
  /// Up to this size a body is copied behind its head, which is cheaper than a gathering write.
  static final int INLINE_BYTES = 2048;

  // A backend that sends nothing but interim responses is not answering.
  private static final int MAX_INTERIM = 16;
  // RFC 9110 section 9.2.2; the others may have had an effect already.
  private static final List<AsciiString> IDEMPOTENT =
      List.of(
          AsciiString.cached("GET"),
          AsciiString.cached("HEAD"),
          AsciiString.cached("OPTIONS"),
          AsciiString.cached("PUT"),
          AsciiString.cached("DELETE"),
          AsciiString.cached("TRACE"));

  private final ProxyInstance instance;
  private final ClientConnection client;
  private final HeadRewriter rewriter;
  private final Head request;
  private final BodyFramer response = new BodyFramer();
  private final Stamps stamps = new Stamps();

  private Phase phase = Phase.NONE;
  private @Nullable Picked picked;
  private @Nullable BackendConnection backend;
  private ByteBuf firstBody = Unpooled.EMPTY_BUFFER;
  private boolean requestEnded;
  private boolean repeatable;
  private boolean stamped;
  private boolean answered;
  private boolean clientKeepAlive;
  private boolean backendKeepAlive;
  private int interim;
  private int status;

  private enum Phase {
    NONE,
    CONNECTING,
    WAITING,
    RESPONSE
  }

  Exchange(ProxyInstance instance, ClientConnection client, HeadRewriter rewriter, Head request) {
    this.instance = instance;
    this.client = client;
    this.rewriter = rewriter;
    this.request = request;
  }

  /// Begins with a request's head and what came of its body.
  ///
  /// @param firstBody taken over
  /// @param ended whether that was all
  void begin(ByteBuf firstBody, boolean ended) {
    this.firstBody = firstBody;
    stamps.reset(instance.nanos());
    requestEnded = ended;
    repeatable = ended && !firstBody.isReadable() && isIdempotent();
    stamped = request.find(HeaderNames.REQUEST) >= 0;
    answered = false;
    interim = 0;
    phase = Phase.CONNECTING;
    switch (instance.dispatcher().pick(PickContext.PLAIN)) {
      case NoBackend none -> fail(FailureKind.NO_BACKEND);
      case Picked lease -> {
        picked = lease;
        stamps.pickedNanos = instance.nanos();
        connect(instance.pool(lease.index()).acquire(this));
      }
    }
  }

  private boolean isIdempotent() {
    for (AsciiString method : IDEMPOTENT) {
      if (request.methodIs(method)) {
        return true;
      }
    }
    return false;
  }

  private void connect(@Nullable BackendConnection connection) {
    if (connection == null) {
      fail(FailureKind.POOL_EXHAUSTED);
      return;
    }
    backend = connection;
    if (connection.isReady()) {
      forward(connection);
    } else {
      // Netty watches the time itself; this is for the case that it does not.
      client.expireIn(2 * instance.settings().timeouts().connect().toNanos());
    }
  }

  /// The backend's connection is established.
  void connected() {
    if (backend != null) {
      forward(backend);
      client.backendReady();
    }
  }

  /// The backend's connection could not be established.
  void connectFailed(FailureKind kind) {
    backend = null;
    fail(kind);
  }

  private void forward(BackendConnection to) {
    phase = Phase.WAITING;
    int bytes = firstBody.readableBytes();
    boolean inline = bytes <= INLINE_BYTES;
    ByteBuf out = client.allocate(rewriter.room(request) + (inline ? bytes : 0));
    rewriter.request(request, out);
    if (inline) {
      out.writeBytes(firstBody);
      firstBody.release();
      to.write(out);
    } else {
      to.write(out);
      to.write(firstBody);
    }
    firstBody = Unpooled.EMPTY_BUFFER;
    to.flush();
    stamps.forwardedNanos = instance.nanos();
    expireAfterRequestBytes(stamps.forwardedNanos);
  }

  private void expireAfterRequestBytes(long nowNanos) {
    Timeouts timeouts = instance.settings().timeouts();
    client.expireAt(
        nowNanos
            + (requestEnded && phase == Phase.WAITING
                ? timeouts.responseHead().toNanos()
                : timeouts.progress().toNanos()));
  }

  /// Whether more of the request's body can be taken now.
  boolean acceptsBody() {
    return backend != null && backend.isReady() && !backend.isBlocked();
  }

  /// Whether the client should wait with its body until the backend has taken what there is.
  boolean isBackendBlocked() {
    return backend != null && backend.isBlocked();
  }

  /// Bytes that wait for the backend to take them.
  long waitingBytes() {
    return firstBody.readableBytes() + (backend == null ? 0 : backend.waitingBytes());
  }

  /// Forwards more of the request's body; takes it over.
  void requestBody(ByteBuf body, boolean ended) {
    requestEnded = ended;
    if (backend == null) {
      body.release();
      return;
    }
    backend.write(body);
    if (ended || backend.isBlocked()) {
      backend.flush();
    }
    expireAfterRequestBytes(instance.nanos());
  }

  /// The client's read is over: what it brought is sent.
  void clientReadComplete() {
    if (backend != null) {
      backend.flush();
    }
  }

  /// The backend takes bytes again.
  void backendWritable() {
    client.backendReady();
  }

  /// The client takes bytes again.
  void clientWritable() {
    if (backend != null) {
      backend.setReading(true);
      client.expireIn(instance.settings().timeouts().progress().toNanos());
    }
  }

  /// Takes what the backend sent.
  void backendRead(ByteBuf in) {
    ByteBuf head = Unpooled.EMPTY_BUFFER;
    if (phase != Phase.RESPONSE) {
      head = responseHead(in);
      if (phase != Phase.RESPONSE) {
        in.release();
        return;
      }
    }
    int bytes = response.measure(in);
    if (bytes == BodyFramer.MALFORMED) {
      head.release();
      in.release();
      fail(FailureKind.BAD_RESPONSE);
      return;
    }
    boolean ended = response.ended();
    if (ended) {
      finish(bytes < in.readableBytes());
    } else {
      client.expireIn(instance.settings().timeouts().progress().toNanos());
    }
    answered = true;
    writeToClient(head, in, bytes);
    if (ended) {
      client.responseEnded(clientKeepAlive);
    } else {
      slowDown();
    }
  }

  // Returns the head as the client gets it, once it is complete, which is when the phase changes. A
  // failure may begin the client's next exchange in this same object: nothing is touched after it.
  private ByteBuf responseHead(ByteBuf in) {
    if (backend == null) {
      return Unpooled.EMPTY_BUFFER;
    }
    HeadScanner scanner = backend.scanner();
    HeadScanner.Result result = scanner.scan(in);
    while (result == HeadScanner.Result.COMPLETE && scanner.head().status() < 200) {
      // The proxy offers no upgrade, so nobody may answer that it switches.
      if (scanner.head().status() == 101 || ++interim > MAX_INTERIM) {
        result = HeadScanner.Result.MALFORMED;
      } else {
        interimHead(scanner.head());
        scanner.reset();
        result = scanner.scan(in);
      }
    }
    return switch (result) {
      case INCOMPLETE -> Unpooled.EMPTY_BUFFER;
      case COMPLETE -> finalHead(scanner.head(), in);
      case MALFORMED -> {
        fail(FailureKind.BAD_RESPONSE);
        yield Unpooled.EMPTY_BUFFER;
      }
    };
  }

  private ByteBuf finalHead(Head head, ByteBuf in) {
    stamps.returnedNanos = instance.nanos();
    status = head.status();
    response.beginResponse(head, request.methodIs(Methods.HEAD));
    if (response.length() == BodyFramer.Length.CHUNKED && request.minorVersion() == 0) {
      fail(FailureKind.BAD_RESPONSE);
      return Unpooled.EMPTY_BUFFER;
    }
    phase = Phase.RESPONSE;
    boolean untilClose = response.length() == BodyFramer.Length.UNTIL_CLOSE;
    backendKeepAlive = head.keepAlive() && !untilClose;
    // A request that is still on its way may never end: its connection is not kept.
    clientKeepAlive = request.keepAlive() && requestEnded && !untilClose && !instance.isDraining();
    ByteBuf out = client.allocate(rewriter.room(head) + Math.min(in.readableBytes(), INLINE_BYTES));
    rewriter.response(head, out);
    client.writeConnectionField(out, clientKeepAlive);
    if (stamped) {
      stamps.write(out, instance.number());
    }
    out.writeShort(Wire.CRLF);
    return out;
  }

  private void interimHead(Head head) {
    if (request.minorVersion() == 1) {
      ByteBuf out = client.allocate(rewriter.room(head));
      rewriter.response(head, out);
      out.writeShort(Wire.CRLF);
      client.write(out);
      client.flush();
    }
  }

  private void writeToClient(ByteBuf head, ByteBuf in, int bytes) {
    if (head.isReadable()) {
      if (bytes <= INLINE_BYTES) {
        head.writeBytes(in, bytes);
        in.release();
        client.write(head);
        return;
      }
      client.write(head);
    }
    if (bytes == in.readableBytes()) {
      client.write(in);
    } else {
      client.write(in.readRetainedSlice(bytes));
      in.release();
    }
  }

  // The lease ends and the connection is free before the client's bytes are sent: the last byte
  // from the backend is here already.
  private void finish(boolean extraBytes) {
    BackendConnection used = backend;
    backend = null;
    phase = Phase.NONE;
    complete(status >= 500 ? new Outcome.Failed(FailureKind.ERROR_STATUS) : Outcome.SUCCEEDED);
    if (used != null) {
      if (requestEnded && backendKeepAlive && !extraBytes) {
        used.release(instance.nanos());
      } else {
        used.close();
      }
    }
  }

  private void slowDown() {
    if (client.isBlocked()) {
      client.flush();
      if (client.isBlocked() && backend != null) {
        backend.setReading(false);
      }
    }
  }

  /// The backend's read is over: what it brought is sent.
  void backendReadComplete() {
    if (answered) {
      client.flush();
    }
  }

  /// The backend's connection is gone.
  ///
  /// @param broken whether it was reset, rather than closed in order
  void backendClosed(BackendConnection closed, boolean broken) {
    backend = null;
    if (phase == Phase.RESPONSE && response.length() == BodyFramer.Length.UNTIL_CLOSE && !broken) {
      finish(false);
      client.responseEnded(false);
    } else if (phase == Phase.WAITING
        && repeatable
        && closed.wasPooled()
        && !closed.scanner().started()
        && interim == 0
        && picked != null) {
      // Closed at the moment of its reuse. Only a new connection is sure not to be in the same
      // state.
      repeatable = false;
      phase = Phase.CONNECTING;
      connect(instance.pool(picked.index()).acquireNew(this));
    } else {
      fail(FailureKind.BACKEND_CLOSED);
    }
  }

  /// The time-out of the present phase has passed.
  void expired() {
    switch (phase) {
      case NONE -> {}
      case CONNECTING -> fail(FailureKind.CONNECT_TIMEOUT);
      case WAITING ->
          fail(
              requestEnded || isBackendBlocked()
                  ? FailureKind.RESPONSE_TIMEOUT
                  : FailureKind.REQUEST_TIMEOUT);
      case RESPONSE -> {
        if (client.isBlocked()) {
          client.close();
        } else {
          fail(FailureKind.RESPONSE_TIMEOUT);
        }
      }
    }
  }

  /// Ends the exchange with a failure, which the client is told if it still can be.
  void fail(FailureKind kind) {
    String id = picked == null ? "" : picked.backend().id();
    abandon(new Outcome.Failed(kind));
    if (answered) {
      client.abort(response.length() == BodyFramer.Length.UNTIL_CLOSE);
    } else {
      client.answer(kind, id, stamped ? stamps : null);
    }
  }

  /// Ends the exchange, if there is one, because the client is gone.
  void cancel() {
    abandon(Outcome.CANCELLED);
  }

  private void abandon(Outcome outcome) {
    phase = Phase.NONE;
    firstBody.release();
    firstBody = Unpooled.EMPTY_BUFFER;
    BackendConnection used = backend;
    backend = null;
    complete(outcome);
    if (used != null) {
      used.close();
    }
  }

  private void complete(Outcome outcome) {
    Picked lease = picked;
    if (lease != null) {
      picked = null;
      lease.complete(outcome);
    }
  }
}
