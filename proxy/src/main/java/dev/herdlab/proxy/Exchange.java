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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One request and its response: from the pick to the last byte, failure or cancellation, when its
/// last lease is completed, each once. The same object serves one exchange of its client's
/// connection after another.
///
/// Of several attempts the first whose final head comes, other than with a failure, is the one
/// whose response the client gets; the others are cancelled then.
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
  private PickContext context = PickContext.PLAIN;
  private final Attempts attempts;
  // The attempt that was made last, then the one that is answered: which takes the request's body.
  private @Nullable Try current;

  private enum Phase {
    NONE,
    /// No backend has room: the dispatcher keeps the request.
    QUEUED,
    /// Attempts connect, or wait for a response.
    TRYING,
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
    this.attempts = new Attempts(instance, this, stamps);
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
    attempts.reset();
    limit.begin(head, stamps.receivedNanos);
    context = contexts.of(head, instance.dispatcher().wants().cookies());
    pinned = context.pinned();
    switch (instance.dispatcher().pick(context, this)) {
      case NoBackend none -> fail(FailureKind.NO_BACKEND);
      case Waiting place ->
          client.expireIn(instance.settings().timeouts().responseHead().toNanos());
      case Picked lease -> start(begin(lease));
    }
  }

  /// The wait for a backend is over, within the end of another exchange: that one's connection is
  /// not free yet, and this one is not to grow on its stack.
  @Override
  public void served(PickResult result) {
    Try first = result instanceof Picked lease ? begin(lease) : null;
    int exchange = exchanges;
    instance.execute(
        () -> {
          if (exchange != exchanges) {
            return; // It was given up meanwhile, as in the other cases below.
          }
          if (first == null) {
            if (phase == Phase.QUEUED) {
              fail(FailureKind.NO_BACKEND);
            }
            return;
          }
          if (!attempts.runs(first)) {
            return;
          }
          start(first);
          if (phase == Phase.TRYING && first.isForwarded()) {
            client.backendReady();
          }
        });
  }

  private Try begin(Picked lease) {
    return attempts.begin(context, lease, request.isRepeatable());
  }

  /// Makes an attempt that has its lease.
  void start(Try attempt) {
    phase = Phase.TRYING;
    current = attempt;
    stamps.of(attempt);
    connect(attempt, attempt.acquire());
  }

  // Known once and for all only when the response's head is there.
  private void pin(Try attempt) {
    String id = attempt.backendId();
    if (instance.dispatcher().wants().cookies() && !pinned.equals(id)) {
      response.pin(id);
    }
  }

  /// Ends a request that can't even be framed.
  void refused(FailureKind kind) {
    report.begin();
    report.end("", kind.label());
  }

  private void connect(Try attempt, @Nullable BackendConnection connection) {
    if (connection == null) {
      failed(attempt, FailureKind.POOL_EXHAUSTED);
    } else if (connection.isReady()) {
      forward(attempt, connection);
    } else {
      // Netty watches the time itself; this is for the case that it does not.
      client.expireIn(2 * instance.settings().timeouts().connect().toNanos());
    }
  }

  /// An attempt's connection is established.
  void connected(Try attempt) {
    BackendConnection to = attempt.connection();
    if (to != null) {
      forward(attempt, to);
      client.backendReady();
    }
  }

  private void forward(Try attempt, BackendConnection to) {
    // Of several, or once more after a connection that was closed at its reuse.
    request.sendTo(to);
    attempt.forwardedNanos = instance.nanos();
    if (attempt == current) {
      stamps.of(attempt);
    }
    expireAfterRequestBytes(attempt.forwardedNanos);
  }

  private @Nullable BackendConnection backend() {
    return current == null ? null : current.connection();
  }

  private void expireAfterRequestBytes(long nowNanos) {
    Timeouts timeouts = instance.settings().timeouts();
    client.expireAt(
        nowNanos
            + (request.ended() && phase == Phase.TRYING
                ? timeouts.responseHead().toNanos()
                : timeouts.progress().toNanos()));
  }

  /// Whether more of the request's body can be taken now.
  boolean acceptsBody() {
    BackendConnection backend = backend();
    return backend != null && backend.isReady() && !backend.isBlocked();
  }

  /// Whether the client should wait with its body until the backend has taken what there is.
  boolean isBackendBlocked() {
    BackendConnection backend = backend();
    return backend != null && backend.isBlocked();
  }

  /// Bytes that wait for the backend to take them.
  long waitingBytes() {
    BackendConnection backend = backend();
    return request.waitingBytes() + (backend == null ? 0 : backend.waitingBytes());
  }

  /// Forwards more of the request's body; takes it over.
  void requestBody(ByteBuf body, boolean ended) {
    BackendConnection backend = backend();
    if (backend == null) {
      body.release();
      return;
    }
    request.bodyTo(backend, body, ended);
    expireAfterRequestBytes(instance.nanos());
  }

  /// The client's read is over: what it brought is sent.
  void clientReadComplete() {
    BackendConnection backend = backend();
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
    BackendConnection backend = backend();
    if (backend != null) {
      backend.setReading(true);
    }
    if (phase == Phase.RESPONSE) {
      client.expireIn(instance.settings().timeouts().progress().toNanos());
    }
  }

  /// Takes what the backend of an attempt sent.
  void backendRead(Try attempt, ByteBuf in) {
    if (phase != Phase.RESPONSE && !headIsComplete(attempt, in)) {
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
      finish(attempt, bytes < in.readableBytes());
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
  private boolean headIsComplete(Try attempt, ByteBuf in) {
    BackendConnection from = attempt.connection();
    if (from == null) {
      return false;
    }
    HeadScanner.Result result = response.scan(from.scanner(), in);
    if (attempt.connection() == null) {
      // The client turned out to be gone when it was sent an interim response.
      response.drop();
      return false;
    }
    return switch (result) {
      case INCOMPLETE -> false;
      case COMPLETE -> isAnswered(attempt, from.scanner().head(), in.readableBytes());
      case MALFORMED -> {
        failed(attempt, FailureKind.BAD_RESPONSE);
        yield false;
      }
    };
  }

  private boolean isAnswered(Try attempt, Head answer, int bodyBytes) {
    Optional<FailureKind> failure = ForwardedResponse.failure(answer);
    if (failure.isPresent()) {
      // Before the lease ends, since a report comes with the response.
      observe(attempt, answer);
      if (attempts.goOnWithout(attempt, failure.get())) {
        return false;
      }
      if (!attempts.runs(attempt)) {
        fail(failure.get());
        return false;
      }
    }
    attempts.won(attempt);
    current = attempt;
    stamps.of(attempt);
    stamps.returnedNanos = instance.nanos();
    pin(attempt);
    if (!response.accept(answer, bodyBytes, request, stamps)) {
      fail(FailureKind.BAD_RESPONSE);
      return false;
    }
    phase = Phase.RESPONSE;
    return true;
  }

  // The lease ends and the connection is free before the client's bytes are sent: the last byte
  // from the backend is here already.
  private void finish(Try answered, boolean extraBytes) {
    BackendConnection used = answered.detach();
    current = null;
    phase = Phase.NONE;
    if (used != null) {
      hear(answered, used);
    }
    Outcome outcome = response.outcome();
    limit.end();
    attempts.finish(answered, outcome);
    report.end(answered.backendId(), ExchangeReport.label(outcome));
    if (used != null) {
      if (request.ended() && response.keepsBackend() && !extraBytes) {
        used.release(instance.nanos());
      } else {
        used.close();
      }
    }
  }

  // A failure's report was heard when its head came.
  private void hear(Try answered, BackendConnection from) {
    if (response.outcome() instanceof Outcome.Succeeded) {
      observe(answered, from.scanner().head());
    }
  }

  // The balancer hears of a load report right before the completion that it came with, or before a
  // failure's.
  private void observe(Try attempt, Head answer) {
    instance.signals().responded(attempt.backendId(), answer);
  }

  private void slowDown() {
    if (output.isBlocked()) {
      output.flush();
      BackendConnection backend = backend();
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

  /// The connection of an attempt is gone.
  ///
  /// @param broken whether it was reset, rather than closed in order
  void backendClosed(Try attempt, BackendConnection closed, boolean broken) {
    if (phase == Phase.RESPONSE && response.isUntilClose() && !broken) {
      hear(attempt, closed);
      finish(attempt, false);
      client.responseEnded(false);
    } else if (phase == Phase.TRYING
        && attempt.isForwarded()
        && request.isRepeatable()
        && closed.wasPooled()
        && !closed.scanner().started()
        && !response.hadInterim()) {
      // Closed at the moment of its reuse. Only a new connection is sure not to be in the same
      // state, and since that was not pooled, there is one repetition at most.
      connect(attempt, attempt.acquireNew());
    } else {
      failed(attempt, FailureKind.BACKEND_CLOSED);
    }
  }

  /// An attempt has failed; the exchange with it, if nothing else is tried and it has not begun to
  /// answer.
  void failed(Try attempt, FailureKind kind) {
    if (phase == Phase.RESPONSE || !attempts.goOnWithout(attempt, kind)) {
      fail(kind);
    }
  }

  /// The time-out of the present phase has passed.
  void expired() {
    switch (phase) {
      case NONE -> {}
      case QUEUED -> fail(FailureKind.NO_BACKEND);
      case TRYING -> {
        if (attempts.areConnecting()) {
          fail(FailureKind.CONNECT_TIMEOUT);
        } else {
          fail(
              request.ended() || isBackendBlocked()
                  ? FailureKind.RESPONSE_TIMEOUT
                  : FailureKind.REQUEST_TIMEOUT);
        }
      }
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
    String id = attempts.lastBackend();
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
    current = null;
    request.drop();
    response.drop();
    limit.end();
    attempts.endAll(outcome);
    report.end(attempts.lastBackend(), label);
  }
}
