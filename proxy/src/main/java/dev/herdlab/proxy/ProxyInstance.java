package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One proxy: a port, a dispatcher, a pool for each backend, and the connections of its clients.
///
/// Owner thread: its loop's.
final class ProxyInstance {
  private final int index;
  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final ExchangeListener exchanges;
  private final Dispatcher dispatcher;
  private final PoolSet pools;
  private final BackendSignals signals;
  private final List<ClientConnection> clients = new ArrayList<>();
  private int number;
  private View view = i -> 0;
  private @Nullable Channel server;
  private boolean draining;

  /// @param name what backends know it by; different from all others that they know
  ProxyInstance(
      int index,
      PreciseLoop loop,
      ProxySettings settings,
      Bootstrap bootstrap,
      BackendSet backends,
      Counts truth,
      Ports.NanoClock clock,
      DispatchListener dispatches,
      ExchangeListener exchanges,
      long name) {
    this.index = index;
    this.number = index;
    this.loop = loop;
    this.settings = settings;
    this.exchanges = exchanges;
    this.dispatcher = new Dispatcher(index, backends, truth, clock, dispatches);
    this.pools = new PoolSet(loop, bootstrap, settings);
    this.signals = new BackendSignals(loop, bootstrap, settings, dispatcher, name);
  }

  /// These may be reached from now on; the dispatcher is to be given the same.
  void reach(List<BackendAddress> backends) {
    pools.update(backends);
    signals.follow(pools.all());
  }

  /// Where it stands in its process, from 0.
  int index() {
    return index;
  }

  /// Its number in the whole system.
  int number() {
    return number;
  }

  void renumber(int next) {
    number = next;
  }

  ProxySettings settings() {
    return settings;
  }

  ExchangeListener exchanges() {
    return exchanges;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  PoolSet pools() {
    return pools;
  }

  BackendSignals signals() {
    return signals;
  }

  /// Its balancer has this view now.
  void sees(View next) {
    view = next;
  }

  long nanos() {
    return loop.nanos();
  }

  /// Runs a task of the loop at an exact instant.
  Deadline at(long nanos, Runnable task) {
    return loop.at(nanos, task);
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

  ProxyState.Connections connections() {
    long waiting = 0;
    for (ClientConnection client : clients) {
      waiting += client.waitingBytes();
    }
    return new ProxyState.Connections(clients.size(), pools.open(), pools.idle(), waiting);
  }

  /// @param views tell the age of its view
  ProxyState.Instance state(StaleViews views) {
    int size = dispatcher.backends().size();
    List<Integer> inFlight = new ArrayList<>(size);
    List<Integer> seen = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      inFlight.add(dispatcher.inFlight().inFlight(i));
      seen.add(view.inFlight(i));
    }
    return new ProxyState.Instance(
        number,
        server != null && server.localAddress() instanceof InetSocketAddress at ? at.getPort() : 0,
        dispatcher.picks(),
        dispatcher.inFlight().total(),
        inFlight,
        seen,
        views.ageNanos(index, loop.nanos()),
        views.refreshes(index),
        dispatcher.waiting(),
        connections(),
        signals.state(),
        dispatcher.attemptCounts());
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
    pools.sweep(nowNanos);
  }

  void close() {
    draining = true;
    if (server != null) {
      var _ = server.close();
    }
    while (!clients.isEmpty()) {
      clients.getLast().close();
    }
    signals.close();
    pools.close();
    dispatcher.uninstall();
  }
}
