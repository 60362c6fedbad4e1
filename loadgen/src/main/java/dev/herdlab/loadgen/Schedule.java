package dev.herdlab.loadgen;

import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.List;

/// The intended instants of one run: those of its plan, through the changes of rate.
///
/// A change bends time for what has not been due yet: from then on the plan's time runs `factor`
/// times as fast. What was due keeps its instant, also when it has not been sent yet. Cost of an
/// instant: O(1) but for the few that were due at a change; of a change O(log n). At most as many
/// bends as requests. Owner thread: the generator's loop until the run has ended.
final class Schedule {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Trace plan;
  private final List<Leg> legs = new ArrayList<>();
  private long epochNanos;

  Schedule(Trace plan, long epochNanos) {
    this.plan = plan;
    this.epochNanos = epochNanos;
    legs.add(new Leg(0, 0, 0, 1));
  }

  /// From request `first` on, the plan's instant `plannedNanos` is at `nanos` since the epoch, and
  /// the plan's time runs `factor` times as fast.
  private record Leg(int first, long plannedNanos, long nanos, double factor) {
    long nanos(long planned) {
      long past = Math.max(0, planned - plannedNanos);
      return nanos + (factor == 1 ? past : Math.round(past / factor));
    }

    /// The inverse of [#nanos].
    long planned(long instant) {
      return plannedNanos + (long) Math.floor((instant - nanos) * factor);
    }
  }

  /// What the instants of trace and log count from; on the loop's clock.
  long epochNanos() {
    return epochNanos;
  }

  /// When request `i` is to be sent; on the loop's clock.
  long intendedNanos(int i) {
    return epochNanos + relativeNanos(i);
  }

  /// Requests whose intended instant is `nowNanos` or before.
  int due(long nowNanos) {
    int low = 0;
    int high = plan.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (intendedNanos(middle) - nowNanos <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// From `nowNanos` on the plan's time runs `factor` times as fast as planned. A run that has not
  /// begun begins the earlier, or later: its epoch moves.
  void setRate(double factor, long nowNanos) {
    Leg last = legs.getLast();
    long untilEpoch = epochNanos - nowNanos;
    if (untilEpoch > 0) {
      epochNanos = nowNanos + Math.round(untilEpoch * (last.factor / factor));
      legs.set(0, new Leg(0, 0, 0, factor));
      return;
    }
    int first = due(nowNanos);
    Leg next = new Leg(first, last.planned(-untilEpoch), -untilEpoch, factor);
    if (first == last.first) {
      legs.removeLast();
    }
    legs.add(next);
  }

  /// What is planned a second, on average over the run, while it sends; 0 before and after.
  double ratePerSecond(long nowNanos) {
    long lastNanos = plan.lastIntendedNanos();
    if (lastNanos == 0
        || nowNanos - epochNanos < 0
        || nowNanos - intendedNanos(plan.size() - 1) > 0) {
      return 0;
    }
    return plan.size() * NANOS_PER_SECOND / lastNanos * legs.getLast().factor;
  }

  /// The plan with its instants as they are now, and with `proxies`; itself if nothing differs.
  ///
  /// @param proxies of each request; negative where the plan's stands
  Trace executed(int[] proxies) {
    long[] intended = new long[plan.size()];
    int[] proxy = new int[plan.size()];
    boolean same = true;
    for (int i = 0; i < plan.size(); i++) {
      intended[i] = relativeNanos(i);
      proxy[i] = proxies[i] < 0 ? plan.proxy(i) : proxies[i];
      same &= intended[i] == plan.intendedNanos(i) && proxy[i] == plan.proxy(i);
    }
    return same ? plan : plan.executed(intended, proxy);
  }

  private long relativeNanos(int i) {
    int at = legs.size() - 1;
    while (legs.get(at).first > i) {
      at--;
    }
    return legs.get(at).nanos(plan.intendedNanos(i));
  }
}
