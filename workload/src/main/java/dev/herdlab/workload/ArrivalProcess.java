package dev.herdlab.workload;

/// The law that arrival instants follow, in nanoseconds since the start.
///
/// Owner thread: any (immutable; the stream belongs to the caller).
public interface ArrivalProcess {
  /// The next intended instant after `previousNanos`, later than it; the first follows instant 0.
  long nextNanos(long previousNanos, RandomStream random);

  /// The process that `spec` names, at `arrivalsPerUnit` per unit of `unitNanos`:
  ///
  /// | spec | process |
  /// |---|---|
  /// | `poisson` | independent exponential gaps |
  /// | `constant` | equal gaps |
  /// | `ramp(from=0.5,to=1.5,over=UNITS)` | Poisson of a changing rate |
  ///
  /// A ramp goes in a line, over its first `over` units, from `from` to `to` times the given rate,
  /// and stays there.
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static ArrivalProcess parse(String spec, double arrivalsPerUnit, long unitNanos) {
    return ArrivalProcesses.parse(spec, arrivalsPerUnit, unitNanos);
  }
}
