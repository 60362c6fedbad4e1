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
import java.util.Map;
import java.util.function.Function;

/// Weighted round-robin by earliest deadline first (`edf`): each backend is due every 1 / weight,
/// and the one that is due first is picked. With a bias the weight is divided by a power of the
/// requests in flight and this one, as they are when the backend is picked: only the picked one's
/// changes, so a loaded backend never drains fully (Envoy's weighted least request).
///
/// Cost: O(log n), a power when the bias is neither 0 nor 1. Owner thread: its dispatcher's.
/// Source: Envoy edf_scheduler.h (`createWithPicks`, envoyproxy/envoy#31592) and
/// least_request_lb.cc; gRPC A58 (the random start).
final class EarliestDeadline implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "envoy",
              "Envoy `edf_scheduler.h` (with envoyproxy/envoy#31592) and `load_balancer_impl.cc`, commit"
                  + " e01a970: `start=prepicked`, `ties=fifo`",
              Map.of("start", "prepicked", "ties", "fifo")),
          new Preset(
              "traefik",
              "Traefik `pkg/server/service/loadbalancer/wrr/wrr.go`, commit fd5a576 (2026-07):"
                  + " `start=due`, `ties=heap`, `bias=0`",
              Map.of("start", "due", "ties", "heap", "bias", "0")));

  static final Parameter BIAS =
      Parameter.decimal(
          "bias",
          0,
          10,
          "1",
          "`active_request_bias`: weights are divided by (in flight + 1) to this power (Envoy's rules)");

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "edf",
              "Picks the backend that is due first, each being due every 1 / weight: weighted"
                  + " round-robin without runs. With a bias, weights shrink with the requests in flight.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("due", "random", "prepicked"),
                      "prepicked",
                      "first deadlines: 1 / weight, so that light backends come late and all proxies walk"
                          + " in step; uniform in [0, 1 / weight] (gRPC A58); or as after a random number"
                          + " of picks (Envoy)"),
                  Parameter.choice(
                      "ties",
                      List.of("fifo", "index", "heap"),
                      "fifo",
                      "which of equal deadlines is picked: the one that waits longer, of the lower index, or"
                          + " as Go's heap has them"),
                  new Parameter(
                      BIAS.name(),
                      BIAS.kind(),
                      "0",
                      "weights are divided by (in flight + 1) to this power, Envoy's"
                          + " `active_request_bias`; 0: loads do not count"),
                  Preset.parameter(PRESETS)),
              "O(log n), no draw",
              "each backend's deadline, and the virtual time; survivors keep theirs, newcomers are due"
                  + " 1 / weight from now, or as `start=random` says",
              Preset.sources(
                  PRESETS,
                  "Envoy `source/common/upstream/edf_scheduler.h`, envoyproxy/envoy#31592 (prepicked)",
                  "gRPC A58 (random)",
                  "grpc-go `internal/wrr/edf.go`, grpc/grpc-go#3793 (why ties need an order)"),
              List.of(
                  "Envoy and Traefik build the queue anew when the set changes; here survivors keep their"
                      + " deadlines."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.WEIGHTS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          return new EarliestDeadline(
              backends,
              view,
              ports.random(),
              switch (settings.choice("start")) {
                case "due" -> Start.DUE;
                case "random" -> Start.RANDOM;
                default -> Start.PREPICKED;
              },
              switch (settings.choice("ties")) {
                case "index" -> DeadlineQueue.Ties.INDEX;
                case "heap" -> DeadlineQueue.Ties.HEAP;
                default -> DeadlineQueue.Ties.FIFO;
              },
              settings.decimal("bias"));
        }
      };

  /// Envoy's bound on the picks that are emulated: `UINT_MAX / 10`.
  private static final int MAX_PREPICKS = 429_496_729;

  /// Envoy's: keeps the rounding of multiples from swapping picks.
  private static final double WEIGHT_EPSILON = 1e-13;

  private final View view;
  private final Ports.RandomSource random;
  private final Start start;
  private final double bias;
  private final DeadlineQueue queue;
  private BackendSet backends;

  /// When backends are due first.
  enum Start {
    DUE,
    RANDOM,
    PREPICKED
  }

  EarliestDeadline(
      BackendSet backends,
      View view,
      Ports.RandomSource random,
      Start start,
      DeadlineQueue.Ties ties,
      double bias) {
    this.view = view;
    this.random = random;
    this.start = start;
    this.bias = bias;
    this.backends = backends;
    this.queue = new DeadlineQueue(ties, backends);
    begin();
  }

  /// Envoy's least request: by deadlines while weights differ, or always if a bias was written;
  /// else as `unweighted` makes it.
  static LoadBalancer whereEnvoyHasIt(
      Settings settings,
      BackendSet backends,
      View view,
      Ports ports,
      Function<BackendSet, LoadBalancer> unweighted) {
    Function<BackendSet, LoadBalancer> weighted =
        set -> envoys(set, view, ports, settings.decimal("bias"));
    return settings.isGiven("bias")
        ? weighted.apply(backends)
        : new ByWeights(backends, unweighted, weighted);
  }

  /// Envoy's queue.
  static EarliestDeadline envoys(BackendSet backends, View view, Ports ports, double bias) {
    return new EarliestDeadline(
        backends, view, ports.random(), Start.PREPICKED, DeadlineQueue.Ties.FIFO, bias);
  }

  private void begin() {
    if (start == Start.PREPICKED && backends.size() > 0) {
      prepick(random.below(MAX_PREPICKS));
    } else {
      for (int i = 0; i < backends.size(); i++) {
        queue.add(i, firstDeadline(i));
      }
    }
  }

  private double firstDeadline(int index) {
    double part = start == Start.RANDOM ? random.unit() : 1;
    return queue.now() + part / weight(index);
  }

  /// The queue as it would be after that many picks with the present weights: what is certain of
  /// them in one step, the rest one by one.
  private void prepick(int picks) {
    int size = backends.size();
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += weight(i) + WEIGHT_EPSILON;
    }
    long done = 0;
    double now = 0;
    for (int i = 0; i < size; i++) {
      double weight = weight(i) + WEIGHT_EPSILON;
      long certain = (long) (weight * picks / sum);
      if (certain > 0 && certain / weight >= picks / sum) {
        certain--;
      }
      now = Math.max(now, certain / weight);
      queue.add(i, (certain + 1) / weight);
      done += certain;
    }
    queue.setNow(now);
    for (; done < picks; done++) {
      queue.putBack(1 / weight(queue.first()));
    }
  }

  private double weight(int index) {
    int weight = backends.get(index).weight();
    if (bias == 0) {
      return weight;
    }
    double load = view.inFlight(index) + 1.0;
    return weight / (bias == 1 ? load : StrictMath.pow(load, bias));
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = queue.first();
    queue.putBack(1 / weight(index));
    return new Picked(backends, index);
  }

  @Override
  public void update(BackendSet next) {
    BackendSet before = backends;
    backends = next;
    queue.update(next);
    boolean allNew = true;
    for (int i = 0; i < before.size(); i++) {
      allNew &= next.indexOf(before.get(i).id()) < 0;
    }
    if (allNew) {
      begin();
      return;
    }
    for (int i = 0; i < next.size(); i++) {
      if (before.indexOf(next.get(i).id()) < 0) {
        queue.add(i, firstDeadline(i));
      }
    }
  }
}
