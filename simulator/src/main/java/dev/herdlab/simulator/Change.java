package dev.herdlab.simulator;

import dev.herdlab.workload.BackendFault;

/// One thing that is changed in a system while a trace runs. Backends are named by their number in
/// the set that the run has in all, whoever of them is a member at the moment.
///
/// Owner thread: any (immutable).
public sealed interface Change {
  /// A backend fails from now on, or works again.
  record Fault(int backend, BackendFault fault) implements Change {}

  /// A backend is of another speed from now on: what is left of a request in service, and all that
  /// waits, is served at it.
  ///
  /// @param speed above 0
  record Speed(int backend, double speed) implements Change {
    public Speed {
      if (!(speed > 0) || speed == Double.POSITIVE_INFINITY) {
        throw new IllegalArgumentException("speed: " + speed + " (expected: > 0)");
      }
    }
  }

  /// A backend has another weight from now on.
  ///
  /// @param weight above 0
  record Weight(int backend, int weight) implements Change {}

  /// A backend is no longer picked; what it has, it ends.
  record Leave(int backend) implements Change {}

  /// A backend that had left may be picked again; balancers know nothing of its past.
  record Join(int backend) implements Change {}

  /// All proxies get fresh balancers and views, with other coins; counts are kept.
  record Restart() implements Change {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    /// The seed of the coins after so many restarts in a run: a proxy that begins anew does not
    /// flip again what it flipped before.
    public static long seed(long runSeed, int restarts) {
      return restarts == 0 ? runSeed : (runSeed + restarts * GOLDEN) & Long.MAX_VALUE;
    }
  }

  /// A change and its instant.
  ///
  /// @param nanos since the trace's instant 0; of changes before it, and of equal instants, the
  ///     order is that of their list
  record Timed(long nanos, Change change) {}
}
