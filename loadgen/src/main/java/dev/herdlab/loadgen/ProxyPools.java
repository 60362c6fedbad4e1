package dev.herdlab.loadgen;

import dev.herdlab.transport.PreciseLoop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// The connections to all proxies: a pool for each number, which may change while requests run.
///
/// A proxy that stays keeps its connections, whatever its new number. Those of one that has left
/// are kept here until its last request has ended, which the time-out bounds. Owner thread: the
/// generator's loop.
final class ProxyPools {
  private final PreciseLoop loop;
  private final GeneratorSettings settings;
  private final Labels labels = new Labels();
  private final List<ConnectionPool> leaving = new ArrayList<>();
  private List<ConnectionPool> pools = List.of();

  /// One pool without connections for each proxy of the settings.
  ProxyPools(PreciseLoop loop, GeneratorSettings settings) {
    this.loop = loop;
    this.settings = settings;
    set(settings.proxies());
  }

  int size() {
    return pools.size();
  }

  /// The pool of proxy `number`; null if there is none.
  @Nullable ConnectionPool get(int number) {
    return number >= 0 && number < pools.size() ? pools.get(number) : null;
  }

  /// Connections that are open or opening.
  int connections() {
    return count(pools) + count(leaving);
  }

  /// From now on these are the proxies, in the order of their numbers.
  ///
  /// @return the pools that are new, without connections
  List<ConnectionPool> set(List<InetSocketAddress> addresses) {
    List<ConnectionPool> before = new ArrayList<>(pools);
    List<ConnectionPool> after = new ArrayList<>();
    List<ConnectionPool> added = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      ConnectionPool pool = takeFrom(before, address);
      if (pool == null) {
        pool = new ConnectionPool(loop, settings, address, labels, leaving::remove);
        added.add(pool);
      }
      pool.number(after.size());
      after.add(pool);
    }
    pools = List.copyOf(after);
    // Each may be gone before its leave returns.
    leaving.addAll(before);
    before.forEach(ConnectionPool::leave);
    return added;
  }

  /// Opens connections to each proxy until there are as many as the settings want.
  CompletableFuture<Void> warm() {
    List<CompletableFuture<Void>> warmed = new ArrayList<>();
    for (ConnectionPool pool : pools) {
      CompletableFuture<Void> future = new CompletableFuture<>();
      warmed.add(future);
      pool.warm(future);
    }
    return CompletableFuture.allOf(warmed.toArray(CompletableFuture<?>[]::new));
  }

  /// Closes all connections; requests that they carry fail as closed.
  void close() {
    pools.forEach(ConnectionPool::close);
    List.copyOf(leaving).forEach(ConnectionPool::close);
  }

  private static @Nullable ConnectionPool takeFrom(
      List<ConnectionPool> pools, InetSocketAddress address) {
    for (ConnectionPool pool : pools) {
      if (pool.address().equals(address)) {
        pools.remove(pool);
        return pool;
      }
    }
    return null;
  }

  private static int count(List<ConnectionPool> pools) {
    int count = 0;
    for (ConnectionPool pool : pools) {
      count += pool.size();
    }
    return count;
  }
}
