package dev.herdlab.proxy;

import dev.herdlab.transport.BodyFramer;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeadLimits;
import dev.herdlab.transport.HeaderNames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/// One connection for probes of a backend: it carries one at a time, and is closed when that is not
/// answered in time.
///
/// Owner thread: its loop's.
final class ProbeConnection extends ChannelInboundHandlerAdapter {
  private static final BodyFramer.Data DROPPED = (in, index, bytes) -> {};
  private static final int OK = 200;
  private static final long MISSING = -1;

  private final ProbeLane lane;
  private final ResponseReader reader;
  private State state = State.CONNECTING;
  private @Nullable Channel channel;
  private @Nullable Deadline deadline;

  private enum State {
    /// A probe waits for the connection.
    CONNECTING,
    /// A probe waits for its reply.
    ASKED,
    /// The reply was read up to its body.
    REPLIED,
    IDLE,
    CLOSED
  }

  /// A connection to be established, for a probe that waits for it.
  ProbeConnection(ProbeLane lane, HeadLimits limits) {
    this.lane = lane;
    this.reader = new ResponseReader(limits);
  }

  /// The present probe ends at this deadline, which calls [#close].
  void endsAt(Deadline next) {
    deadline = next;
  }

  /// Sends a probe on an idle connection.
  void ask() {
    state = State.ASKED;
    reader.reset();
    if (channel != null) {
      var _ = channel.writeAndFlush(lane.request(channel.alloc()), channel.voidPromise());
    }
  }

  /// Closes it; a probe without reply is lost.
  void close() {
    if (state == State.CLOSED) {
      return;
    }
    boolean lost = state == State.CONNECTING || state == State.ASKED;
    state = State.CLOSED;
    endDeadline();
    if (channel != null) {
      var _ = channel.close();
    }
    lane.closed(this);
    if (lost) {
      lane.lost();
    }
  }

  private void endDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (state == State.CONNECTING) {
      ask();
    } else {
      var _ = context.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      read(in);
    } finally {
      in.release();
    }
  }

  private void read(ByteBuf in) {
    if (state != State.ASKED && state != State.REPLIED) {
      // Nothing was asked: what comes can't be told from the next reply.
      close();
      return;
    }
    ResponseReader.Result result = reader.read(in, DROPPED);
    if (result == ResponseReader.Result.HEAD) {
      replied(reader.head());
      // The balancer may have been replaced by then.
      if (state == State.CLOSED) {
        return;
      }
      result = reader.read(in, DROPPED);
    }
    switch (result) {
      case INCOMPLETE -> {}
      case MALFORMED, HEAD -> close();
      case END -> {
        if (in.isReadable() || !reader.keepsAlive()) {
          close();
        } else {
          endDeadline();
          state = State.IDLE;
          lane.idle(this);
        }
      }
    }
  }

  private void replied(Head head) {
    state = State.REPLIED;
    long inFlight = number(head, HeaderNames.IN_FLIGHT);
    long latencyNanos = number(head, HeaderNames.LATENCY);
    if (head.status() == OK && inFlight != MISSING && latencyNanos != MISSING) {
      lane.replied((int) Math.min(inFlight, Integer.MAX_VALUE), latencyNanos);
    } else {
      lane.lost();
    }
  }

  private static long number(Head head, AsciiString name) {
    int field = head.find(name);
    return field < 0 ? MISSING : head.number(field, MISSING);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    close();
  }
}
