package dev.herdlab.stub;

import dev.herdlab.transport.AcceptPause;
import dev.herdlab.transport.PreciseLoop;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;

/// The stub backends of one process on one loop: each has a port of its own, one FIFO queue and one
/// server. What they answer is their [Engine]'s affair.
///
/// A request takes the service time in `x-herdlab-service` (nanoseconds at speed 1), or one that
/// its engine gives it, or one drawn from the law. It arrives when it has been read in full, and is
/// answered at finish = max(arrival, previous finish) + service / speed, an ideal instant: only the
/// delivery can be late. A client that leaves gives its remaining time back. The response carries
/// the instants in `x-herdlab-backend-stamps`, and the same for people in `Server-Timing`.
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

  private final StubContext context;
  private final List<StubServer> servers;
  private final Map<String, StubServer> byId = new LinkedHashMap<>();
  private volatile List<InetSocketAddress> addresses = List.of();

  /// A pool with the fixed engine of `settings`, of which nobody hears; it does not listen yet.
  public StubPool(PreciseLoop loop, StubSettings settings) {
    this(loop, settings, Engine.fixed(settings.bodyBytes()), ServiceListener.NONE);
  }

  /// A pool that does not listen yet.
  ///
  /// @param engine this pool's own: it starts and closes it
  public StubPool(
      PreciseLoop loop, StubSettings settings, Engine engine, ServiceListener listener) {
    this.context = new StubContext(loop, settings, listener, engine);
    var pause = new AcceptPause("backends");
    this.servers =
        IntStream.range(0, settings.backends().size())
            .mapToObj(place -> new StubServer(context, place, pause))
            .toList();
    for (int i = 0; i < servers.size(); i++) {
      byId.put(settings.backends().get(i).id(), servers.get(i));
    }
  }

  /// Starts the engine and binds every port. Not on the loop's thread.
  ///
  /// @throws IOException if the engine cannot start, or if a port cannot be bound: backend, address
  ///     and cause in one line; none is bound then
  public void start() throws IOException {
    List<InetSocketAddress> bound = new ArrayList<>();
    try {
      context.engine().start(context.loop());
      for (StubServer server : servers) {
        ChannelFuture binding = onLoop(server::bind);
        await(server, binding);
        bound.add((InetSocketAddress) binding.channel().localAddress());
      }
    } catch (IOException e) {
      close();
      throw e;
    }
    addresses = List.copyOf(bound);
  }

  private static void await(StubServer server, ChannelFuture binding) throws IOException {
    if (!binding.awaitUninterruptibly(BOUND.toMillis()) || !binding.isSuccess()) {
      throw new IOException(server.whyNotBound(binding.cause()), binding.cause());
    }
  }

  /// Where each backend listens, in the order of the settings; empty before [#start].
  public List<InetSocketAddress> addresses() {
    return addresses;
  }

  /// What the pool is and has done.
  public StubState state() {
    return onLoop(
        () ->
            new StubState(
                context.lawSpec(),
                context.unitNanos(),
                servers.stream().map(StubServer::state).toList()));
  }

  /// Requests waiting and in service at all backends.
  public int inFlight() {
    return state().inFlight();
  }

  /// Requests waiting and in service at one backend, by its place in the settings.
  public int inFlight(int backend) {
    return state().backends().get(backend).inFlight();
  }

  /// Makes a change, all of it between the same two requests. No request is lost by it but those
  /// that a fault loses. On the loop's thread, too, where it does not wait for a backend to listen
  /// again.
  ///
  /// @return the instant on the loop's clock from which it holds
  /// @throws IllegalArgumentException if it names a backend that is not here, and nothing has
  ///     changed then; or a speed so low that what waits would not end in this century
  /// @throws IllegalStateException if a backend cannot listen again, in one line: it still refuses
  public long change(StubChange change) {
    for (String id : change.backends()) {
      if (!byId.containsKey(id)) {
        throw new IllegalArgumentException(
            "backend: \"" + id + "\" (expected: one of " + String.join(", ", byId.keySet()) + ")");
      }
    }
    Map<StubServer, ChannelFuture> bindings = new LinkedHashMap<>();
    long sinceNanos =
        onLoop(
            () -> {
              long nowNanos = context.loop().nanos();
              switch (change) {
                case StubChange.Service service -> context.changeLaw(service);
                case StubChange.Speeds speeds ->
                    speeds.speeds().forEach((id, speed) -> server(id).changeSpeed(speed, nowNanos));
                case StubChange.Faults faults -> bindings.putAll(apply(faults, nowNanos));
              }
              return nowNanos;
            });
    if (change instanceof StubChange.Faults && !context.loop().inLoop()) {
      try {
        for (Map.Entry<StubServer, ChannelFuture> each : bindings.entrySet()) {
          await(each.getKey(), each.getValue());
        }
      } catch (IOException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
      // Connections that were closed have given up their requests once this has run.
      inFlight();
    }
    return sinceNanos;
  }

  private Map<StubServer, ChannelFuture> apply(StubChange.Faults change, long nowNanos) {
    Map<StubServer, ChannelFuture> bindings = new LinkedHashMap<>();
    change
        .faults()
        .forEach(
            (id, fault) -> {
              ChannelFuture binding = server(id).changeFault(fault, nowNanos);
              if (binding != null) {
                bindings.put(server(id), binding);
              }
            });
    return bindings;
  }

  private StubServer server(String id) {
    StubServer server = byId.get(id);
    if (server == null) {
      throw new IllegalArgumentException("backend: \"" + id + "\" (expected: one that is here)");
    }
    return server;
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

  /// Closes every socket and the engine. Idempotent; nothing is left to do once the loop is closed.
  @Override
  public void close() {
    try {
      for (int i = servers.size() - 1; i >= 0; i--) {
        kill(i);
      }
    } catch (RejectedExecutionException e) {
      // A loop that has ended has closed its channels.
    }
    context.engine().close();
  }

  private <T> T onLoop(Callable<T> task) {
    try {
      return context.loop().call(task, BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
