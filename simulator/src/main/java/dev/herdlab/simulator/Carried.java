package dev.herdlab.simulator;

import dev.herdlab.workload.Trace;

/// What a run of the model carries over from the balancers that were there before: each proxy's
/// first requests go where they are told, and at an instant of its own it gets the model's
/// balancer, with all that is in flight by then.
///
/// Owner thread: any (immutable).
public final class Carried {
  /// The backend of a request that goes where the proxy's own balancer sends it.
  public static final int OWN = -2;

  private static final Carried NONE = new Carried(new int[0], new long[0]);

  private final int[] told;
  private final long[] switchNanos;

  private Carried(int[] told, long[] switchNanos) {
    this.told = told;
    this.switchNanos = switchNanos;
  }

  /// Nothing: every proxy has its balancer from the start.
  public static Carried none() {
    return NONE;
  }

  /// Requests that are told where to go.
  ///
  /// @param told for each request of the trace its backend, [ModelRun#NO_BACKEND] if none took it,
  ///     or [#OWN]; once one of a proxy's is its own, all later ones are
  /// @param switchNanos for each proxy when it gets its balancer: before its first own request,
  ///     and after its last told one, whatever this says
  /// @throws IllegalArgumentException if the lengths are not those of the trace, or a proxy's told
  ///     request follows one of its own
  public static Carried of(Trace trace, int[] told, long[] switchNanos) {
    if (told.length != trace.size() || switchNanos.length != trace.proxies()) {
      throw new IllegalArgumentException(
          "carried: %d requests, %d proxies (expected: %d, %d)"
              .formatted(told.length, switchNanos.length, trace.size(), trace.proxies()));
    }
    boolean[] own = new boolean[trace.proxies()];
    for (int i = 0; i < told.length; i++) {
      if (told[i] != OWN && own[trace.proxy(i)]) {
        throw new IllegalArgumentException(
            "request %d: told, after one that proxy %d picks for itself (expected: before)"
                .formatted(i, trace.proxy(i)));
      }
      own[trace.proxy(i)] |= told[i] == OWN;
    }
    return new Carried(told.clone(), switchNanos.clone());
  }

  /// Whether there is nothing.
  boolean isNone() {
    return switchNanos.length == 0;
  }

  /// Where request `i` goes.
  int told(int i) {
    return told[i];
  }

  /// When proxy `p` gets its balancer.
  long switchNanos(int p) {
    return switchNanos[p];
  }
}
