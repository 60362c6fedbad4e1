package dev.herdlab.proxy;

import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.OwnPaths;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What one proxy instance hears of one backend's becoming idle: a response that does not end, a
/// line for each notice, on a connection of its own.
///
/// A stream that breaks, or is refused, is asked for again after a while that doubles from 50 ms to
/// 5 s (guesses), and begins anew once a stream is granted.
///
/// Cost of a notice: one read. Owner thread: its loop's.
final class IdleStream {
  private static final long FIRST_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int OK = 200;

  private final PreciseLoop loop;
  private final Bootstrap bootstrap;
  private final BackendAddress backend;
  private final ProxySettings settings;
  private final BackendSignals signals;
  private int choices;
  private long delayNanos = FIRST_DELAY_NANOS;
  private @Nullable Listener listener;
  private @Nullable Deadline retry;

  IdleStream(
      PreciseLoop loop,
      Bootstrap bootstrap,
      BackendAddress backend,
      ProxySettings settings,
      BackendSignals signals) {
    this.loop = loop;
    this.bootstrap = bootstrap;
    this.backend = backend;
    this.settings = settings;
    this.signals = signals;
  }

  /// Listens from now on.
  ///
  /// @param wanted of how many proxies the backend is to tell the one with the shortest queue; 0:
  ///     listens no more
  void listen(int wanted) {
    if (wanted == choices) {
      return;
    }
    choices = wanted;
    stop();
    if (wanted > 0) {
      connect();
    }
  }

  private void stop() {
    delayNanos = FIRST_DELAY_NANOS;
    if (retry != null) {
      retry.cancel();
      retry = null;
    }
    Listener last = listener;
    listener = null;
    if (last != null) {
      last.close();
    }
  }

  private void connect() {
    Listener next = new Listener();
    listener = next;
    var _ =
        bootstrap
            .clone()
            .handler(next)
            .connect(backend.address())
            .addListener(
                done -> {
                  if (!done.isSuccess()) {
                    // Without a channel (no file descriptor left) Netty calls from a thread of its
                    // own.
                    loop.execute(next::close);
                  }
                });
  }

  // One that was stopped is nobody's any more.
  private void gone(Listener last) {
    if (last == listener) {
      listener = null;
      retry = loop.at(loop.nanos() + delayNanos, this::connect);
      delayNanos = Math.min(2 * delayNanos, LONGEST_DELAY_NANOS);
    }
  }

  /// Whether the backend sends notices here.
  boolean isOpen() {
    return listener != null && listener.granted;
  }

  /// One attempt and, if it is granted, its stream.
  private final class Listener extends ChannelInboundHandlerAdapter {
    private final ResponseReader reader = new ResponseReader(settings.headLimits());
    private @Nullable Channel channel;
    private @Nullable Deadline deadline;
    private boolean granted;
    private boolean closed;

    void close() {
      if (!closed) {
        closed = true;
        granted = false;
        endDeadline();
        if (channel != null) {
          var _ = channel.close();
        }
        gone(this);
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
      if (closed) {
        var _ = context.close();
        return;
      }
      deadline = loop.at(loop.nanos() + settings.timeouts().connect().toNanos(), this::close);
      ByteBuf out = context.alloc().directBuffer();
      out.writeBytes(
          Wire.ascii(
              "GET %s?choices=%d HTTP/1.1\r\nhost: %s\r\n"
                  .formatted(OwnPaths.IDLE, choices, backend.authority())));
      signals.writeQueue(out);
      out.writeShort(Wire.CRLF);
      var _ = context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      try {
        if (!closed) {
          read(in);
        }
      } finally {
        in.release();
      }
    }

    private void read(ByteBuf in) {
      ResponseReader.Result result = reader.read(in, this::data);
      if (result == ResponseReader.Result.HEAD) {
        if (reader.head().status() != OK) {
          close();
          return;
        }
        granted = true;
        delayNanos = FIRST_DELAY_NANOS;
        endDeadline();
        result = reader.read(in, this::data);
      }
      if (result != ResponseReader.Result.INCOMPLETE) {
        close();
      }
    }

    private void data(ByteBuf in, int index, int bytes) {
      for (int at = index; at < index + bytes; at++) {
        if (in.getByte(at) == '\n' && !closed) {
          signals.becameIdle(backend.backend().id());
        }
      }
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
}
