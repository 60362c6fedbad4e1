package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Waiter;
import dev.herdlab.balancer.Waiting;
import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadScanner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/// One request and its response: from the pick to the last byte, failure or cancellation, when its
/// lease is completed, once. The same object serves one exchange of its client's connection after
/// another.
///
/// Buffers: what a method takes it passes on or releases.
///
/// Cost: a request that comes in one read is one read, one write and one flush each way. Owner
/// thread: its loop's.
final class Exchange implements Waiter {
  private final ProxyInstance instance;
  private final ClientConnection client;
  private final ClientOutput output;
  private final PickContexts contexts;
  private final Head head;
  private final ForwardedRequest request;
  private final ForwardedResponse response;
  private final Stamps stamps = new Stamps();
  private final ExchangeReport report;
  private final TimeLimit limit;

  private Phase phase = Phase.NONE;
  private String pinned = "";
  private int exchanges;
  private @Nullable Picked picked;
  private @Nullable BackendPool pool;
  private @Nullable BackendConnection backend;

  private enum Phase {
    NONE,
    /// No backend has room: the dispatcher keeps the request.
    QUEUED,
    CONNECTING,
    WAITING,
    RESPONSE
  }

  /// @param head of the client's present request, whenever there is one
  Exchange(
      ProxyInstance instance,
      ClientConnection client,
      ClientOutput output,
      HeadRewriter rewriter,
      PickContexts contexts,
      Head head,
      ByteBufAllocator allocator) {
    this.instance = instance;
    this.client = client;
    this.output = output;
    this.report = new ExchangeReport(instance, stamps);
    this.limit = new TimeLimit(instance, this::exceeded);
    this.contexts = contexts;
    this.head = head;
    this.request = new ForwardedRequest(head, rewriter, instance.signals(), allocator);
    this.response = new ForwardedResponse(instance, output, rewriter, head);
  }

  /// Begins with a request's head and what came of its body.
  ///
  /// @param firstBody taken over
  /// @param ended whether that was all
  void begin(ByteBuf firstBody, boolean ended) {
    report.begin();
    request.begin(firstBody, ended);
    response.reset();
    phase = Phase.QUEUED;
    exchanges++;
    limit.begin(head, stamps.receivedNanos);
    PickContext context = contexts.of(head, instance.dispatcher().wants().cookies());
    pinned = context.pinned();
    switch (instance.dispatcher().pick(context, this)) {
      case NoBackend none -> fail(FailureKind.NO_BACKEND);
      case Waiting place ->
          client.expireIn(instance.settings().timeouts().responseHead().toNanos());
      case Picked lease -> connect(open(lease).acquire(this));
    }
  }

  /// The wait for a backend is over, within the end of another exchange: that one's connection is
  /// not free yet, and this one is not to grow on its stack.
  @Override
  public void served(PickResult result) {
    BackendPool of = result instanceof Picked lease ? open(lease) : null;
    int exchange = exchanges;
    instance.execute(
        () -> {
          if (exchange != exchanges || phase != Phase.QUEUED) {
            return; // It was given up meanwhile.
          }
          if (of == null) {
            fail(FailureKind.NO_BACKEND);
            return;
          }
          connect(of.acquire(this));
          if (phase == Phase.WAITING) {
            client.backendReady();
          }
        });
  }

  private BackendPool open(Picked lease) {
    picked = lease;
    stamps.pickedNanos = instance.nanos();
    String id = lease.backend().id();
    if (instance.dispatcher().wants().cookies() && !pinned.equals(id)) {
      response.pin(id);
    }
    // Kept with the lease: the set may be another one before this ends.
    BackendPool of = instance.pools().get(lease.index());
    pool = of;
    return of;
  }

  /// Ends a request that can't even be framed.
  void refused(FailureKind kind) {
    report.begin();
    report.end("", kind.label());
  }

  private void connect(@Nullable BackendConnection connection) {
    if (connection == null) {
      fail(FailureKind.POOL_EXHAUSTED);
      return;
    }
    backend = connection;
    phase = Phase.CONNECTING;
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
    request.sendTo(to);
    stamps.forwardedNanos = instance.nanos();
    expireAfterRequestBytes(stamps.forwardedNanos);
  }

  private void expireAfterRequestBytes(long nowNanos) {
    Timeouts timeouts = instance.settings().timeouts();
    client.expireAt(
        nowNanos
            + (request.ended() && phase == Phase.WAITING
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
    return request.waitingBytes() + (backend == null ? 0 : backend.waitingBytes());
  }

  /// Forwards more of the request's body; takes it over.
  void requestBody(ByteBuf body, boolean ended) {
    if (backend == null) {
      body.release();
      return;
    }
    request.bodyTo(backend, body, ended);
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
    }
    if (phase == Phase.RESPONSE) {
      client.expireIn(instance.settings().timeouts().progress().toNanos());
    }
  }

  /// Takes what the backend sent.
  void backendRead(ByteBuf in) {
    if (phase != Phase.RESPONSE && !headIsComplete(in)) {
      in.release();
      return;
    }
    int bytes = response.measure(in);
    if (bytes == BodyFramer.MALFORMED) {
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
    response.write(in, bytes);
    if (ended) {
      client.responseEnded(response.keepsClient());
    } else {
      slowDown();
    }
  }

  // A failure may begin the client's next exchange in this same object: nothing is touched after
  // it.
  private boolean headIsComplete(ByteBuf in) {
    if (backend == null) {
      return false;
    }
    HeadScanner.Result result = response.head(backend.scanner(), in, request, stamps);
    if (backend == null) {
      // The client turned out to be gone when it was sent an interim response.
      response.drop();
      return false;
    }
    return switch (result) {
      case INCOMPLETE -> false;
      case COMPLETE -> {
        phase = Phase.RESPONSE;
        yield true;
      }
      case MALFORMED -> {
        fail(FailureKind.BAD_RESPONSE);
        yield false;
      }
    };
  }

  // The lease ends and the connection is free before the client's bytes are sent: the last byte
  // from the backend is here already.
  private void finish(boolean extraBytes) {
    BackendConnection used = backend;
    backend = null;
    phase = Phase.NONE;
    if (used != null) {
      observe(used);
    }
    Outcome outcome = response.outcome();
    complete(outcome, ExchangeReport.label(outcome));
    if (used != null) {
      if (request.ended() && response.keepsBackend() && !extraBytes) {
        used.release(instance.nanos());
      } else {
        used.close();
      }
    }
  }

  // The balancer hears of a load report right before the completion that it came with.
  private void observe(BackendConnection used) {
    if (picked != null) {
      instance.signals().responded(picked.backend().id(), used.scanner().head());
    }
  }

  private void slowDown() {
    if (output.isBlocked()) {
      output.flush();
      if (output.isBlocked() && backend != null) {
        backend.setReading(false);
      }
    }
  }

  /// The backend's read is over: what it brought is sent.
  void backendReadComplete() {
    if (response.begun()) {
      output.flush();
    }
  }

  /// The backend's connection is gone.
  ///
  /// @param broken whether it was reset, rather than closed in order
  void backendClosed(BackendConnection closed, boolean broken) {
    backend = null;
    if (phase == Phase.RESPONSE && response.isUntilClose() && !broken) {
      observe(closed);
      finish(false);
      client.responseEnded(false);
    } else if (phase == Phase.WAITING
        && request.isRepeatable()
        && closed.wasPooled()
        && !closed.scanner().started()
        && !response.hadInterim()
        && pool != null) {
      // Closed at the moment of its reuse. Only a new connection is sure not to be in the same
      // state, and since that was not pooled, there is one repetition at most.
      connect(pool.acquireNew(this));
    } else {
      fail(FailureKind.BACKEND_CLOSED);
    }
  }

  /// The time-out of the present phase has passed.
  void expired() {
    switch (phase) {
      case NONE -> {}
      case QUEUED -> fail(FailureKind.NO_BACKEND);
      case CONNECTING -> fail(FailureKind.CONNECT_TIMEOUT);
      case WAITING ->
          fail(
              request.ended() || isBackendBlocked()
                  ? FailureKind.RESPONSE_TIMEOUT
                  : FailureKind.REQUEST_TIMEOUT);
      case RESPONSE -> {
        if (output.isBlocked()) {
          client.close();
        } else {
          fail(FailureKind.RESPONSE_TIMEOUT);
        }
      }
    }
  }

  private void exceeded() {
    fail(FailureKind.DEADLINE_EXCEEDED);
  }

  /// Ends the exchange with a failure, which the client is told if it still can be.
  void fail(FailureKind kind) {
    String id = picked == null ? "" : picked.backend().id();
    abandon(outcome(kind), kind.label());
    if (response.begun()) {
      client.abort(response.isUntilClose());
    } else {
      client.answer(kind, id, request.wantsStamps() ? stamps : null);
    }
  }

  // A client's own fault says nothing about the backend.
  private static Outcome outcome(FailureKind kind) {
    return switch (kind) {
      case BAD_REQUEST, REQUEST_TIMEOUT -> Outcome.CANCELLED;
      default -> new Outcome.Failed(kind);
    };
  }

  /// Ends the exchange, if there is one, because the client is gone.
  void cancel() {
    abandon(Outcome.CANCELLED, ExchangeListener.CANCELLED);
  }

  private void abandon(Outcome outcome, String label) {
    if (phase == Phase.QUEUED) {
      instance.dispatcher().leave(this);
    }
    phase = Phase.NONE;
    request.drop();
    response.drop();
    BackendConnection used = backend;
    backend = null;
    complete(outcome, label);
    if (used != null) {
      used.close();
    }
  }

  // The count is lowered before the balancer hears of it: one that throws is logged, and neither
  // side of the exchange suffers.
  private void complete(Outcome outcome, String label) {
    limit.end();
    Picked lease = picked;
    if (lease == null) {
      report.end("", label);
      return;
    }
    picked = null;
    pool = null;
    try {
      lease.complete(outcome);
    } catch (Throwable e) {
      Log.unexpected("balancer", e);
    }
    report.end(lease.backend().id(), label);
  }
}
