package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Ports;

/// HAProxy's `random(d)`: d draws on its ring, of which the one with the fewest requests in flight
/// for its weight; when two are equal, the one that was picked less often for its weight within the
/// last second, and else the later.
///
/// Cost: d times that of a draw. Owner thread: its balancer's.
/// Source: HAProxy src/backend.c `get_server_rnd`, src/freq_ctr.c (3.5-dev5, commit 50872da).
/// Deviation: a picked backend is never full, so HAProxy's own queue in front of all is not
/// entered.
final class HaproxyRandom implements Selector {
  private final int choices;
  private final HaproxyRing ring;
  private final Ports.NanoClock clock;
  private final PerBackend<PickRate> rates;

  HaproxyRandom(int choices, BackendSet backends, Ports ports) {
    this.choices = choices;
    this.ring = new HaproxyRing(backends, ports.random());
    this.clock = ports.clock();
    this.rates = new PerBackend<>(backends, newcomer -> new PickRate());
  }

  @Override
  public int select(LoadMetric metric, int size) {
    int best = ring.draw();
    for (int i = 1; i < choices; i++) {
      int drawn = ring.draw();
      if (drawn != best && !isBetter(metric, best, drawn)) {
        best = drawn;
      }
    }
    rates.get(best).add(clock.nanos());
    return best;
  }

  private boolean isBetter(LoadMetric metric, int earlier, int later) {
    double earlierLoad = metric.load(earlier);
    double laterLoad = metric.load(later);
    if (earlierLoad != laterLoad) {
      return earlierLoad < laterLoad;
    }
    Backend before = rates.backends().get(earlier);
    Backend after = rates.backends().get(later);
    long nowNanos = clock.nanos();
    return rates.get(earlier).perSecond(nowNanos) * after.weight()
        < rates.get(later).perSecond(nowNanos) * before.weight();
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    ring.update(after);
    rates.update(after);
  }
}
