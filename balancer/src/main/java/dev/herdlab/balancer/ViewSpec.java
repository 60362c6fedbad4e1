package dev.herdlab.balancer;

import java.util.List;

/// Which view a balancer gets, as written in an experiment: `local`, `shared`, `reported`,
/// or `shared-stale(refresh=R,own=false,phase=sync)`. Owner thread: any (immutable).
public sealed interface ViewSpec {
  /// What the proxy itself has in flight, and no more.
  record Local() implements ViewSpec {}

  /// The true counts, over all proxies, as they are now: an oracle.
  record Shared() implements ViewSpec {}

  /// What each backend said of itself in its last load report to this proxy.
  record Reported() implements ViewSpec {}

  /// A copy of the true counts.
  ///
  /// @param refreshNanos interval between copies, above 0
  /// @param ownPicks whether the proxy's picks since its copy that are still in flight are added
  /// @param phase whether all proxies copy at the same instants
  record SharedStale(long refreshNanos, OwnPicks ownPicks, Phase phase) implements ViewSpec {
    public SharedStale {
      if (refreshNanos <= 0) {
        throw new IllegalArgumentException("refresh: " + refreshNanos + " ns (expected: > 0)");
      }
    }
  }

  /// Whether own picks are added to the copy.
  enum OwnPicks {
    ADDED,
    IGNORED
  }

  /// When the proxies copy.
  enum Phase {
    /// All at 0, R, 2R, ...
    SYNC,
    /// Proxy p at u_p R + jR, u_p uniform.
    RANDOM
  }

  /// The parameters of `shared-stale`.
  List<Parameter> STALE_PARAMETERS =
      List.of(
          Parameter.duration("refresh", Parameter.REQUIRED, "interval between copies"),
          Parameter.toggle("own", "false", "add own picks since the copy that are still in flight"),
          Parameter.choice(
              "phase",
              List.of("sync", "random"),
              "sync",
              "all proxies copy at 0, R, 2R, ...; or proxy p at u_p R + jR, u_p uniform in [0, 1)"));

  /// Reads a view's text.
  ///
  /// @param unitNanos length of a unit, for durations given in units
  /// @throws SpecException if the text names no view or a parameter is wrong
  static ViewSpec parse(String text, long unitNanos) {
    Spec spec = Spec.parse("view", text);
    return switch (spec.name()) {
      case "local" -> {
        bind(spec, List.of(), unitNanos);
        yield new Local();
      }
      case "shared" -> {
        bind(spec, List.of(), unitNanos);
        yield new Shared();
      }
      case "reported" -> {
        bind(spec, List.of(), unitNanos);
        yield new Reported();
      }
      case "shared-stale" -> {
        Parameters bound = bind(spec, STALE_PARAMETERS, unitNanos);
        yield new SharedStale(
            bound.nanos("refresh"),
            bound.toggle("own") ? OwnPicks.ADDED : OwnPicks.IGNORED,
            bound.choice("phase").equals("sync") ? Phase.SYNC : Phase.RANDOM);
      }
      default ->
          throw spec.error(
              0, spec.name(), "local, shared, reported or shared-stale(refresh=R,own=,phase=)");
    };
  }

  private static Parameters bind(Spec spec, List<Parameter> declared, long unitNanos) {
    return Parameters.bind(spec, declared, unitNanos, Algorithms.builtIn());
  }
}
