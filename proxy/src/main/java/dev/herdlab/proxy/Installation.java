package dev.herdlab.proxy;

import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.ViewSpec;
import java.util.Objects;

/// What the proxies of one process are told to do from now on: one command, obeyed as a whole.
/// Owner thread: any (immutable).
///
/// @param algorithm of every instance; each gets a fresh balancer
/// @param view of every instance; each gets a fresh one
/// @param viewText the view as it was written, for readers
/// @param seed of the coins, stream (seed, "coins", number of the instance), and of the view's
///     phase
/// @param epochNanos the instant on the loop's clock that dispatchers count from; a stale view's
///     copies are due at its schedule's instants from there, and if some have passed, one is made
///     up for at once
/// @param firstProxy number of the first instance, 0 to 2^24 - 1; the others follow
/// @param proxies number of all proxies of the system, as balancers are told; 0: no more than these
///     and those numbered before them
/// @param phase what people call the time from now on; may be empty
public record Installation(
    ConfiguredAlgorithm algorithm,
    ViewSpec view,
    String viewText,
    long seed,
    long epochNanos,
    int firstProxy,
    int proxies,
    String phase) {
  // What a log of dispatches can hold.
  private static final int MAX_PROXY = (1 << 24) - 1;

  public Installation {
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(view, "view");
    Objects.requireNonNull(viewText, "view text");
    Objects.requireNonNull(phase, "phase");
    if (firstProxy < 0 || firstProxy > MAX_PROXY) {
      throw new IllegalArgumentException(
          "first proxy: " + firstProxy + " (expected: 0 to " + MAX_PROXY + ")");
    }
    if (proxies < 0 || proxies > MAX_PROXY + 1) {
      throw new IllegalArgumentException(
          "proxies: " + proxies + " (expected: 0 to " + (MAX_PROXY + 1) + ")");
    }
  }

  /// Instances numbered from 0, no phase; the view's text has its durations in nanoseconds.
  public static Installation of(
      ConfiguredAlgorithm algorithm, ViewSpec view, long seed, long epochNanos) {
    return new Installation(algorithm, view, text(view), seed, epochNanos, 0, 0, "");
  }

  private static String text(ViewSpec view) {
    return switch (view) {
      case ViewSpec.Local local -> "local";
      case ViewSpec.Shared shared -> "shared";
      case ViewSpec.Reported reported -> "reported";
      case ViewSpec.SharedStale stale ->
          "shared-stale(refresh=%dns,own=%s,phase=%s)"
              .formatted(
                  stale.refreshNanos(),
                  stale.ownPicks() == ViewSpec.OwnPicks.ADDED,
                  stale.phase() == ViewSpec.Phase.SYNC ? "sync" : "random");
    };
  }

  /// Number of all proxies of the system, of which `here` are these.
  int proxiesOf(int here) {
    return Math.max(proxies, firstProxy + here);
  }

  /// Nanoseconds between the copies of its view; 0 if that is always fresh.
  public long refreshNanos() {
    return view instanceof ViewSpec.SharedStale stale ? stale.refreshNanos() : 0;
  }
}
