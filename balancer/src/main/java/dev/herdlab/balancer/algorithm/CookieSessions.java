package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.View;

/// Sticky sessions by cookie: a request goes to the backend that its cookie names; without one, or
/// if that backend has left, to the one that an inner rule picks, whose name the host then gives
/// the client as a cookie.
///
/// Cost: a look-up by name, or the inner rule's. Owner thread: its dispatcher's.
/// Source: HAProxy doc/configuration.txt, `cookie NAME insert` (3.5-dev5, commit 50872da).
final class CookieSessions implements LoadBalancer {
  private final InFlight metric;
  private final Selector inner;
  private BackendSet backends;

  CookieSessions(BackendSet backends, View view, Selector inner) {
    this.metric = new InFlight(view);
    this.inner = inner;
    this.backends = backends;
  }

  @Override
  public Wants wants() {
    return new Wants(false, 0, true);
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int pinned = context.pinned().isEmpty() ? -1 : backends.indexOf(context.pinned());
    return new Picked(backends, pinned >= 0 ? pinned : inner.select(metric, backends.size()));
  }

  @Override
  public void update(BackendSet next) {
    inner.update(backends, next);
    backends = next;
  }
}
