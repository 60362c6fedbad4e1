package dev.herdlab.lab.run;

/// What all proxies are told to do from one instant on. Owner thread: any (immutable).
///
/// @param algorithm a spec such as `p2c(d=2)`
/// @param view a spec such as `shared-stale(refresh=4)`
/// @param unitNanos the unit of durations in them
/// @param seed of the coins and of the views' phases
/// @param phase a name for what is going on, for metrics; may be empty
/// @param recordEvents the most events that each process keeps of what its balancers see; 0: none
public record Balancing(
    String algorithm, String view, long unitNanos, long seed, String phase, int recordEvents) {
  public Balancing {
    if (unitNanos <= 0) {
      throw new IllegalArgumentException("unit: " + unitNanos + " ns (expected: > 0)");
    }
    if (recordEvents < 0) {
      throw new IllegalArgumentException("events: " + recordEvents + " (expected: >= 0)");
    }
  }
}
