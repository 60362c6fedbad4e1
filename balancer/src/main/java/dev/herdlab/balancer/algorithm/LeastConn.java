package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;
import java.util.Map;

/// The algorithm `least-conn`: picks a least loaded backend by a full scan, by any load metric, or
/// as a product does. See [FullScan], and for products [NginxScan], [HaproxyLeastConn],
/// [EarliestDeadline].
///
/// Owner thread: any (no state).
/// Source: the published herd program (uniform among the least); the other tie rules as in naive
/// implementations (first) and old releases of HAProxy (in turn).
final class LeastConn implements Algorithm {
  static final Algorithm ALGORITHM = new LeastConn();

  private static final String OWN = Preset.OWN;

  private static final List<Preset> PRESETS =
      List.of(
          Preset.none("bias", "max-fails"),
          new Preset(
              "envoy",
              "Envoy `least_request_lb.cc` (`FULL_SCAN`), commit 0a31a54 (2026): `ties=random`;"
                  + " `edf(start=prepicked,bias=1)` while weights differ, or always if `bias` is given",
              rules("random", "max-fails", OWN, "fail-timeout", OWN)),
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_least_conn_module.c`: requests in flight over weight, ties"
                  + " by a step of smooth weighted round-robin, backends that failed lately left out",
              rules(OWN, "bias", OWN)),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/lb_fwlc.c`: the key is 0 if idle, else 4096 (in flight + 1) over 16"
                  + " times the weight, rounded down; ties from four lists",
              rules(OWN, "bias", OWN, "max-fails", OWN, "fail-timeout", OWN)),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go` (`least_conn`), commit 0cf03d3 (2026-08): `ties=random`",
              rules("random", "bias", OWN, "max-fails", OWN, "fail-timeout", OWN)));

  private LeastConn() {}

  private static Map<String, String> rules(String ties, String... others) {
    return Preset.rules(others, "ties", ties, "weights", OWN, "metric", "in-flight");
  }

  @Override
  public Description description() {
    return new Description(
        "least-conn",
        "Picks a backend with the fewest requests in flight, or the lowest of another load metric, by a full"
            + " scan.",
        LoadMetrics.withParameters(
            Parameter.choice(
                "ties",
                List.of("random", "first", "round-robin"),
                "random",
                "which of the least loaded is picked"),
            Parameter.choice(
                "weights",
                List.of("ignored", "divided"),
                "ignored",
                "whether loads are divided by weights before they are compared"),
            EarliestDeadline.BIAS,
            NginxPeers.MAX_FAILS,
            Preset.parameter(PRESETS)),
        "O(n), one draw with `ties=random`, and n times that of the metric",
        "nothing but what the metric does, except with `ties=round-robin`: where the next scan for a tie"
            + " begins; `as=` what the product does",
        LoadMetrics.withSources(Preset.sources(PRESETS, "Envoy `least_request`, `FULL_SCAN`")),
        LoadMetrics.withDeviations(
            "Envoy and Caddy break ties by reservoir sampling: the same law, other coins.",
            "In flight is what the view says; in all products it is the proxy's own, as in `local`.",
            "nginx counts instants of failures in whole seconds; here they are in ns.",
            "With Envoy's rules survivors keep their deadlines when the set changes; Envoy begins anew."));
  }

  @Override
  public Regard regard(Parameters parameters) {
    return LoadMetrics.regard(parameters, "envoy", "nginx", "haproxy");
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    LoadMetric metric = LoadMetrics.create(settings, backends, view, ports);
    return switch (settings.as()) {
      case "nginx" ->
          new SelectingBalancer(
              backends,
              new PerWeight(metric, backends),
              new NginxScan(NginxPeers.create(settings, backends, ports)));
      case "haproxy" ->
          new SelectingBalancer(
              backends, metric, new HaproxyLeastConn(backends, metric, ports.random()));
      case "envoy" ->
          EarliestDeadline.whereEnvoyHasIt(
              settings,
              backends,
              view,
              ports,
              set -> new SelectingBalancer(set, metric, scan(settings, ports)));
      default ->
          new SelectingBalancer(
              backends,
              settings.choice("weights").equals("divided")
                  ? new PerWeight(metric, backends)
                  : metric,
              scan(settings, ports));
    };
  }

  private static FullScan scan(Settings settings, Ports ports) {
    FullScan.Ties ties =
        switch (settings.choice("ties")) {
          case "first" -> FullScan.Ties.FIRST;
          case "round-robin" -> FullScan.Ties.ROUND_ROBIN;
          default -> FullScan.Ties.RANDOM;
        };
    return new FullScan(ties, ports.random());
  }
}
