package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.transport.PreciseLoop;
import java.util.List;

/// Which backends the proxies of one process have, and how that changes: for all of them in one
/// step.
///
/// Cost: O(n) for each instance. Owner thread: its loop's.
final class Membership {
  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final Counts truth;
  private final List<ProxyInstance> instances;
  private BackendSet set;
  private List<BackendAddress> backends;

  /// The backends of the settings.
  ///
  /// @param set of these backends
  /// @param truth the counts of all instances together, on that set
  Membership(
      PreciseLoop loop,
      ProxySettings settings,
      BackendSet set,
      Counts truth,
      List<ProxyInstance> instances) {
    this.loop = loop;
    this.settings = settings;
    this.set = set;
    this.truth = truth;
    this.instances = instances;
    this.backends = settings.backends();
  }

  BackendSet set() {
    return set;
  }

  List<BackendAddress> backends() {
    return backends;
  }

  /// Replaces the backends, unless they are the same.
  ///
  /// @return version of the set
  long update(List<BackendAddress> next) {
    if (next.equals(backends)) {
      return set.version();
    }
    set = set.next(next.stream().map(BackendAddress::backend).toList());
    backends = next;
    truth.update(set);
    RuntimeException failure = null;
    for (ProxyInstance instance : instances) {
      instance.reach(next);
      try {
        instance.dispatcher().update(set);
      } catch (RuntimeException e) {
        // A balancer's own fault: the others must not be left on the last set.
        failure = e;
      }
    }
    for (int i = 0; i < next.size(); i++) {
      warm(i);
    }
    if (failure != null) {
      throw failure;
    }
    return set.version();
  }

  // Each by itself: one that can't be reached does not hold up the others.
  private void warm(int backend) {
    List<BackendPool> cold =
        instances.stream()
            .map(instance -> instance.pools().get(backend))
            .filter(pool -> pool.open() == 0)
            .toList();
    new WarmUp(loop, cold, settings.pool().warm()).start();
  }
}
