package dev.herdlab.stub;

import dev.herdlab.transport.AcceptPause;
import dev.herdlab.transport.PreciseLoop;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;

/// The stub backends of one process on one loop: each has a port of its own, one FIFO queue and one
/// server.
///
/// A request takes the service time in `x-herdlab-service` (nanoseconds at speed 1), or one drawn
/// from the law. It arrives when it has been read in full, and is answered at finish = max(arrival,
/// previous finish) + service / speed, an ideal instant: only the delivery can be late. A client
/// that leaves gives its remaining time back. The response carries the instants in
/// `x-herdlab-backend-stamps`, and the same for people in `Server-Timing`.
///
/// Refused: 400 for what is not HTTP/1.1 of unambiguous length or has no number for a service time,
/// 503 beyond the queue's limit. Idle connections are kept for ever, as a pool that was warmed
/// expects.
///
/// Cost: O(log n) a request for n backends, O(queue) for a cancellation. Threads: methods may be
/// called from any, unless they say so; the work is done on the loop.
public final class StubPool implements AutoCloseable {
  // What the loop is asked to do takes microseconds: a loop that needs longer hangs.
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final PreciseLoop loop;
  private final List<StubServer> servers;
  private volatile List<InetSocketAddress> addresses = List.of();

  /// A pool that does not listen yet.
  public StubPool(PreciseLoop loop, StubSettings settings) {
    this.loop = loop;
    var pause = new AcceptPause("backends");
    this.servers =
        settings.backends().stream()
            .map(backend -> new StubServer(loop, settings, backend, pause))
            .toList();
  }

  /// Binds every port. Not on the loop's thread.
  ///
  /// @throws IOException if one cannot be bound: backend, address and cause in one line; none is
  ///     bound then
  public void start() throws IOException {
    List<InetSocketAddress> bound = new ArrayList<>();
    for (StubServer server : servers) {
      ChannelFuture binding = onLoop(server::bind);
      if (!binding.awaitUninterruptibly(BOUND.toMillis()) || !binding.isSuccess()) {
        close();
        throw new IOException(server.whyNotBound(binding.cause()), binding.cause());
      }
      bound.add((InetSocketAddress) binding.channel().localAddress());
    }
    addresses = List.copyOf(bound);
  }

  /// Where each backend listens, in the order of the settings; empty before [#start].
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  /// Requests waiting and in service at all backends.
  public int inFlight() {
    return onLoop(() -> servers.stream().mapToInt(StubServer::inFlight).sum());
  }

  /// Requests waiting and in service at one backend, by its place in the settings.
  public int inFlight(int backend) {
    return onLoop(() -> servers.get(backend).inFlight());
  }

  /// Lets one backend die: its listening socket and its connections are closed, what it held is
  /// lost. It does not come back.
  ///
  /// @param backend its place in the settings
  public void kill(int backend) {
    onLoop(
        () -> {
          servers.get(backend).close();
          return true;
        });
  }

  /// Closes every socket. Idempotent; nothing is left to do once the loop is closed.
  @Override
  public void close() {
    try {
      for (int i = servers.size() - 1; i >= 0; i--) {
        kill(i);
      }
    } catch (RejectedExecutionException e) {
      // A loop that has ended has closed its channels.
    }
  }

  private <T> T onLoop(Callable<T> task) {
    try {
      return loop.call(task, BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
