package dev.herdlab.stub;

import dev.herdlab.transport.AcceptPause;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.RandomStream;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One backend: its listening socket, its connections, its queue, and one deadline for the queue's
/// head.
///
/// Cost of a request: O(log backends) for the deadline. Owner thread: the pool's loop.
@SuppressWarnings("FutureReturnValueIgnored") // a close needs no answer
final class StubServer {
  // Pools of many proxies are warmed at once; the kernel lowers it to its own bound.
  private static final int BACKLOG = 4096;

  private final PreciseLoop loop;
  private final StubSettings settings;
  private final StubBackend backend;
  private final ServiceQueue queue;
  private final RandomStream random;
  private final ResponseTemplate template;
  private final AcceptPause pause;
  private final Set<StubConnection> connections = new HashSet<>();
  private final Runnable deliverDue = this::deliverDue;
  private @Nullable Channel listener;
  private @Nullable Deadline deadline;

  StubServer(PreciseLoop loop, StubSettings settings, StubBackend backend, AcceptPause pause) {
    this.loop = loop;
    this.settings = settings;
    this.backend = backend;
    this.queue = ServiceQueue.of(settings.deadlines(), backend.speed());
    this.random = RandomStream.of(settings.seed(), "stub-service/" + backend.id());
    this.template = new ResponseTemplate(backend.id(), settings.bodyBytes());
    this.pause = pause;
  }

  /// Begins to listen; the future's channel is the listening socket.
  ChannelFuture bind() {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loop.eventLoop())
            .channel(loop.serverChannelType())
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .handler(pause)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new StubConnection(StubServer.this, channel));
                  }
                })
            .bind(settings.host(), backend.port());
    listener = bound.channel();
    return bound;
  }

  /// One line for people.
  String whyNotBound(@Nullable Throwable cause) {
    return "backend %s: %s:%d: %s"
        .formatted(
            backend.id(),
            settings.host(),
            backend.port(),
            cause == null ? "not bound in time" : cause.getMessage());
  }

  StubSettings settings() {
    return settings;
  }

  PreciseLoop loop() {
    return loop;
  }

  ResponseTemplate template() {
    return template;
  }

  /// Requests waiting and in service.
  int inFlight() {
    return queue.size();
  }

  /// A service time for a request that brings none, by the seed and the order of arrivals here.
  long drawServiceNanos() {
    return settings.service().sampleNanos(random, settings.unitNanos());
  }

  /// Takes in a request, which then is in flight here until it is answered or [#cancel].
  ///
  /// @return requests in flight, this one included; 0 if it is refused since the queue is at its
  ///     limit
  int admit(StubConnection connection, long receivedNanos, long serviceNanos) {
    if (queue.size() == settings.queueLimit()) {
      return 0;
    }
    queue.admit(connection, receivedNanos, serviceNanos);
    if (queue.size() == 1) {
      awaitHead();
    }
    return queue.size();
  }

  /// Gives up the request of a connection, if it has one here.
  void cancel(StubConnection connection) {
    queue.cancel(connection, loop.nanos());
    awaitHead();
  }

  void opened(StubConnection connection) {
    connections.add(connection);
  }

  void closed(StubConnection connection) {
    connections.remove(connection);
    cancel(connection);
  }

  /// Closes the listening socket and every connection; what was in flight is lost.
  void close() {
    if (listener != null) {
      listener.close();
    }
    List.copyOf(connections).forEach(StubConnection::close);
  }

  private void awaitHead() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
    if (queue.size() > 0) {
      deadline = loop.at(queue.headFinishNanos(), deliverDue);
    }
  }

  private void deliverDue() {
    long nowNanos = loop.nanos();
    while (queue.size() > 0 && queue.headFinishNanos() - nowNanos <= 0) {
      FifoServer.Job<StubConnection> job = queue.removeHead(nowNanos);
      job.tag().answer(job.startNanos(), job.finishNanos(), nowNanos);
      nowNanos = loop.nanos();
    }
    awaitHead();
  }
}
