package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadScanner;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Optional;

/// The response of one exchange on its way to the client: interim heads at once, the final head
/// together with what came of the body, then the rest of that.
///
/// It decides nothing: whether to go on, and how the exchange ends, its exchange does.
///
/// Buffers: `head` is owned here until it is written or dropped. Owner thread: its exchange's.
final class ForwardedResponse {
  // A backend that sends nothing but interim responses is not answering.
  private static final int MAX_INTERIM = 16;

  private final ProxyInstance instance;
  private final ClientOutput output;
  private final HeadRewriter rewriter;
  private final Head request;
  private final BodyFramer framer = new BodyFramer();
  private ByteBuf head = Unpooled.EMPTY_BUFFER;
  private boolean begun;
  private boolean clientKeepAlive;
  private boolean backendKeepAlive;
  private int interim;
  // What the final head says of its attempt.
  private Optional<FailureKind> failure = Optional.empty();
  // What a cookie is to carry; empty: nothing.
  private String pinned = "";

  ForwardedResponse(
      ProxyInstance instance, ClientOutput output, HeadRewriter rewriter, Head request) {
    this.instance = instance;
    this.output = output;
    this.rewriter = rewriter;
    this.request = request;
  }

  /// Makes ready for a response.
  void reset() {
    begun = false;
    interim = 0;
    pinned = "";
  }

  /// Its client is to come back to this backend: the head will give it a cookie, if one can carry
  /// the id.
  void pin(String backend) {
    pinned = Cookies.canCarry(backend) ? backend : "";
  }

  /// Takes the head in, sends interim ones. At `COMPLETE` the scanner has the final one.
  HeadScanner.Result scan(HeadScanner scanner, ByteBuf in) {
    HeadScanner.Result result = scanner.scan(in);
    while (result == HeadScanner.Result.COMPLETE && scanner.head().status() < 200) {
      // The proxy offers no upgrade, so nobody may answer that it switches.
      if (scanner.head().status() == 101 || ++interim > MAX_INTERIM) {
        return HeadScanner.Result.MALFORMED;
      }
      interimHead(scanner.head());
      scanner.reset();
      result = scanner.scan(in);
    }
    return result;
  }

  /// Why an attempt failed that is answered so; empty if it did not.
  static Optional<FailureKind> failure(Head head) {
    if (head.status() < 500) {
      return Optional.empty();
    }
    return Optional.of(
        head.find(HeaderNames.REFUSAL) >= 0 ? FailureKind.SHED : FailureKind.ERROR_STATUS);
  }

  /// Makes a final head as the client gets it; it waits for [#write].
  ///
  /// @param bodyBytes that came with it
  /// @param stamps to be added, if the request wants them
  /// @return false if the client can't be given it
  boolean accept(Head from, int bodyBytes, ForwardedRequest asked, Stamps stamps) {
    framer.beginResponse(from, request.methodIs(Methods.HEAD));
    if (framer.length() == BodyFramer.Length.CHUNKED && request.minorVersion() == 0) {
      return false;
    }
    finalHead(from, bodyBytes, asked, stamps);
    return true;
  }

  private void interimHead(Head interimHead) {
    if (request.minorVersion() == 1) {
      ByteBuf out = output.allocate(rewriter.room(interimHead));
      rewriter.response(interimHead, out);
      out.writeShort(Wire.CRLF);
      output.write(out);
      output.flush();
    }
  }

  private void finalHead(Head from, int bodyBytes, ForwardedRequest asked, Stamps stamps) {
    failure = failure(from);
    backendKeepAlive = from.keepAlive() && !isUntilClose();
    // A request that is still on its way may never end: its connection is not kept.
    clientKeepAlive =
        request.keepAlive() && asked.ended() && !isUntilClose() && !instance.isDraining();
    head =
        output.allocate(rewriter.room(from) + Math.min(bodyBytes, ForwardedRequest.INLINE_BYTES));
    rewriter.response(from, head);
    HeadRewriter.connection(request, clientKeepAlive, head);
    if (!pinned.isEmpty()) {
      Cookies.set(head, pinned);
    }
    if (asked.wantsStamps()) {
      stamps.write(head, instance.number());
    }
    head.writeShort(Wire.CRLF);
  }

  /// How many of these bytes belong to the body, or [BodyFramer#MALFORMED].
  int measure(ByteBuf in) {
    return framer.measure(in);
  }

  /// Whether the last byte was measured.
  boolean ended() {
    return framer.ended();
  }

  /// Whether its end is the connection's.
  boolean isUntilClose() {
    return framer.length() == BodyFramer.Length.UNTIL_CLOSE;
  }

  /// Whether an interim response came.
  boolean hadInterim() {
    return interim > 0;
  }

  /// Whether the client may have got a part of it.
  boolean begun() {
    return begun;
  }

  /// Whether the client's connection is kept. Valid once the head is complete, as all below.
  boolean keepsClient() {
    return clientKeepAlive;
  }

  /// Whether the backend keeps its connection.
  boolean keepsBackend() {
    return backendKeepAlive;
  }

  /// What a response that came to its end means.
  Outcome outcome() {
    return failure.isPresent() ? new Outcome.Failed(failure.get()) : Outcome.SUCCEEDED;
  }

  /// Writes the head, if it waits, and the first `bytes` of `in`; takes that over.
  void write(ByteBuf in, int bytes) {
    begun = true;
    if (head.isReadable()) {
      ByteBuf first = head;
      head = Unpooled.EMPTY_BUFFER;
      if (bytes <= ForwardedRequest.INLINE_BYTES) {
        first.writeBytes(in, bytes);
        in.release();
        output.write(first);
        return;
      }
      output.write(first);
    }
    if (bytes == in.readableBytes()) {
      output.write(in);
    } else {
      output.write(in.readRetainedSlice(bytes));
      in.release();
    }
  }

  /// Forgets a head that waits.
  void drop() {
    head.release();
    head = Unpooled.EMPTY_BUFFER;
  }
}
