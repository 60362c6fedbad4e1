package dev.herdlab.lab.conduct;

import dev.herdlab.lab.run.CpuMeter;
import dev.herdlab.lab.run.Fleet;
import dev.herdlab.lab.run.ProcessState;
import java.util.List;
import java.util.Optional;

/// A phase that is over, but for its last requests. Owner thread: any (immutable).
///
/// @param playing the phase
/// @param before its processes when it began
/// @param after and when it ended; those that had ended by then are missing
/// @param machine cores used on the lab's machine, by the system and by others
/// @param recorded what the balancers saw until the next phase's switch; empty if none follows, so
///     that the proxies go on with the record
record Over(
    Playing playing,
    List<ProcessState> before,
    List<ProcessState> after,
    CpuMeter.Reading machine,
    Optional<Fleet.Recorded> recorded) {
  Over {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
