package dev.herdlab.simulator.study;

import dev.herdlab.workload.Trace;
import java.util.Optional;

/// Settings and columns that several studies share, and what is checked of the settings together.
/// Owner thread: any (no state).
final class CommonSettings {
  static final Setting BACKENDS =
      Setting.whole("backends", 1, 10_000, "16", "number of backends, each of speed 1");
  static final Setting RHO =
      Setting.positive("rho", "0.8", "arrivals a unit, over the number of backends");
  static final Setting REQUESTS =
      Setting.whole(
          "requests", 1, Trace.MAX_REQUESTS, "300000", "requests in each run, warm-up included");
  static final Setting WARMUP =
      Setting.whole(
          "warmup", 0, Trace.MAX_REQUESTS, "20000", "how many of them, the first, are dropped");
  static final Setting SEEDS =
      Setting.list(
          "seeds", new Setting.Type.Whole(0, Long.MAX_VALUE), "0..4", "one run for each seed");

  static final Setting SERVICE =
      new Setting(
          "service",
          new Setting.Type.ServiceSpec(),
          Setting.Shape.ONE,
          "lognormal(mu=-0.36,sigma=0.85)",
          "law of the service times");

  static final Table.Column REQUESTS_COLUMN = new Table.Column("requests", "requests in the run");
  static final Table.Column WARMUP_COLUMN =
      new Table.Column("warmup", "how many of them, the first, are dropped");

  static final Setting.Type PROXIES = new Setting.Type.Whole(1, 10_000);

  private CommonSettings() {}

  /// @throws IllegalArgumentException if the warm-up leaves nothing
  static void checkWarmup(Settings settings) {
    int requests = settings.whole("requests");
    int warmup = settings.whole("warmup");
    if (warmup >= requests) {
      throw Settings.wrong(
          "warmup", Integer.toString(warmup), "fewer than the requests, " + requests);
    }
  }

  /// A warning if the backends cannot keep up.
  static Optional<String> overload(double rho, double meanService) {
    double utilisation = rho * meanService;
    return utilisation < 1
        ? Optional.empty()
        : Optional.of(
            "Warning: the utilisation is "
                + utilisation
                + ", so that there is no steady state: latencies grow with the number of requests.");
  }
}
