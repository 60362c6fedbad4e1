package dev.herdlab.lab.metrics;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;

/// What every process tells of itself.
///
/// Read at each scrape, from the JVM. Owner thread: any.
public final class ProcessMetrics {
  private static final Declaration BUILD =
      Declaration.gauge(
          "herdlab_build_info",
          "",
          "1, with the version of the program and the component that this process is.",
          "version",
          "component");
  private static final Declaration CPU =
      Declaration.counter(
          "herdlab_process_cpu_seconds_total", "seconds", "CPU time that this process has used.");
  private static final Declaration GC =
      Declaration.counter(
          "herdlab_gc_pause_seconds_total",
          "seconds",
          "Time for which the garbage collectors have stopped this process. Resolution: 1 ms.");
  private static final Declaration MEMORY =
      Declaration.gauge(
          "herdlab_memory_used_bytes",
          "bytes",
          "Memory in use: the JVM's heap, its other areas, and direct buffers.");
  private static final Declaration STALL =
      Declaration.gauge(
          "herdlab_stall_seconds",
          "seconds",
          "The longest time, since the last scrape, for which a thread that only sleeps was not"
              + " woken: what the whole process is late by.");
  private static final Declaration LOST =
      Declaration.counter(
          "herdlab_samples_lost_total",
          "events",
          "Events that the metrics dropped because their thread was too slow: as many requests are"
              + " missing in counters and distributions.");

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;

  private final MetricsRegistry registry;
  private final LongSupplier stallNanos;
  private final Series cpu;
  private final Series gc;
  private final Series memory;
  private final Series stall;
  private final Series lost;

  private ProcessMetrics(MetricsRegistry registry, LongSupplier stallNanos) {
    this.registry = registry;
    this.stallNanos = stallNanos;
    cpu = registry.series(CPU);
    gc = registry.series(GC);
    memory = registry.series(MEMORY);
    stall = registry.series(STALL);
    lost = registry.series(LOST);
  }

  /// Adds the metrics to a process's registry.
  ///
  /// @param component `proxy`, `backend`, `loadgen` or `lab`
  /// @param stallNanos the longest stall since it was asked the last time; called by scrapes alone
  public static void addTo(
      MetricsRegistry registry, String component, String version, LongSupplier stallNanos) {
    ProcessMetrics metrics = new ProcessMetrics(registry, stallNanos);
    Series build = registry.series(BUILD);
    registry.update(() -> build.set(1, version, component));
    registry.beforeScrape(metrics::refresh);
  }

  static List<Declaration> declared() {
    return List.of(BUILD, CPU, GC, MEMORY, STALL, LOST);
  }

  private void refresh() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      cpu.set(system.getProcessCpuTime() / NANOS_PER_SECOND);
    }
    double gcMillis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      gcMillis += Math.max(0, collector.getCollectionTime());
    }
    gc.set(gcMillis / MILLIS_PER_SECOND);
    memory.set(usedBytes());
    stall.set(stallNanos.getAsLong() / NANOS_PER_SECOND);
    lost.set(registry.lost());
  }

  private static double usedBytes() {
    double bytes =
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
            + ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed();
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      bytes += Math.max(0, pool.getMemoryUsed());
    }
    return bytes;
  }
}
