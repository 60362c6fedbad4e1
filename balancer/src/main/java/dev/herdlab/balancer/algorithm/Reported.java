package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;

/// The load metric "reported": what the backend said of itself last. One that has not spoken costs
/// nothing, so that it is asked.
///
/// Cost: one array read. Owner thread: its balancer's.
/// Source: ORCA load reports (gRPC A51): utilisation is 0 to 1.
final class Reported implements LoadMetric {
  private final What what;
  private final PerBackend<Last> reports;

  /// Which of the numbers of a report.
  enum What {
    IN_FLIGHT,
    UTILISATION
  }

  private static final class Last {
    private double value;
  }

  Reported(BackendSet backends, What what) {
    this.what = what;
    this.reports = new PerBackend<>(backends, newcomer -> new Last());
  }

  @Override
  public double load(int index) {
    return reports.get(index).value;
  }

  @Override
  public void observe(BackendSignal signal) {
    if (signal instanceof BackendSignal.LoadReport report) {
      Last last = reports.of(report.backend());
      if (last != null) {
        last.value = what == What.IN_FLIGHT ? report.inFlight() : report.utilisation();
      }
    }
  }

  @Override
  public LoadBalancer.Wants wants() {
    return LoadBalancer.Wants.LOAD_REPORTS;
  }

  @Override
  public void update(BackendSet next) {
    reports.update(next);
  }
}
