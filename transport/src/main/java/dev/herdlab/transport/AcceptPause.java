package dev.herdlab.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// What server channels do when no connection can be accepted, as when no file descriptor is left:
/// wait a moment, and say so in one line at most once a second, for all of them together.
///
/// Made for `ServerBootstrap.handler`. Netty's own answer is to pause for a second, in which the
/// kernel's queue of new connections overflows, and to log a stack trace each time; it hears of
/// nothing where this stands. Owner thread: the loop's, of which all channels must be.
@Sharable
public final class AcceptPause extends ChannelInboundHandlerAdapter {
  // Short beside the second after which a client sends its SYN again, long beside what a failing
  // accept costs.
  static final long PAUSE_MILLIS = 100;
  static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(AcceptPause.class);

  private final String who;
  private final Consumer<String> log;
  private boolean logged;
  private long loggedNanos;
  private long unlogged;

  /// @param who begins each line
  public AcceptPause(String who) {
    this(who, LOG::warn);
    // java.util.logging loads the time zones from a file with its first line; where that fails for
    // want of a file descriptor it fails for ever, and takes the loop with it.
    var _ = "%tc".formatted(ZonedDateTime.ofInstant(Instant.EPOCH, ZoneId.systemDefault()));
  }

  AcceptPause(String who, Consumer<String> log) {
    this.who = who;
    this.log = log;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Channel channel = context.channel();
    if (channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      var _ =
          context.executor().schedule(() -> resume(channel), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
    note(cause, context.executor().ticker().nanoTime());
  }

  private static void resume(Channel channel) {
    if (channel.isOpen()) {
      channel.config().setAutoRead(true);
    }
  }

  private void note(Throwable cause, long nowNanos) {
    if (logged && nowNanos - loggedNanos < LINE_NANOS) {
      unlogged++;
      return;
    }
    String more = unlogged == 0 ? "" : " (and " + unlogged + " times more since the last line)";
    log.accept(who + ": cannot accept a connection: " + cause.getMessage() + more);
    logged = true;
    loggedNanos = nowNanos;
    unlogged = 0;
  }
}
