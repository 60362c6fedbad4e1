package dev.herdlab.lab.conduct;

import dev.herdlab.simulator.Quantiles;

/// Hears of the phases: the live page, the metrics. Called on the conductor's threads, one at a
/// time for each method.
interface PhaseListener {
  /// A phase has begun: the proxies have switched.
  void begun(Playing phase);

  /// What the model expects of a phase, latencies in units.
  void predicted(Playing phase, Quantiles expected);

  /// A phase has been analysed.
  void finished(Finished phase);
}
