package dev.herdlab.lab.run;

import dev.herdlab.lab.twin.Readings;
import java.util.List;
import java.util.Optional;

/// What watches a measured run from beside it: stalls, CPU, the collector.
///
/// Owner thread: its starter's; one use.
final class Instruments implements AutoCloseable {
  private final HiccupMonitor hiccups = new HiccupMonitor();
  private final GcMeter gc = new GcMeter();
  private final CpuMeter cpu;

  private Instruments(List<ProcessHandle> children) {
    cpu = CpuMeter.start(children);
  }

  /// Begins to watch; `children` count as our own.
  static Instruments start(List<ProcessHandle> children) {
    Instruments instruments = new Instruments(children);
    instruments.hiccups.start();
    return instruments;
  }

  /// Ends watching.
  ///
  /// @param inFlight what the proxies still count now that all is quiet
  /// @param connectionsOpened by the generator while the clock ran
  /// @param scheduling how the loops were scheduled
  /// @param loopFailure the first error of a loop's task, if any
  Readings stop(
      long inFlight, int connectionsOpened, String scheduling, Optional<String> loopFailure)
      throws InterruptedException {
    CpuMeter.Reading cores = cpu.stop();
    return new Readings(
        hiccups.stop(),
        cores.othersCores(),
        cores.ownCores(),
        gc.nanos(),
        inFlight,
        connectionsOpened,
        scheduling,
        loopFailure);
  }

  /// Ends watching where a run broke off.
  @Override
  public void close() {
    hiccups.end();
  }
}
