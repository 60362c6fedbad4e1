package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The decorator `panic`: when too few backends are left, ejections are ignored, since the few
/// would drown.
///
/// Cost: O(1), O(n) when the panic begins or ends. Owner thread: its dispatcher's.
final class Panic implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "panic",
              "Decorator of outlier-ejection: while fewer than a threshold of the backends are left, all are"
                  + " used, ejected ones too.",
              List.of(
                  Inner.OF,
                  Parameter.percent(
                      "threshold", 0, 100, "50%", "of the backends: with fewer left all are used")),
              "O(1), and that of the algorithm",
              "nothing",
              List.of(
                  "Envoy `load_balancer_impl.cc`, `LoadBalancerBase::isHostSetInPanic`, commit e01a970"
                      + " (`healthy_panic_threshold`)"),
              List.of(
                  "Health is that of the ejections alone: there are no health checks here. It must stand around"
                      + " outlier-ejection, since ejections inside of which it stood would not be seen.",
                  "Envoy decides when hosts change; here at each pick, which is the same."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return parameters.algorithm("of").regard();
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          if (Inner.of(parameters).create(backends, view, ports)
              instanceof OutlierEjection ejection) {
            return new Panic(ejection, parameters.decimal("threshold"));
          }
          throw Settings.of(parameters)
              .refusal("of", "outlier-ejection(of=...), the one that ejects");
        }
      };

  private final OutlierEjection ejection;
  private final double threshold;

  private Panic(OutlierEjection ejection, double threshold) {
    this.ejection = ejection;
    this.threshold = threshold;
  }

  @Override
  public PickResult pick(PickContext context) {
    ejection.ignore(ejection.available() < threshold);
    return ejection.pick(context);
  }

  @Override
  public void update(BackendSet next) {
    ejection.update(next);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    ejection.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    ejection.observe(signal);
  }

  @Override
  public Wants wants() {
    return ejection.wants();
  }

  @Override
  public int idleQueueLength() {
    return ejection.idleQueueLength();
  }
}
