package dev.herdlab.stub;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.OwnPaths;
import dev.herdlab.workload.BackendFault;
import io.netty.channel.Channel;
import io.netty.util.AsciiString;

/// What proxies ask a backend for themselves ([OwnPaths]) on one connection: a probe, or to hear
/// when the backend becomes idle. It is answered here, whatever the engine; neither queued nor
/// counted.
///
/// A backend that fails its requests is silent to its proxies, or as wrong.
///
/// Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // failed writes come to exceptionCaught
final class OwnRequests {
  private static final AsciiString GET = AsciiString.cached("GET");
  private static final AsciiString CHOICES = AsciiString.cached("?choices=");
  private static final long MALFORMED = -1;

  private final StubServer server;
  private final StubConnection connection;
  private final Channel channel;

  OwnRequests(StubServer server, StubConnection connection, Channel channel) {
    this.server = server;
    this.connection = connection;
    this.channel = channel;
  }

  /// Answers a request if it is one of these.
  ///
  /// @return whether it is
  boolean took(Head head) {
    if (!head.methodIs(GET)) {
      return false;
    }
    if (head.pathIs(OwnPaths.PROBE)) {
      probed();
      return true;
    }
    boolean listens = head.pathIs(OwnPaths.IDLE);
    if (listens) {
      listened(head);
    }
    return listens;
  }

  private void probed() {
    if (!isFailed()) {
      connection.probed();
    }
  }

  private void listened(Head head) {
    long choices = choices(head);
    if (choices < 1 || choices > IdleStreams.MOST_CHOICES || head.minorVersion() == 0) {
      connection.turnAway(
          Answer.text(
              "400 Bad Request",
              "expected: HTTP/1.1 and choices=1 to " + IdleStreams.MOST_CHOICES));
    } else if (!isFailed()) {
      connection.fallSilent();
      channel.writeAndFlush(server.writer().idleHead(channel.alloc()), channel.voidPromise());
      server.idle().add(this, head, (int) choices);
    }
  }

  private static long choices(Head head) {
    int from = head.pathEnd();
    int number = from + CHOICES.length();
    boolean named = number <= head.targetEnd() && head.text(from, number).contentEquals(CHOICES);
    return named ? head.number(number, head.targetEnd(), MALFORMED) : MALFORMED;
  }

  // Whether the backend's fault has dealt with it.
  private boolean isFailed() {
    if (server.fault().kind() == BackendFault.Kind.HANG) {
      connection.fallSilent();
      return true;
    }
    return connection.isFailed(StubConnection.Asker.PROXY);
  }

  /// The backend has become idle, and this connection's proxy is to hear of it; one that does not
  /// read is told nothing.
  void tellIdle() {
    if (channel.isWritable()) {
      channel.writeAndFlush(server.writer().notice(channel.alloc()), channel.voidPromise());
    }
  }
}
