package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;

/// A balancer that draws from shares which a rule makes of each copy of a stale view, by the
/// requests that are expected until the next one. On a view that is always fresh it is least-conn
/// with random ties: what any of the rules becomes as that number goes to nothing.
///
/// Cost: O(log n) and one draw a pick, O(n log n) once for each copy; O(n) on a fresh view. Owner
/// thread: its dispatcher's.
final class WaterFilling implements LoadBalancer {
  private final View view;
  private final Ports ports;
  private final Rule rule;
  private final ArrivalsPerCopy arrivals;
  private final FullScan leastConn;
  private final InFlight inFlight;
  private final WaterLevel level;
  private final Shares shares;
  private BackendSet backends;
  private boolean isNew = true;

  /// What makes shares of loads.
  interface Rule {
    /// Adds the shares of one copy to `shares`, which is empty.
    ///
    /// @param expected arrivals while the copy is shown, above 0, finite
    void fill(WaterLevel loads, double expected, Shares shares);

    /// A pick of its own, beside the shares; [Selector#NONE] if the shares are to decide.
    ///
    /// @param arrived requests of all proxies that are expected to have come since the copy
    default int pick(WaterLevel loads, double arrived, Ports.RandomSource random) {
      return Selector.NONE;
    }
  }

  WaterFilling(BackendSet backends, View view, Ports ports, Rule rule, ArrivalsPerCopy arrivals) {
    this.backends = backends;
    this.view = view;
    this.ports = ports;
    this.rule = rule;
    this.arrivals = arrivals;
    this.leastConn = new FullScan(FullScan.Ties.RANDOM, ports.random());
    this.inFlight = new InFlight(view);
    this.level = new WaterLevel(backends.size());
    this.shares = new Shares(backends.size());
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    return new Picked(backends, index(size));
  }

  private int index(int size) {
    if (view.refreshNanos() == 0) {
      return leastConn.select(inFlight, size);
    }
    isNew |= arrivals.picking();
    double expected = arrivals.expected();
    if (Double.isInfinite(expected)) {
      return ports.random().below(size);
    }
    if (isNew) {
      isNew = false;
      level.read(view);
      shares.clear(size);
      rule.fill(level, expected, shares);
    }
    double age = (double) view.ageNanos(ports.clock().nanos()) / view.refreshNanos();
    int own = rule.pick(level, expected * age, ports.random());
    return own == Selector.NONE ? shares.draw(ports.random()) : own;
  }

  @Override
  public void update(BackendSet next) {
    leastConn.update(backends, next);
    backends = next;
    level.resize(next.size());
    shares.clear(next.size());
    isNew = true;
  }
}
