package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The algorithm `least-time`: picks the backend that would be done first by its past latencies and
/// its requests in flight, over its weight: by nginx's rules ([NginxTime], [NginxScan]) or
/// Traefik's ([MeanLatency], [TraefikScan]).
///
/// Owner thread: any (no state).
final class LeastTime implements Algorithm {
  static final Algorithm ALGORITHM = new LeastTime();

  private static final String OWN = Preset.OWN;

  private static final List<Preset> PRESETS =
      List.of(
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_least_time_module.c` (`least_time last_byte [inflight]`): a"
                  + " smoothed latency, halved for each `fail-timeout` without a pick, moved up to the next"
                  + " `step`; ties by a step of smooth weighted round-robin",
              Map.of("samples", OWN)),
          new Preset(
              "traefik",
              "Traefik `leasttime.go`, commit fd5a576 (2026-07): the mean of the last `samples` latencies;"
                  + " ties by deadlines",
              Map.of(
                  "inflight", OWN,
                  "step", OWN,
                  "cap", OWN,
                  "max-fails", OWN,
                  "fail-timeout", OWN)));

  private LeastTime() {}

  @Override
  public Description description() {
    List<Parameter> parameters = new ArrayList<>(NginxTime.PARAMETERS);
    parameters.add(NginxPeers.MAX_FAILS);
    parameters.add(MeanLatency.PARAMETERS.getFirst());
    parameters.add(Preset.parameter(PRESETS));
    return new Description(
        "least-time",
        "Picks the backend that would be done first: its average latency times its requests in flight and"
            + " this one, over its weight, by a full scan.",
        parameters,
        "O(n), no draw",
        "each backend's latencies and its turn among equals; survivors keep theirs, newcomers count as"
            + " having answered at once",
        Preset.sources(PRESETS),
        List.of(
            "A latency ends with the last byte; Traefik's, and nginx's `header`, with the first.",
            "In flight is what the view says; in both products it is the proxy's own, as in `local`.",
            "nginx counts `fail_timeout` in whole seconds, so there a latency halves first a second after"
                + " it.",
            "A request whose client left is not sampled; nginx samples it if a header had come."));
  }

  @Override
  public Regard regard(Parameters parameters) {
    return Regard.WEIGHTS;
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    return settings.as().equals("traefik")
        ? new SelectingBalancer(
            backends,
            new PerWeight(MeanLatency.create(settings, backends, view, ports), backends),
            new TraefikScan(backends))
        : new SelectingBalancer(
            backends,
            new PerWeight(NginxTime.create(settings, backends, view, ports), backends),
            new NginxScan(NginxPeers.create(settings, backends, ports)));
  }
}
