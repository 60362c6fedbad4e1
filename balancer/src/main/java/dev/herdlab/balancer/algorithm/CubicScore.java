package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// C3's score of a backend, in ns: R - s + q³ s, where R is the average response time as the proxy
/// sees it, s the average service time, and q = 1 + os w + b the queue that is expected: os the
/// proxy's own requests in flight, w the number of proxies, b the average length that the backend
/// reports. One that has not reported scores 0, so that it is asked.
///
/// As the load metric of a full scan with random ties it is the algorithm `c3`.
///
/// Cost: a few multiplications a look. Owner thread: its balancer's.
final class CubicScore implements LoadMetric {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "c3",
              "Least score R - s + q³ s of response time R, service time s and expected queue"
                  + " q = 1 + own in flight times the proxies + reported length, all but the first count"
                  + " exponentially averaged.",
              List.of(
                  Parameter.whole(
                      "clients",
                      0,
                      1_000_000,
                      "0",
                      "weight of own requests in flight; 0: number of proxies"),
                  Parameter.decimal(
                      "alpha", 0.001, 1, "0.9", "weight of the newest sample in averages")),
              "O(n), one draw",
              "three averages for each backend; survivors keep theirs",
              List.of(
                  "Suresh, Canini, Schmid, Feldmann, *C3: Cutting Tail Latency in Cloud Data Stores via"
                      + " Adaptive Replica Selection*, NSDI 2015: replica ranking",
                  "lalithsuresh/absim `simulations/client.py`, commit 0aa4347: averages, unknown backends"),
              List.of(
                  "No rate control: it holds requests back in a queue, and a balancer here answers at"
                      + " once.",
                  "The service time is the load report's utilisation over its rate, an average over its"
                      + " window; the paper's servers tell that of each request.",
                  "The reported length counts the request in service; the authors' simulator reports"
                      + " those that wait.",
                  "Failed and cancelled requests tell no response time. The paper has none.",
                  "Own requests in flight are the view's: meant for the view `local`."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.LOADS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new SelectingBalancer(
              backends,
              new CubicScore(Settings.of(parameters), backends, view, ports),
              new FullScan(FullScan.Ties.RANDOM, ports.random()));
        }
      };

  private final View view;
  private final Ports.NanoClock clock;
  private final double clients;
  private final double alpha;
  private final PerBackend<Averages> averages;

  /// Times in ns; -1 before the first sample.
  private static final class Averages {
    private double responseNanos = -1;
    private double serviceNanos = -1;
    private double queue = -1;
  }

  private CubicScore(Settings settings, BackendSet backends, View view, Ports ports) {
    int given = settings.whole("clients");
    this.view = view;
    this.clock = ports.clock();
    this.clients = given == 0 ? ports.peers().count() : given;
    this.alpha = settings.decimal("alpha");
    this.averages = new PerBackend<>(backends, newcomer -> new Averages());
  }

  @Override
  public double load(int index) {
    Averages known = averages.get(index);
    if (known.responseNanos < 0 || known.serviceNanos < 0) {
      return 0;
    }
    double queue = 1 + view.inFlight(index) * clients + known.queue;
    return known.responseNanos - known.serviceNanos + queue * queue * queue * known.serviceNanos;
  }

  private double average(double before, double sample) {
    return before < 0 ? sample : alpha * sample + (1 - alpha) * before;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    Averages known = averages.of(picked);
    if (known != null && outcome instanceof Outcome.Succeeded) {
      double sample = (double) (clock.nanos() - picked.pickedNanos());
      known.responseNanos = average(known.responseNanos, sample);
    }
  }

  @Override
  public void observe(BackendSignal signal) {
    if (signal instanceof BackendSignal.LoadReport report) {
      Averages known = averages.of(report.backend());
      if (known != null && report.utilisation() > 0 && report.ratePerSecond() > 0) {
        double serviceNanos = report.utilisation() / report.ratePerSecond() * 1e9;
        known.serviceNanos = average(known.serviceNanos, serviceNanos);
        known.queue = average(known.queue, report.inFlight());
      }
    }
  }

  @Override
  public LoadBalancer.Wants wants() {
    return LoadBalancer.Wants.LOAD_REPORTS;
  }

  @Override
  public void update(BackendSet next) {
    averages.update(next);
  }
}
