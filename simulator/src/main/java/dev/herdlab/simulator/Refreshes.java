package dev.herdlab.simulator;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The instants at which the proxies' stale views are copied, in order: ideal ones that go on for
/// ever, or those that a run really saw. Owner thread: any (immutable).
public final class Refreshes {
  private final long[] instants;
  private final int[] proxies;
  private final long periodNanos;

  private Refreshes(long[] instants, int[] proxies, long periodNanos) {
    this.instants = instants;
    this.proxies = proxies;
    this.periodNanos = periodNanos;
  }

  /// No copies: for views that are always fresh.
  public static Refreshes none() {
    return new Refreshes(new long[0], new int[0], 0);
  }

  /// The ideal instants of every proxy under `view` ([RefreshSchedule]); those of one instant in
  /// the order of the proxies' numbers. None for a view that is always fresh.
  public static Refreshes ideal(ViewSpec view, long seed, int proxies) {
    if (!(view instanceof ViewSpec.SharedStale stale)) {
      return none();
    }
    record First(long nanos, int proxy) {}
    List<First> firsts = new ArrayList<>(proxies);
    for (int p = 0; p < proxies; p++) {
      firsts.add(new First(RefreshSchedule.of(stale, seed, p).instant(0), p));
    }
    // A stable sort: those of one instant stay in the order of the proxies.
    firsts.sort(Comparator.comparingLong(First::nanos));
    return new Refreshes(
        firsts.stream().mapToLong(First::nanos).toArray(),
        firsts.stream().mapToInt(First::proxy).toArray(),
        stale.refreshNanos());
  }

  /// Copies as really seen: at `instantNanos[j]` by `proxies[j]`, in this order.
  ///
  /// @throws IllegalArgumentException if the lengths differ, or time goes back
  public static Refreshes recorded(long[] instantNanos, int[] proxies) {
    if (instantNanos.length != proxies.length) {
      throw new IllegalArgumentException(
          "refreshes: "
              + instantNanos.length
              + " instants (expected: one for each of "
              + proxies.length
              + " proxies)");
    }
    for (int j = 1; j < instantNanos.length; j++) {
      if (instantNanos[j] < instantNanos[j - 1]) {
        throw new IllegalArgumentException(
            "refresh " + j + ": " + instantNanos[j] + " ns (expected: not before the last one)");
      }
    }
    return new Refreshes(instantNanos.clone(), proxies.clone(), 0);
  }

  /// The copies in a log of a run.
  public static Refreshes recorded(DispatchLog log) {
    long[] instants = new long[log.size()];
    int[] proxies = new int[log.size()];
    int[] count = {0};
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.REFRESH) {
            instants[count[0]] = nanos;
            proxies[count[0]++] = proxy;
          }
        });
    return recorded(Arrays.copyOf(instants, count[0]), Arrays.copyOf(proxies, count[0]));
  }

  /// A walk through the instants from the first.
  Cursor cursor() {
    return new Cursor(this);
  }

  /// One walk. Cost: O(1) a step. Owner thread: its model's.
  static final class Cursor {
    private final Refreshes refreshes;
    private long startNanos;
    private int at;

    private Cursor(Refreshes refreshes) {
      this.refreshes = refreshes;
    }

    /// Instant of the next copy; `Long.MAX_VALUE` when there is none.
    long nanos() {
      return at < refreshes.instants.length ? startNanos + refreshes.instants[at] : Long.MAX_VALUE;
    }

    /// The proxy that takes it.
    int proxy() {
      return refreshes.proxies[at];
    }

    void advance() {
      at++;
      if (at == refreshes.instants.length && refreshes.periodNanos > 0) {
        at = 0;
        startNanos += refreshes.periodNanos;
      }
    }
  }
}
