package dev.herdlab.lab.run;

import com.sun.management.OperatingSystemMXBean;
import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminException;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.lab.metrics.ProcessMetrics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/// What every component's process can be asked: health, clock, state; and told: to collect garbage.
///
/// Owner thread: its maker's; it answers on any.
final class ProcessResources implements AutoCloseable {
  // A loop that works answers within a millisecond.
  private static final Duration LOOP_BOUND = Duration.ofSeconds(2);

  private final Component component;
  private final String incarnation = UUID.randomUUID().toString();
  private final String bootId = ClockMapping.bootId();
  private final GcMeter gc = new GcMeter();
  private final HiccupMonitor hiccups = new HiccupMonitor();
  private final HiccupMonitor.Watch stalls = hiccups.watch();
  private volatile boolean ending;

  ProcessResources(Component component) {
    this.component = component;
  }

  /// Begins to watch for stalls.
  void start() {
    hiccups.start();
  }

  /// From now on it is not healthy any more.
  void ending() {
    ending = true;
  }

  void addTo(AdminResources resources) {
    resources
        .on("GET", "/health", request -> health())
        .on(
            "GET",
            "/clock",
            request ->
                AdminAnswer.json(
                    new TreeMap<>(Map.of("boot_id", bootId, "nanos", System.nanoTime()))))
        .on("GET", "/state", request -> AdminAnswer.json(state()))
        .on("POST", "/watch", request -> AdminAnswer.json(watch()))
        .on("POST", "/collect", request -> AdminAnswer.json(collect()));
  }

  /// Adds what every process tells.
  void addTo(MetricsRegistry registry) {
    HiccupMonitor.Watch scraped = hiccups.watch();
    ProcessMetrics.addTo(registry, component.name(), version(), scraped::reset);
  }

  /// Of the jar; none where it runs from classes.
  private static String version() {
    return Optional.ofNullable(ProcessResources.class.getPackage().getImplementationVersion())
        .orElse("unknown");
  }

  private AdminAnswer health() throws InterruptedException {
    if (ending) {
      throw new AdminException(503, component.name() + ": it is ending");
    }
    Throwable failure = component.loop().failure();
    if (failure != null) {
      throw new AdminException(503, "loop: a task failed: " + failure);
    }
    try {
      boolean _ = component.loop().call(() -> true, LOOP_BOUND);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new AdminException(503, String.valueOf(e.getMessage()));
    }
    return AdminAnswer.json(Map.of("status", "ok"));
  }

  private Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("component", component.name());
    state.put("incarnation", incarnation);
    state.put("scheduling", component.loop().granted().describe());
    state.put("gc_ns", gc.nanos());
    state.put("cpu_ns", cpuNanos());
    state.put("stall_ns", stalls.longestNanos());
    Throwable failure = component.loop().failure();
    if (failure != null) {
      state.put("loop_failure", failure.toString());
    }
    state.putAll(component.state());
    return state;
  }

  private Map<String, Object> watch() {
    long _ = stalls.reset();
    return state();
  }

  private Map<String, Object> collect() {
    System.gc();
    return watch();
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getProcessCpuTime())
        : 0;
  }

  @Override
  public void close() {
    hiccups.close();
  }
}
