package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
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

/// Weighted round-robin by static stride, with the backends' configured weights.
///
/// Cost: see [StrideSchedule]. Owner thread: its dispatcher's.
final class StaticStride implements LoadBalancer {
  /// Where the counter begins; shared with client-weighted.
  static final Parameter START =
      Parameter.choice(
          "start",
          List.of("random", "zero"),
          "random",
          "first value of the counter; with zero all proxies walk in step");

  /// Whether weights are clamped; shared with client-weighted.
  static final Parameter CLAMP =
      Parameter.toggle(
          "clamp",
          "false",
          "weights count as at most 10 times and at least a hundredth of their mean (gRPC C-core); not so"
              + " in grpc-go");

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "static-stride",
              "Weighted round-robin that walks over the backends and skips each in as many rounds as its"
                  + " weight falls short of the largest. It needs one counter and no queue.",
              List.of(START, CLAMP),
              "O(n) at worst, no draw; the largest weight over the mean one on average",
              "the counter, over any change of the set",
              List.of(
                  "grpc-go `balancer/weightedroundrobin/scheduler.go`, commit 4793ad0 (2026-08)",
                  "gRPC C-core `src/core/load_balancing/weighted_round_robin/static_stride_scheduler.cc`,"
                      + " commit 0723509"),
              List.of(
                  "Weights are the configured ones; gRPC's come from reports: client-weighted."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.WEIGHTS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new StaticStride(backends, schedule(Settings.of(parameters), ports));
        }
      };

  private final StrideSchedule schedule;
  private BackendSet backends;

  private StaticStride(BackendSet backends, StrideSchedule schedule) {
    this.schedule = schedule;
    this.backends = backends;
    setWeights();
  }

  /// A schedule that begins as the setting `start` says.
  static StrideSchedule schedule(Settings settings, Ports ports) {
    boolean random = settings.choice("start").equals("random");
    return new StrideSchedule(
        settings.toggle("clamp") ? StrideSchedule.Range.CLAMPED : StrideSchedule.Range.FREE,
        random ? (int) (long) (ports.random().unit() * 0x1.0p32) : 0);
  }

  private void setWeights() {
    double[] weights = new double[backends.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = backends.get(i).weight();
    }
    schedule.set(weights, weights.length);
  }

  @Override
  public PickResult pick(PickContext context) {
    return backends.size() == 0 ? NoBackend.EMPTY_SET : new Picked(backends, schedule.next());
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    setWeights();
  }
}
