package dev.herdlab.proxy;

import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The pools of one proxy instance: one for each backend of its set, in that order, and those of
/// backends that have left with requests in flight.
///
/// Cost: [#get] O(1), [#update] O(n). Owner thread: its loop's.
final class PoolSet {
  private final PreciseLoop loop;
  private final Bootstrap bootstrap;
  private final ProxySettings settings;
  private final List<BackendPool> leaving = new ArrayList<>();
  private List<BackendPool> pools = List.of();

  /// No pools.
  PoolSet(PreciseLoop loop, Bootstrap bootstrap, ProxySettings settings) {
    this.loop = loop;
    this.bootstrap = bootstrap;
    this.settings = settings;
  }

  /// The pool of the backend at `index` of the set.
  BackendPool get(int index) {
    return pools.get(index);
  }

  /// All pools of the set, in its order.
  List<BackendPool> all() {
    return pools;
  }

  /// Replaces the set. A backend that is in both, at the same address, keeps its pool; one that
  /// leaves keeps its connections until their requests end.
  void update(List<BackendAddress> backends) {
    Map<String, BackendPool> before = HashMap.newHashMap(pools.size());
    for (BackendPool pool : pools) {
      before.put(pool.backend().backend().id(), pool);
    }
    List<BackendPool> next = new ArrayList<>(backends.size());
    for (BackendAddress backend : backends) {
      BackendPool pool = before.get(backend.backend().id());
      if (pool != null && pool.backend().address().equals(backend.address())) {
        before.remove(backend.backend().id());
        next.add(pool);
      } else {
        next.add(new BackendPool(loop, bootstrap, backend, settings));
      }
    }
    for (BackendPool pool : pools) {
      if (before.get(pool.backend().backend().id()) == pool) {
        pool.close();
        leaving.add(pool);
      }
    }
    pools = List.copyOf(next);
    forgetEmpty();
  }

  private void forgetEmpty() {
    leaving.removeIf(pool -> pool.open() == 0);
  }

  /// Connections to backends, those that have left included.
  int open() {
    int open = 0;
    for (BackendPool pool : pools) {
      open += pool.open();
    }
    for (BackendPool pool : leaving) {
      open += pool.open();
    }
    return open;
  }

  /// Those of them that wait for use.
  int idle() {
    int idle = 0;
    for (BackendPool pool : pools) {
      idle += pool.idle();
    }
    return idle;
  }

  /// Closes the connections that have been idle for too long.
  void sweep(long nowNanos) {
    long idleLimit = nowNanos - settings.timeouts().backendIdle().toNanos();
    for (BackendPool pool : pools) {
      pool.closeIdleSince(idleLimit);
    }
    forgetEmpty();
  }

  void close() {
    for (BackendPool pool : pools) {
      pool.close();
    }
  }
}
