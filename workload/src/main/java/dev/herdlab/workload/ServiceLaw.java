package dev.herdlab.workload;

/// The law that service times follow, in units of the model's time.
///
/// Owner thread: any (immutable; the stream belongs to the caller).
public interface ServiceLaw {
  /// The service time of a request that never ends: an hour, longer than any run.
  long NEVER_NANOS = 3_600_000_000_000L;

  /// One service time in units, at least 0.
  double sampleUnits(RandomStream random);

  /// One service time in nanoseconds, for a unit of `unitNanos`.
  default long sampleNanos(RandomStream random, long unitNanos) {
    return Math.round(sampleUnits(random) * unitNanos);
  }

  /// The spec that gives this law again, with all its parameters.
  String spec();

  /// The share of requests that never end.
  default double neverShare() {
    return 0;
  }

  /// The mean, in units.
  double meanUnits();

  /// The mean of the square, in units squared, from the closed form.
  double secondMomentUnits();

  /// The law that `spec` names:
  ///
  /// | spec | law |
  /// |---|---|
  /// | `lognormal(mu=-0.36,sigma=0.85)` | exp of a normal; mean 1.00125, or `mean=` |
  /// | `exponential(mean=1)` | |
  /// | `deterministic(mean=1)` | always the mean |
  /// | `pareto(alpha=1.5,low=1,high=1000,mean=1)` | bounded; only high / low counts |
  /// | `bimodal(short=1,long=10,share-long=0.1,mean=1)` | two values |
  /// | `empirical(file=PATH,mean=1)` | one of the file's samples at random |
  ///
  /// With `never=0.01` beside its other parameters, a law of any name has that share of requests
  /// which never end ([#NEVER_NANOS]); its moments are those of the others.
  ///
  /// The last three are scaled to their mean, whatever the mean of the values named.
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static ServiceLaw parse(String spec) {
    return ServiceLaws.parse(spec);
  }

  /// The same spec for any working folder: a file that it names gets its absolute path, unless
  /// commas or parentheses in that path cannot be written in a spec.
  ///
  /// @param spec one that [#parse] takes
  static String absolute(String spec) {
    return ServiceLaws.absolute(spec);
  }
}
