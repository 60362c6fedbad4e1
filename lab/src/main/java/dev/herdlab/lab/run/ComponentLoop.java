package dev.herdlab.lab.run;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;

/// Makes the loop of a component's process from its settings. Owner thread: any (no state).
final class ComponentLoop {
  private ComponentLoop() {}

  /// A running loop.
  ///
  /// @throws ConfigException if real-time priority is not to be had
  static PreciseLoop start(String name, Settings settings) {
    if (settings.get(ComponentKeys.SPIN) > PreciseLoop.Settings.MAX_SPIN_NANOS) {
      throw settings.error(ComponentKeys.SPIN, "at most 1ms");
    }
    Scheduling scheduling =
        settings.get(ComponentKeys.PRIORITY).equals("real-time")
            ? Scheduling.REAL_TIME
            : Scheduling.DEFAULT;
    PreciseLoop loop =
        PreciseLoop.create(
            new PreciseLoop.Settings(name, settings.get(ComponentKeys.SPIN), scheduling));
    try {
      loop.start();
      return loop;
    } catch (SchedulingRefusedException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }
}
