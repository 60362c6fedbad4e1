package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.transport.OwnPaths;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The probes of one proxy instance to one backend, on connections of their own: a probe never
/// waits behind a request, and takes no connection from one.
///
/// Connections are opened as they are needed, and kept. One carries one probe; so many probes are
/// under way at most, and one more is lost at once. A probe that has no good reply within its time
/// is lost, and its connection closed, so that the reply can't be taken for the next one's.
///
/// Cost of a probe: one write, one read, a deadline. Owner thread: its loop's.
final class ProbeLane {
  /// The most probes under way. A guess: at 240 probes a second, one that takes 1 ms is alone most
  /// of the time.
  static final int MOST = 4;

  private final PreciseLoop loop;
  private final Bootstrap bootstrap;
  private final BackendAddress backend;
  private final ProxySettings settings;
  private final BackendSignals signals;
  private final byte[] request;
  private final ArrayDeque<ProbeConnection> idle = new ArrayDeque<>(MOST);
  private final List<ProbeConnection> open = new ArrayList<>(MOST);

  ProbeLane(
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
    this.request =
        Wire.ascii(
            "GET " + OwnPaths.PROBE + " HTTP/1.1\r\nhost: " + backend.authority() + "\r\n\r\n");
  }

  /// Sends a probe, or loses it.
  void probe() {
    signals.probed();
    ProbeConnection connection = idle.poll();
    if (connection != null) {
      limit(connection);
      connection.ask();
    } else if (open.size() < MOST) {
      connect();
    } else {
      lost();
    }
  }

  private void limit(ProbeConnection connection) {
    long endNanos = loop.nanos() + settings.timeouts().probe().toNanos();
    connection.endsAt(loop.at(endNanos, connection::close));
  }

  private void connect() {
    ProbeConnection connection = new ProbeConnection(this, settings.headLimits());
    open.add(connection);
    limit(connection);
    var _ =
        bootstrap
            .clone()
            .handler(connection)
            .connect(backend.address())
            .addListener(
                done -> {
                  if (!done.isSuccess()) {
                    // Without a channel (no file descriptor left) Netty calls from a thread of its
                    // own.
                    loop.execute(connection::close);
                  }
                });
  }

  /// The bytes of a probe; the caller owns the buffer.
  ByteBuf request(ByteBufAllocator allocator) {
    return allocator.directBuffer(request.length).writeBytes(request);
  }

  /// A probe was answered.
  void replied(int inFlight, long latencyNanos) {
    signals.replied(new BackendSignal.ProbeReply(backend.backend().id(), inFlight, latencyNanos));
  }

  /// A probe will not be answered.
  void lost() {
    signals.lost();
  }

  /// A connection can carry another probe.
  void idle(ProbeConnection connection) {
    idle.push(connection);
  }

  /// A connection is gone.
  void closed(ProbeConnection connection) {
    idle.remove(connection);
    open.remove(connection);
  }

  /// Gives up what is under way, and closes all connections.
  void close() {
    List.copyOf(open).forEach(ProbeConnection::close);
  }
}
