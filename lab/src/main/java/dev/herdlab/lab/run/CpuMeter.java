package dev.herdlab.lab.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// Cores used by the measuring processes, and by everything else on the machine, between two
/// readings.
///
/// Everything else is the machine's user, system and stolen time less our own. Interrupt time is
/// left out: on loopback it is our own packets. Where there is no `/proc/stat`, others are unknown
/// (NaN).
///
/// Resolution: 10 ms of CPU time. Owner thread: its user's.
public final class CpuMeter {
  private static final Path STAT = Path.of("/proc/stat");
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, 100 on every Linux ABI
  private static final double NANOS_PER_SECOND = 1e9;

  private final long startNanos = System.nanoTime();
  private final double startOwn = ownSeconds();
  private final double startMachine = machineSeconds();

  /// Cores in use, on average over the interval.
  public record Reading(double ownCores, double othersCores) {}

  private CpuMeter() {}

  /// Begins an interval.
  public static CpuMeter start() {
    return new CpuMeter();
  }

  /// Ends the interval.
  ///
  /// @param othersNanos CPU time that other processes which measure, too, have used in it
  public Reading stop(long othersNanos) {
    double elapsed = Math.max(1, System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    double own = ownSeconds() - startOwn + othersNanos / NANOS_PER_SECOND;
    double machine = machineSeconds() - startMachine;
    return new Reading(Math.max(0, own) / elapsed, Math.max(0, machine - own) / elapsed);
  }

  private static double ownSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() / NANOS_PER_SECOND
        : 0;
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
