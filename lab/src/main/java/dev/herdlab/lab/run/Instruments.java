package dev.herdlab.lab.run;

import dev.herdlab.lab.twin.Readings;
import java.util.List;
import java.util.Optional;

/// What watches a measured run from beside it: stalls, CPU, the collector. Where the components are
/// processes of their own, each of them watches, and only what they saw of stalls and collections
/// counts.
///
/// Owner thread: its starter's; one use.
final class Instruments implements AutoCloseable {
  private final HiccupMonitor hiccups = new HiccupMonitor();
  private final HiccupMonitor.Watch stalls = hiccups.watch();
  private final GcMeter gc = new GcMeter();
  private final CpuMeter cpu = CpuMeter.start();
  private final List<ProcessState> before;

  private Instruments(List<ProcessState> before) {
    this.before = List.copyOf(before);
  }

  /// Begins to watch this process, in which everything happens.
  static Instruments start() {
    return start(List.of());
  }

  /// Begins to watch.
  ///
  /// @param processes in which the components are, as they are now
  static Instruments start(List<ProcessState> processes) {
    Instruments instruments = new Instruments(processes);
    instruments.hiccups.start();
    return instruments;
  }

  /// Ends watching of one process.
  ///
  /// @param inFlight what the proxies still count now that all is quiet
  /// @param connectionsOpened by the generator while the clock ran
  /// @param scheduling how the loops were scheduled
  /// @param loopFailure the first error of a loop's task, if any
  Readings stop(
      long inFlight, int connectionsOpened, String scheduling, Optional<String> loopFailure) {
    CpuMeter.Reading cores = cpu.stop(0);
    return new Readings(
        stalls.longestNanos(),
        cores.othersCores(),
        cores.ownCores(),
        gc.nanos(),
        inFlight,
        connectionsOpened,
        scheduling,
        loopFailure);
  }

  /// Ends watching of several.
  ///
  /// @param after what those say now that still answer; the CPU that the others used counts as
  ///     somebody else's
  Readings stop(long inFlight, int connectionsOpened, String scheduling, List<ProcessState> after) {
    long stall = 0;
    long pause = 0;
    long used = 0;
    Optional<String> failure = Optional.empty();
    for (ProcessState now : after) {
      ProcessState then = then(now);
      stall = Math.max(stall, now.stallNanos());
      pause = Math.max(pause, now.gcNanos() - then.gcNanos());
      used += now.cpuNanos() - then.cpuNanos();
      failure = failure.or(now::loopFailure);
    }
    CpuMeter.Reading cores = cpu.stop(used);
    return new Readings(
        stall,
        cores.othersCores(),
        cores.ownCores(),
        pause,
        inFlight,
        connectionsOpened,
        scheduling,
        failure);
  }

  /// The same process at the start; a new one had used nothing then.
  private ProcessState then(ProcessState now) {
    return before.stream()
        .filter(state -> state.incarnation().equals(now.incarnation()))
        .findFirst()
        .orElse(new ProcessState(now.incarnation(), now.scheduling(), 0, 0, 0, Optional.empty()));
  }

  /// Ends watching where a run broke off.
  @Override
  public void close() {
    hiccups.close();
  }
}
