package dev.herdlab.workload;

/// The law that arrival instants follow, in nanoseconds since the start.
///
/// Owner thread: any (immutable; the stream, and what [#begin] gives, belong to the caller).
public interface ArrivalProcess {
  /// The process for one trace: what remembers its draws remembers those of one trace alone.
  default ArrivalProcess begin() {
    return this;
  }

  /// The next intended instant after `previousNanos`, later than it; the first follows instant 0.
  long nextNanos(long previousNanos, RandomStream random);

  /// The process that `spec` names, at `arrivalsPerUnit` per unit of `unitNanos`:
  ///
  /// | spec | process |
  /// |---|---|
  /// | `poisson` | independent exponential gaps |
  /// | `constant` | equal gaps |
  /// | `ramp(from=0.5,to=1.5,over=UNITS)` | Poisson of a changing rate |
  /// | `bursty(ratio=4,busy=20,quiet=60)` | Poisson of two rates that take turns |
  /// | `recorded(file=PATH)` | the gaps of a file |
  ///
  /// A ramp goes in a line, over its first `over` units, from `from` to `to` times the given rate,
  /// and stays there.
  ///
  /// Bursty arrivals are a Markov-modulated Poisson process of two states: busy for exponentially
  /// distributed times of mean `busy` units, quiet for `quiet` units likewise, with `ratio` times
  /// the rate while busy. Over long times the rate is the given one: quiet it is
  /// (busy + quiet) / (ratio busy + quiet) of that. It begins in either by its part of the time.
  ///
  /// Recorded gaps are one number a line, of any unit, scaled so that their mean rate is the given
  /// one, in their order from the first, and again from the first behind the last. Nothing is
  /// drawn: the seed changes everything but them.
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static ArrivalProcess parse(String spec, double arrivalsPerUnit, long unitNanos) {
    return ArrivalProcesses.parse(spec, arrivalsPerUnit, unitNanos);
  }

  /// The same spec for any working folder: a file that it names gets its absolute path, unless a
  /// spec cannot hold that.
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static String absolute(String spec) {
    return ArrivalProcesses.absolute(spec);
  }
}
