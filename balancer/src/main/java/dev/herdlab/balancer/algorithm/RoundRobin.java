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

/// Picks the backends in turn, in index order.
///
/// Proxies that start together with `start=first` walk in step; `start=random` draws each proxy's
/// first. Most products' round-robin honours weights: `as=` chooses theirs.
///
/// Cost: O(1), no draw per pick. Owner thread: its dispatcher's.
/// Source: the published herd program (cursor from 0); kubernetes/ingress-nginx#4023 for the random
/// start.
final class RoundRobin implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none("max-fails", "fail-timeout"),
          new Preset(
              "envoy",
              "Envoy `round_robin_lb.h`, commit 12ca3fd: `start=random`; `edf(as=envoy)` while weights"
                  + " differ",
              Map.of("start", "random", "max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_round_robin.c`: `smooth-weighted-round-robin(as=nginx)`",
              Map.of("start", Preset.OWN)),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/lb_fwrr.c`: weighted, by positions in a cycle as long as the sum of"
                  + " the weights",
              Map.of("start", Preset.OWN, "max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "finagle",
              "Finagle `loadbalancer/roundrobin/RoundRobinBalancer.scala`, commit 4feb34c (2024-10):"
                  + " `start=first`",
              Map.of("start", "first", "max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go`, commit 0cf03d3 (2026-08): `start=second`",
              Map.of("start", "second", "max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "traefik",
              "Traefik `wrr.go`, commit fd5a576 (2026-07): `edf(as=traefik)`",
              Map.of("start", Preset.OWN, "max-fails", Preset.OWN, "fail-timeout", Preset.OWN)));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "round-robin",
              "Picks the backends in turn, in index order.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("first", "second", "random"),
                      "first",
                      "which backend is picked first; proxies that start alike walk in step"),
                  NginxPeers.MAX_FAILS,
                  NginxTime.FAIL_TIMEOUT,
                  Preset.parameter(PRESETS)),
              "O(1), no draw; as a product's, that of its algorithm",
              "whose turn it is; if that backend leaves, the turn passes to the next one that stays",
              Preset.sources(PRESETS, "kubernetes/ingress-nginx#4023 (why a random start)"),
              List.of());
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Preset.isOneOf(parameters, "envoy", "nginx", "haproxy", "traefik")
              ? Regard.WEIGHTS
              : Regard.NOTHING;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          return switch (settings.as()) {
            case "envoy" ->
                new ByWeights(
                    backends,
                    set -> new RoundRobin(set, Start.RANDOM, ports.random()),
                    set -> EarliestDeadline.envoys(set, view, ports, 0));
            case "nginx" ->
                new SmoothWeightedRoundRobin(
                    backends,
                    SmoothWeightedRoundRobin.Start.ZERO,
                    NginxPeers.create(settings, backends, ports));
            case "haproxy" -> new HaproxyRoundRobin(backends);
            case "traefik" ->
                new EarliestDeadline(
                    backends,
                    view,
                    ports.random(),
                    EarliestDeadline.Start.DUE,
                    DeadlineQueue.Ties.HEAP,
                    0);
            default -> new RoundRobin(backends, start(settings), ports.random());
          };
        }

        private static Start start(Settings settings) {
          return switch (settings.choice("start")) {
            case "second" -> Start.SECOND;
            case "random" -> Start.RANDOM;
            default -> Start.FIRST;
          };
        }
      };

  private final Start start;
  private final Ports.RandomSource random;
  private BackendSet backends;
  private int cursor;

  /// Where the cursor begins.
  private enum Start {
    FIRST,
    SECOND,
    RANDOM
  }

  private RoundRobin(BackendSet backends, Start start, Ports.RandomSource random) {
    this.start = start;
    this.random = random;
    this.backends = backends;
    this.cursor = begin();
  }

  private int begin() {
    if (backends.size() == 0) {
      return 0;
    }
    return switch (start) {
      case FIRST -> 0;
      case SECOND -> 1 % backends.size();
      case RANDOM -> random.below(backends.size());
    };
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = cursor;
    cursor = index + 1 == size ? 0 : index + 1;
    return new Picked(backends, index);
  }

  /// The cursor stays on the backend that it stood on, or on the next one that survives.
  @Override
  public void update(BackendSet next) {
    int survivor = backends.survivorFrom(cursor, next);
    backends = next;
    cursor = survivor >= 0 ? survivor : begin();
  }
}
