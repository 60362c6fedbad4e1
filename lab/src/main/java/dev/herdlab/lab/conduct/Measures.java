package dev.herdlab.lab.conduct;

import dev.herdlab.lab.metrics.LabMetrics;
import dev.herdlab.simulator.Quantiles;

/// Tells Prometheus of the phases. Owner thread: any.
record Measures(LabMetrics metrics) implements PhaseListener {
  @Override
  public void begun(Playing phase) {
    metrics.begin(phase.name(), phase.cell().plan(), phase.begins());
  }

  @Override
  public void predicted(Playing phase, Quantiles expected) {
    metrics.predict(phase.cell().plan(), expected);
  }

  @Override
  public void finished(Finished phase) {
    metrics.finish(phase.result(), phase.accounting());
  }
}
