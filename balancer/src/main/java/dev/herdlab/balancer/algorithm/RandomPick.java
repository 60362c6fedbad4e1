package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;
import java.util.Map;

/// Picks uniformly at random, knowing nothing.
///
/// Cost: O(1), one draw. Owner thread: its dispatcher's.
/// Source: the baseline of Mitzenmacher, "The Power of Two Choices in Randomized Load Balancing",
/// TPDS 12(10), 2001.
final class RandomPick implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none("max-fails", "fail-timeout"),
          new Preset(
              "envoy",
              "Envoy `RandomLoadBalancer`: uniform, weights ignored",
              Map.of("max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_random_module.c` (`random`): by weight, among those that"
                  + " have not failed lately",
              Map.of()),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/backend.c` and `src/lb_chash.c` (`random(1)`): on a ring of 16 points"
                  + " for each unit of weight, so that shares differ",
              Map.of("max-fails", Preset.OWN, "fail-timeout", Preset.OWN)),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go` (`random`), commit 0cf03d3 (2026-08): uniform",
              Map.of("max-fails", Preset.OWN, "fail-timeout", Preset.OWN)));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "random",
              "Picks uniformly at random, knowing nothing.",
              List.of(NginxPeers.MAX_FAILS, NginxTime.FAIL_TIMEOUT, Preset.parameter(PRESETS)),
              "O(1), one draw; O(log n) with `as=nginx`, O(log of 16 n) with `as=haproxy`",
              "nothing; `as=nginx`: failures; `as=haproxy`: each server's place on the ring",
              Preset.sources(
                  PRESETS,
                  "Mitzenmacher, *The Power of Two Choices in Randomized Load Balancing*, IEEE TPDS"
                      + " 12(10), 2001 (its baseline)"),
              List.of("Caddy draws once for each backend: the same law, other coins."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Preset.isOneOf(parameters, "nginx", "haproxy") ? Regard.WEIGHTS : Regard.NOTHING;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          return switch (settings.as()) {
            case "nginx" ->
                new SelectingBalancer(
                    backends,
                    new InFlight(view),
                    new NginxRandom(
                        NginxRandom.Draws.ONE,
                        backends,
                        NginxPeers.create(settings, backends, ports),
                        ports.random()));
            case "haproxy" ->
                new SelectingBalancer(
                    backends, new InFlight(view), new HaproxyRandom(1, backends, ports));
            default -> new RandomPick(backends, ports.random());
          };
        }
      };

  private final Ports.RandomSource random;
  private BackendSet backends;

  private RandomPick(BackendSet backends, Ports.RandomSource random) {
    this.backends = backends;
    this.random = random;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    return size == 0 ? NoBackend.EMPTY_SET : new Picked(backends, random.below(size));
  }

  @Override
  public void update(BackendSet backends) {
    this.backends = backends;
  }
}
