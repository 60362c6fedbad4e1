package dev.herdlab.lab.conduct;

import dev.herdlab.simulator.Quantiles;
import java.util.List;

/// Several listeners as one. Owner thread: any (immutable).
record Everyone(List<PhaseListener> listeners) implements PhaseListener {
  Everyone {
    listeners = List.copyOf(listeners);
  }

  @Override
  public void begun(Playing phase) {
    listeners.forEach(listener -> listener.begun(phase));
  }

  @Override
  public void predicted(Playing phase, Quantiles expected) {
    listeners.forEach(listener -> listener.predicted(phase, expected));
  }

  @Override
  public void finished(Finished phase) {
    listeners.forEach(listener -> listener.finished(phase));
  }
}
