package dev.herdlab.lab.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Cores used by this process and its children, and by everything else on the machine, between two
/// readings.
///
/// Everything else is the machine's user, system and stolen time less our own. Interrupt time is
/// left out: on loopback it is our own packets. Where there is no `/proc/stat`, others are unknown
/// (NaN).
///
/// Resolution: 10 ms of CPU time. Owner thread: its user's.
final class CpuMeter {
  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, 100 on every Linux ABI

  private final List<ProcessHandle> children;
  private final long startNanos;
  private final double startOwn;
  private final double startMachine;

  /// Cores in use, on average over the interval.
  record Reading(double ownCores, double othersCores) {}

  private CpuMeter(List<ProcessHandle> children) {
    this.children = List.copyOf(children);
    this.startNanos = System.nanoTime();
    this.startOwn = ownSeconds();
    this.startMachine = machineSeconds();
  }

  /// Begins an interval; `children` count as our own.
  static CpuMeter start(List<ProcessHandle> children) {
    return new CpuMeter(children);
  }

  /// Ends the interval.
  Reading stop() {
    double elapsed = Math.max(1, System.nanoTime() - startNanos) / 1e9;
    double own = ownSeconds() - startOwn;
    double machine = machineSeconds() - startMachine;
    // A child that has ended no longer tells what it used: then own is too low, and others too
    // high.
    return new Reading(Math.max(0, own) / elapsed, Math.max(0, machine - own) / elapsed);
  }

  private double ownSeconds() {
    double seconds = 0;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      seconds += system.getProcessCpuTime() / 1e9;
    }
    for (ProcessHandle child : children) {
      Optional<Duration> used = child.info().totalCpuDuration();
      seconds += used.map(Duration::toNanos).orElse(0L) / 1e9;
    }
    return seconds;
  }

  private static double machineSeconds() {
    try {
      String[] fields = Files.readAllLines(STAT).getFirst().trim().split("\\s+", -1);
      // cpu user nice system idle iowait irq softirq steal ...
      double ticks =
          Long.parseLong(fields[1])
              + Long.parseLong(fields[2])
              + Long.parseLong(fields[3])
              + (fields.length > 8 ? Long.parseLong(fields[8]) : 0);
      return ticks / TICKS_PER_SECOND;
    } catch (IOException | NumberFormatException notLinux) {
      return Double.NaN;
    }
  }
}
