package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// Weighted round-robin with the weights that backends earn: how many requests per second each
/// serves for its utilisation, from its load reports.
///
/// Cost: that of [StrideSchedule]; O(n) once for each update interval. Owner thread: its
/// dispatcher's.
final class ClientWeighted implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "client-weighted",
              "Weighted round-robin with weights from load reports: requests per second over utilisation."
                  + " A backend without a usable report has the mean weight; with fewer than two known it"
                  + " is round-robin.",
              List.of(
                  Parameter.duration(
                      "blackout",
                      "10s",
                      "how long a backend must have reported before its weight counts"),
                  Parameter.duration(
                      "expiration", "180s", "how long after its last report a weight counts"),
                  Parameter.duration("update", "1s", "interval at which weights are taken over"),
                  Parameter.decimal(
                      "error-penalty",
                      0,
                      1000,
                      "1",
                      "share of failed requests times this is added to the utilisation"),
                  StaticStride.START,
                  StaticStride.CLAMP),
              "O(n) at worst, no draw; the largest weight over the mean one on average",
              "each backend's weight and when it was reported; survivors keep theirs",
              List.of(
                  "gRPC A58 (weights, blackout, expiration)",
                  "grpc-go `balancer/weightedroundrobin`, commit 4793ad0 (2026-08): static stride in the"
                      + " place of the text's deadlines"),
              List.of(
                  "Weights are taken over at the first pick of each interval, by no timer.",
                  "gRPC raises an update interval below 100 ms to that; here it counts as it is."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new ClientWeighted(Settings.of(parameters), backends, ports);
        }
      };

  private final Ports.NanoClock clock;
  private final long blackoutNanos;
  private final long expirationNanos;
  private final long updateNanos;
  private final double errorPenalty;
  private final StrideSchedule schedule;
  private final PerBackend<Report> reports;
  private double[] weights;
  private long nextUpdateNanos;

  /// A58's `weight_`, `last_updated_`, `non_empty_since_`; times count once there is a weight.
  private static final class Report {
    private double weight;
    private boolean isNonEmpty;
    private long nonEmptySinceNanos;
    private long lastUpdatedNanos;
  }

  private ClientWeighted(Settings settings, BackendSet backends, Ports ports) {
    this.clock = ports.clock();
    this.blackoutNanos = settings.nanos("blackout");
    this.expirationNanos = settings.nanos("expiration");
    this.updateNanos = settings.nanos("update");
    this.errorPenalty = settings.decimal("error-penalty");
    this.schedule = StaticStride.schedule(settings, ports);
    this.reports = new PerBackend<>(backends, newcomer -> new Report());
    this.weights = new double[backends.size()];
    takeOver(clock.nanos());
  }

  private void takeOver(long nowNanos) {
    for (int i = 0; i < weights.length; i++) {
      weights[i] = weight(reports.get(i), nowNanos);
    }
    schedule.set(weights, weights.length);
    nextUpdateNanos = nowNanos + updateNanos;
  }

  private double weight(Report report, long nowNanos) {
    if (report.weight == 0) {
      return 0;
    }
    if (nowNanos - report.lastUpdatedNanos >= expirationNanos) {
      report.isNonEmpty = false;
      return 0;
    }
    boolean blackedOut = !report.isNonEmpty || nowNanos - report.nonEmptySinceNanos < blackoutNanos;
    return blackedOut ? 0 : report.weight;
  }

  @Override
  public PickResult pick(PickContext context) {
    BackendSet backends = reports.backends();
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    long nowNanos = clock.nanos();
    if (nowNanos >= nextUpdateNanos) {
      takeOver(nowNanos);
    }
    return new Picked(backends, schedule.next());
  }

  @Override
  public void observe(BackendSignal signal) {
    if (!(signal instanceof BackendSignal.LoadReport load)) {
      return;
    }
    Report report = reports.of(load.backend());
    if (report == null || !(load.utilisation() > 0) || !(load.ratePerSecond() > 0)) {
      return;
    }
    double errors = load.errorsPerSecond() / load.ratePerSecond();
    report.weight = load.ratePerSecond() / (load.utilisation() + errors * errorPenalty);
    report.lastUpdatedNanos = clock.nanos();
    if (!report.isNonEmpty) {
      report.isNonEmpty = true;
      report.nonEmptySinceNanos = report.lastUpdatedNanos;
    }
  }

  @Override
  public Wants wants() {
    return Wants.LOAD_REPORTS;
  }

  @Override
  public void update(BackendSet next) {
    reports.update(next);
    weights = new double[next.size()];
    takeOver(clock.nanos());
  }
}
