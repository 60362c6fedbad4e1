package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.View;

/// Sticky sessions that the proxy remembers: a key goes where it went before; a new one, or one
/// whose backend has left, where an inner rule says.
///
/// Cost: O(1), and for a new session the inner rule's. Owner thread: its dispatcher's.
/// Source: see [SessionTable].
final class TabledSessions implements LoadBalancer {
  private final InFlight metric;
  private final Selector inner;
  private final SessionTable sessions;
  private final Ports.NanoClock clock;
  private BackendSet backends;

  TabledSessions(
      BackendSet backends,
      View view,
      Selector inner,
      SessionTable sessions,
      Ports.NanoClock clock) {
    this.metric = new InFlight(view);
    this.inner = inner;
    this.sessions = sessions;
    this.clock = clock;
    this.backends = backends;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    boolean keyed = context.key() != RequestKey.NONE;
    int index = keyed ? sessions.use(context.key(), clock.nanos()) : SessionTable.NONE;
    if (index == SessionTable.NONE) {
      index = inner.select(metric, backends.size());
      if (keyed) {
        sessions.put(context.key(), index, clock.nanos());
      }
    }
    return new Picked(backends, index);
  }

  @Override
  public void update(BackendSet next) {
    int[] moved = new int[backends.size()];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = next.indexOf(backends.get(i).id());
    }
    sessions.move(moved);
    inner.update(backends, next);
    backends = next;
  }
}
