package dev.herdlab.stub;

import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.ServiceLaw;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// One change of a running pool, made as a whole between two requests.
///
/// Owner thread: any (immutable).
public sealed interface StubChange {
  /// The ids of the backends that it names.
  Set<String> backends();

  /// Another law for requests that arrive from now on and name no service time. Each backend goes
  /// on in its stream of random numbers.
  ///
  /// @param unitNanos length of the law's unit; empty: as it was
  record Service(ServiceLaw law, OptionalLong unitNanos) implements StubChange {
    public Service {
      if (unitNanos.isPresent() && unitNanos.getAsLong() < 1) {
        throw new IllegalArgumentException(
            "unit: " + unitNanos.getAsLong() + " ns (expected: >= 1)");
      }
    }

    @Override
    public Set<String> backends() {
      return Set.of();
    }
  }

  /// Other speeds, from now on: what is left of the request in service, and all that waits, is
  /// served at the new speed.
  ///
  /// @param speeds by backend id, above 0; those not named keep theirs
  record Speeds(Map<String, Double> speeds) implements StubChange {
    public Speeds {
      speeds = Map.copyOf(speeds);
      speeds.forEach(
          (id, speed) -> {
            if (!(speed > 0) || speed == Double.POSITIVE_INFINITY) {
              throw new IllegalArgumentException("speed: " + speed + " (expected: > 0)");
            }
          });
    }

    @Override
    public Set<String> backends() {
      return speeds.keySet();
    }
  }

  /// Other faults, from now on.
  ///
  /// @param faults by backend id; those not named keep theirs
  record Faults(Map<String, BackendFault> faults) implements StubChange {
    public Faults {
      faults = Map.copyOf(faults);
    }

    @Override
    public Set<String> backends() {
      return faults.keySet();
    }
  }
}
