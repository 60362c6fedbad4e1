package dev.herdlab.simulator;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// When the true counts are copied and when the proxies' stale views begin to show a copy, in
/// order: ideal instants that go on for ever, or those that a run really saw. Owner thread: any
/// (immutable).
///
/// Ideally a view shows its copy from the instant of the copy on. A copy that came from other
/// processes was true some time before.
public final class Refreshes {
  /// Stands in the place of a proxy where a copy is taken.
  private static final int COPY = -1;

  private final List<Step> steps;
  private final int copies;
  private final long periodNanos;

  /// One thing that happens.
  ///
  /// @param nanos when
  /// @param proxy whose view begins to show the copy, or [#COPY]: the copy is taken
  /// @param copy its number, from 0
  /// @param picksNotIncluded how many of the proxy's last picks the copy does not know of
  private record Step(long nanos, int proxy, int copy, int picksNotIncluded) {}

  /// In order of time; of one instant copies come first, else they stay as they are.
  private static final Comparator<Step> IN_ORDER =
      Comparator.comparingLong(Step::nanos).thenComparing(step -> step.proxy() != COPY);

  private Refreshes(List<Step> steps, int copies, long periodNanos) {
    this.steps = steps.stream().sorted(IN_ORDER).toList();
    this.copies = copies;
    this.periodNanos = periodNanos;
  }

  /// No copies: for views that are always fresh.
  public static Refreshes none() {
    return new Refreshes(List.of(), 0, 0);
  }

  /// The ideal instants of every proxy under `view` ([RefreshSchedule]); those of one instant take
  /// the same copy, in the order of the proxies' numbers. None for a view that is always fresh.
  public static Refreshes ideal(ViewSpec view, long seed, int proxies) {
    if (!(view instanceof ViewSpec.SharedStale stale)) {
      return none();
    }
    Recorder recorder = new Recorder();
    for (int p = 0; p < proxies; p++) {
      recorder.refreshed(p, RefreshSchedule.of(stale, seed, p).instant(0));
    }
    return recorder.refreshes(stale.refreshNanos());
  }

  /// Copies as really seen: at `instantNanos[j]` by `proxies[j]`, in this order, each true at that
  /// instant.
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
    Recorder recorder = new Recorder();
    for (int j = 0; j < instantNanos.length; j++) {
      if (j > 0 && instantNanos[j] < instantNanos[j - 1]) {
        throw new IllegalArgumentException(
            "refresh " + j + ": " + instantNanos[j] + " ns (expected: not before the last one)");
      }
      recorder.refreshed(proxies[j], instantNanos[j]);
    }
    return recorder.refreshes(0);
  }

  /// The copies in a log of a run: each taken when the record says that it was true, and shown when
  /// the record says that a view took it. One whose contents are not in the log counts as true when
  /// it was first shown.
  public static Refreshes recorded(DispatchLog log) {
    Map<Long, Long> truthNanos = new HashMap<>();
    Recorder recorder = new Recorder();
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          switch (kind) {
            case SNAPSHOT -> truthNanos.putIfAbsent(argument, nanos);
            case REFRESH ->
                recorder.refreshed(
                    proxy, nanos, argument, truthNanos.getOrDefault(argument, nanos), value);
            case PICK,
                REFUSAL,
                WAIT,
                SUCCESS,
                FAILURE,
                CANCELLATION,
                COUNT,
                INSTALL,
                LEASE,
                UPDATE -> {}
            case PINNED, NUMBER, PROBE_REPLY, IDLE, REPORT -> {}
            case RETRY, HEDGE, OVER_BUDGET -> {}
          }
        });
    return recorder.refreshes(0);
  }

  /// Steps as they become known, and which copy has which name.
  private static final class Recorder {
    private final List<Step> steps = new ArrayList<>();
    private final Map<Long, Integer> copies = new HashMap<>();

    /// A view took a copy that is true now.
    void refreshed(int proxy, long nanos) {
      refreshed(proxy, nanos, nanos, nanos, 0);
    }

    /// A view took a copy.
    ///
    /// @param name equal names mean one copy
    /// @param truthNanos when it was true; not after now, whatever clocks say
    void refreshed(int proxy, long nanos, long name, long truthNanos, int picksNotIncluded) {
      Integer known = copies.get(name);
      int copy = known == null ? copies.size() : known;
      if (known == null) {
        copies.put(name, copy);
        steps.add(new Step(Math.min(truthNanos, nanos), COPY, copy, 0));
      }
      steps.add(new Step(nanos, proxy, copy, picksNotIncluded));
    }

    Refreshes refreshes(long periodNanos) {
      return new Refreshes(steps, copies.size(), periodNanos);
    }
  }

  /// Number of copies, within a period if they go on for ever.
  int copies() {
    return copies;
  }

  /// A walk through the steps from the first.
  Cursor cursor() {
    return new Cursor(this);
  }

  /// One walk. Cost: O(1) a step. Owner thread: its model's.
  static final class Cursor {
    private final Step[] steps;
    private final long periodNanos;
    private long startNanos;
    private int at;

    private Cursor(Refreshes refreshes) {
      this.steps = refreshes.steps.toArray(new Step[0]);
      this.periodNanos = refreshes.periodNanos;
    }

    /// Instant of the next step; `Long.MAX_VALUE` when there is none.
    long nanos() {
      return at < steps.length ? startNanos + steps[at].nanos : Long.MAX_VALUE;
    }

    /// Whether they are ideal instants that go on for ever.
    boolean goesOn() {
      return periodNanos > 0;
    }

    /// Whether a copy is taken, and not shown, by it.
    boolean isCopy() {
      return steps[at].proxy == COPY;
    }

    /// The copy that is taken or shown, from 0; in the next period the same ones are taken anew.
    int copy() {
      return steps[at].copy;
    }

    /// The proxy whose view begins to show the copy.
    int proxy() {
      return steps[at].proxy;
    }

    /// How many of that proxy's last picks the copy does not know of.
    int picksNotIncluded() {
      return steps[at].picksNotIncluded;
    }

    void advance() {
      at++;
      if (at == steps.length && periodNanos > 0) {
        at = 0;
        startNanos += periodNanos;
      }
    }
  }
}
