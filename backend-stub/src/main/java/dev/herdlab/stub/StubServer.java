package dev.herdlab.stub;

import dev.herdlab.transport.AcceptPause;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.LoadEstimate;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.Station;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One backend: its listening socket, its connections, its queue, and one deadline for the queue's
/// head.
///
/// Cost of a request: O(log backends) for the deadline. Owner thread: the pool's loop.
final class StubServer {
  // Pools of many proxies are warmed at once; the kernel lowers it to its own bound.
  private static final int BACKLOG = 4096;
  private static final long NOTHING = Long.MIN_VALUE;

  private final StubContext context;
  private final StubBackend backend;
  private final int place;
  private final Listening listening;
  private final ServiceQueue queue;
  private final RandomStream random;
  private final AnswerWriter writer;
  private final IdleStreams idle;
  // The one counter of what is in flight here, too.
  private final LoadEstimate estimate = new LoadEstimate(LoadEstimate.WINDOW_NANOS);
  private final Set<StubConnection> connections = new HashSet<>();
  // What waits for a fault to end, in the order of arrival; all in flight.
  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private final Runnable deliverDue = this::deliverDue;
  private BackendFault fault = BackendFault.NONE;
  // When what was held joined the queue: nothing joins it for an earlier instant.
  private long resumedNanos = Long.MIN_VALUE;
  private long served;
  private long refused;
  private long cancelled;
  private @Nullable Deadline deadline;

  private record Held(StubConnection connection, long serviceNanos) {}

  StubServer(StubContext context, int place, AcceptPause pause) {
    StubSettings settings = context.settings();
    this.context = context;
    this.place = place;
    this.backend = settings.backends().get(place);
    this.queue = ServiceQueue.of(settings.deadlines(), settings.queueing(), backend.speed());
    this.random = RandomStream.of(settings.seed(), "stub-service/" + backend.id());
    this.writer = new AnswerWriter(backend.id());
    this.idle = new IdleStreams(RandomStream.of(settings.seed(), "stub-idle/" + backend.id()));
    this.listening =
        new Listening(bootstrap(pause), new InetSocketAddress(settings.host(), backend.port()));
  }

  private ServerBootstrap bootstrap(AcceptPause pause) {
    return new ServerBootstrap()
        .group(loop().eventLoop())
        .channel(loop().serverChannelType())
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
            });
  }

  /// Begins to listen; the future's channel is the listening socket.
  ChannelFuture bind() {
    return listening.open();
  }

  /// One line for people.
  String whyNotBound(@Nullable Throwable cause) {
    return "backend %s: %s:%d: %s"
        .formatted(
            backend.id(),
            settings().host(),
            listening.address().getPort(),
            cause == null ? "not bound in time" : cause.getMessage());
  }

  StubSettings settings() {
    return context.settings();
  }

  PreciseLoop loop() {
    return context.loop();
  }

  Engine engine() {
    return context.engine();
  }

  AnswerWriter writer() {
    return writer;
  }

  BackendFault fault() {
    return fault;
  }

  /// The law in force.
  ServiceDraw law() {
    return context.law();
  }

  /// A service time for a request that names none, by the seed and the order of arrivals here.
  long draw(ServiceDraw draw) {
    return Math.clamp(draw.nanos(random), 0, StubSettings.MAX_SERVICE_NANOS);
  }

  /// The proxies that listen for it to become idle.
  IdleStreams idle() {
    return idle;
  }

  /// Requests in flight.
  int inFlight() {
    return estimate.inFlight();
  }

  /// How loaded it is.
  BackendLoad load() {
    long nowNanos = loop().nanos();
    return new BackendLoad(
        estimate.inFlight(),
        estimate.utilisation(nowNanos),
        estimate.ratePerSecond(nowNanos),
        estimate.errorsPerSecond(nowNanos));
  }

  /// How long a request that came now would take, going by those before it.
  long latencyNanos() {
    return estimate.latencyNanos(estimate.inFlight(), loop().nanos());
  }

  /// Whether no request may join at `nowNanos`: those that are done by then are not in its way,
  /// however late they are delivered.
  boolean isFull(long nowNanos) {
    int limit = settings().queueing().limit();
    return estimate.inFlight() >= limit && estimate.inFlight() - queue.finished(nowNanos) >= limit;
  }

  /// Counts a request in, which then is in flight here until it is delivered or its connection
  /// closes.
  ///
  /// @return requests in flight before it
  int enter(long nowNanos) {
    return estimate.arrived(nowNanos);
  }

  /// Takes a request that entered into the queue.
  void admit(StubConnection connection, long receivedNanos, long serviceNanos) {
    if (fault.kind() == BackendFault.Kind.HANG) {
      held.add(new Held(connection, serviceNanos));
      return;
    }
    queue.admit(connection, Math.max(receivedNanos, resumedNanos), serviceNanos);
    awaitHead();
  }

  /// Takes account of a request that was given up before its engine answered: until then it has
  /// waited, or kept the server busy, like any other.
  void admitLeft(StubConnection connection, long receivedNanos, long serviceNanos, long leftNanos) {
    if (fault.kind() != BackendFault.Kind.HANG) {
      queue.admit(connection, Math.max(receivedNanos, resumedNanos), serviceNanos);
      queue.cancel(connection, leftNanos);
    }
  }

  /// Counts a request that is turned away.
  void refused() {
    refused++;
    context.listener().refused(place);
  }

  /// Counts a request that is turned away by the backend's own fault, which its load tells of.
  void failed() {
    estimate.arrived(loop().nanos());
    estimate.failed(loop().nanos());
    refused();
  }

  void opened(StubConnection connection) {
    connections.add(connection);
  }

  /// Forgets a connection, and gives up its request.
  ///
  /// @param entered whether it has one here
  /// @param leftNanos when that was given up
  void closed(StubConnection connection, boolean entered, long leftNanos) {
    connections.remove(connection);
    if (!entered) {
      return;
    }
    cancelled++;
    estimate.cancelled(loop().nanos());
    held.removeIf(each -> each.connection() == connection);
    queue.cancel(connection, leftNanos);
    awaitHead();
    context.listener().cancelled(place);
    tellIfIdle();
  }

  // A backend that does not work is not idle.
  private void tellIfIdle() {
    if (estimate.inFlight() == 0 && fault.kind() == BackendFault.Kind.NONE) {
      idle.tell();
    }
  }

  /// Changes the speed, as [Station#changeSpeed] says.
  void changeSpeed(double speed, long nowNanos) {
    queue.changeSpeed(speed, nowNanos);
    awaitHead();
  }

  /// Changes the fault.
  ///
  /// @return the attempt to listen again, if that is needed; should it fail, this still refuses
  @Nullable ChannelFuture changeFault(BackendFault next, long nowNanos) {
    BackendFault last = fault;
    fault = next;
    if (last.kind() == BackendFault.Kind.HANG && next.kind() != BackendFault.Kind.HANG) {
      releaseHeld(nowNanos);
    }
    boolean refuses = next.kind() == BackendFault.Kind.REFUSE;
    if (refuses == (last.kind() == BackendFault.Kind.REFUSE)) {
      return null;
    }
    if (refuses) {
      listening.refuse();
      List.copyOf(connections).forEach(StubConnection::reset);
      return null;
    }
    return listening
        .open()
        .addListener(
            (ChannelFutureListener)
                bound -> {
                  if (!bound.isSuccess()) {
                    fault = BackendFault.REFUSE;
                  }
                });
  }

  private void releaseHeld(long nowNanos) {
    resumedNanos = nowNanos;
    for (Held each = held.poll(); each != null; each = held.poll()) {
      admit(each.connection(), resumedNanos, each.serviceNanos());
    }
  }

  /// What this is and has done.
  StubState.Backend state() {
    return new StubState.Backend(
        backend.id(),
        listening.address().getPort(),
        queue.speed(),
        fault,
        estimate.inFlight(),
        served,
        refused,
        cancelled,
        queue.busyNanos(loop().nanos()));
  }

  /// Closes the listening socket and every connection; what was in flight is lost.
  void close() {
    listening.close();
    List.copyOf(connections).forEach(StubConnection::close);
  }

  private void awaitHead() {
    long headNanos = queue.size() == 0 ? NOTHING : queue.headFinishNanos();
    if (deadline != null && deadline.nanos() == headNanos) {
      return;
    }
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
    if (queue.size() > 0) {
      deadline = loop().at(headNanos, deliverDue);
    }
  }

  private void deliverDue() {
    deadline = null;
    long nowNanos = loop().nanos();
    while (queue.size() > 0 && queue.headFinishNanos() - nowNanos <= 0) {
      Station.Job<StubConnection> job = queue.removeHead(nowNanos);
      StubConnection connection = job.tag();
      long receivedNanos = connection.receivedNanos();
      long startNanos = job.startNanos();
      long finishNanos = job.finishNanos();
      served++;
      if (connection.answerFails()) {
        estimate.failed(nowNanos);
      } else {
        estimate.finished(connection.tag(), finishNanos - receivedNanos, nowNanos);
      }
      connection.deliver(startNanos, finishNanos, nowNanos);
      context.listener().served(place, receivedNanos, startNanos, finishNanos, nowNanos);
      tellIfIdle();
      nowNanos = loop().nanos();
    }
    awaitHead();
  }
}
