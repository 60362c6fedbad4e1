package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Ports;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One proxy: a port, a dispatcher, a pool for each backend, and the connections of its clients.
///
/// Owner thread: its loop's.
final class ProxyInstance {
  private final int number;
  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final Dispatcher dispatcher;
  private final BackendPool[] pools;
  private final List<ClientConnection> clients = new ArrayList<>();
  private @Nullable Channel server;
  private boolean draining;

  ProxyInstance(
      int number,
      PreciseLoop loop,
      ProxySettings settings,
      Bootstrap bootstrap,
      BackendSet backends,
      Counts truth,
      Ports.NanoClock clock,
      DispatchListener listener) {
    this.number = number;
    this.loop = loop;
    this.settings = settings;
    this.dispatcher = new Dispatcher(number, backends, truth, clock, listener);
    this.pools = new BackendPool[settings.backends().size()];
    for (int i = 0; i < pools.length; i++) {
      pools[i] = new BackendPool(loop, bootstrap, settings.backends().get(i).address(), settings);
    }
  }

  int number() {
    return number;
  }

  ProxySettings settings() {
    return settings;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  BackendPool pool(int backend) {
    return pools[backend];
  }

  long nanos() {
    return loop.nanos();
  }

  void execute(Runnable task) {
    loop.execute(task);
  }

  /// The channel that accepts this instance's clients.
  void listeningOn(Channel channel) {
    server = channel;
  }

  void opened(ClientConnection client) {
    client.index = clients.size();
    clients.add(client);
  }

  void closed(ClientConnection client) {
    if (client.index < 0) {
      return;
    }
    ClientConnection last = clients.removeLast();
    if (last != client) {
      clients.set(client.index, last);
      last.index = client.index;
    }
    client.index = -1;
  }

  /// Number of clients' connections.
  int clients() {
    return clients.size();
  }

  /// Bytes that wait in the connections of clients.
  long waitingBytes() {
    long bytes = 0;
    for (ClientConnection client : clients) {
      bytes += client.waitingBytes();
    }
    return bytes;
  }

  boolean isDraining() {
    return draining;
  }

  /// Accepts no more connections, closes the idle ones, and ends each other one with its present
  /// exchange.
  void drain() {
    draining = true;
    if (server != null) {
      var _ = server.close();
    }
    // From the end, since closing takes the last one to the place of the closed.
    for (int i = clients.size() - 1; i >= 0; i--) {
      clients.get(i).endIfIdle();
    }
  }

  /// Acts on every time-out that has passed.
  void sweep(long nowNanos) {
    for (int i = clients.size() - 1; i >= 0; i--) {
      if (i < clients.size()) {
        clients.get(i).expireIfDue(nowNanos);
      }
    }
    long idleLimit = nowNanos - settings.timeouts().backendIdle().toNanos();
    for (BackendPool pool : pools) {
      pool.closeIdleSince(idleLimit);
    }
  }

  void close() {
    draining = true;
    if (server != null) {
      var _ = server.close();
    }
    while (!clients.isEmpty()) {
      clients.getLast().close();
    }
    for (BackendPool pool : pools) {
      pool.close();
    }
    dispatcher.uninstall();
  }
}
