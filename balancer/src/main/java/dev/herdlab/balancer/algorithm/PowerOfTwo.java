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

/// The algorithm `p2c`: draws d backends and picks the least loaded of them, by any load metric, or
/// as a product does. See [PowerOfChoices], and for products [NginxRandom], [HaproxyRandom],
/// [CaddyChoice], [EarliestDeadline].
///
/// Owner thread: any (no state).
final class PowerOfTwo implements Algorithm {
  static final Algorithm ALGORITHM = new PowerOfTwo();

  private static final String OWN = Preset.OWN;

  private static final List<Preset> PRESETS =
      List.of(
          Preset.none("bias", "max-fails"),
          new Preset(
              "envoy",
              "Envoy `least_request_lb.cc` (`N_CHOICES`), commit 0a31a54 (2026): `draws=replacement`,"
                  + " `ties=first`; `edf(start=prepicked,bias=1)` while weights differ, or always if `bias` is"
                  + " given",
              rules("replacement", "first", "max-fails", OWN, "fail-timeout", OWN)),
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_random_module.c` (`random two least_conn`): two different"
                  + " ones drawn by weight, requests in flight over weight, the second wins ties",
              rules(OWN, OWN, "d", "2", "bias", OWN)),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/backend.c` (`random(d)`): draws on a ring of 16 points for each unit of"
                  + " weight, requests in flight over weight, ties by the picks of the last second",
              rules(OWN, OWN, "bias", OWN, "max-fails", OWN, "fail-timeout", OWN)),
          new Preset(
              "finagle",
              "Finagle `loadbalancer/p2c/P2CPick.scala`, commit 4feb34c (2024-10): `draws=distinct`,"
                  + " `ties=first`",
              rules(
                  "distinct",
                  "first",
                  "d",
                  "2",
                  "bias",
                  OWN,
                  "max-fails",
                  OWN,
                  "fail-timeout",
                  OWN)),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go` (`random_choose`), commit 0cf03d3 (2026-08): a uniform sample"
                  + " in one pass; the first idle one of it, else a random one of those that were the least"
                  + " loaded when the pass came to them",
              rules(OWN, OWN, "bias", OWN, "max-fails", OWN, "fail-timeout", OWN)),
          new Preset(
              "traefik",
              "Traefik `p2c.go`, commit fd5a576 (2026-07): `draws=shifted`, `ties=first`",
              rules(
                  "shifted",
                  "first",
                  "d",
                  "2",
                  "bias",
                  OWN,
                  "max-fails",
                  OWN,
                  "fail-timeout",
                  OWN)));

  private PowerOfTwo() {}

  private static Map<String, String> rules(String draws, String ties, String... others) {
    return Preset.rules(
        others, "draws", draws, "ties", ties, "weights", OWN, "metric", "in-flight");
  }

  @Override
  public Description description() {
    return new Description(
        "p2c",
        "Draws d backends at random and picks the one with the fewest requests in flight, or the lowest of"
            + " another load metric.",
        LoadMetrics.withParameters(
            Parameter.whole("d", 1, PowerOfChoices.MAX_CHOICES, "2", "number of draws"),
            Parameter.choice(
                "draws",
                List.of("replacement", "distinct", "shifted"),
                "replacement",
                "a backend may be drawn twice; or never, and a d above n is a full scan; or, of two, it"
                    + " stands for the next one"),
            Parameter.choice(
                "ties", List.of("first", "random"), "first", "which of equal draws is picked"),
            Parameter.choice(
                "weights",
                List.of("ignored", "divided"),
                "ignored",
                "whether loads are divided by weights before they are compared"),
            EarliestDeadline.BIAS,
            NginxPeers.MAX_FAILS,
            Preset.parameter(PRESETS)),
        "O(d), d draws, one more for each tie with `ties=random`, and d times that of the metric",
        "nothing but what the metric does; `as=` what the product does",
        LoadMetrics.withSources(
            Preset.sources(
                PRESETS,
                "Mitzenmacher, *The Power of Two Choices in Randomized Load Balancing*, IEEE TPDS"
                    + " 12(10), 2001")),
        LoadMetrics.withDeviations(
            "In flight is what the view says; in all products it is the proxy's own, as in `local`.",
            "nginx counts instants of failures in whole seconds; here they are in ns.",
            "With Envoy's rules survivors keep their deadlines when the set changes; Envoy begins anew.",
            "HAProxy's generator of draws is a 32-bit xorshift; here draws are uniform. A weight above 256, its"
                + " largest, has 256's points on its ring."));
  }

  @Override
  public Regard regard(Parameters parameters) {
    return LoadMetrics.regard(parameters, "envoy", "nginx", "haproxy");
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    if (settings.choice("draws").equals("shifted") && settings.whole("d") != 2) {
      throw settings.refusal("d", "2 with draws=shifted");
    }
    LoadMetric metric = LoadMetrics.create(settings, backends, view, ports);
    return switch (settings.as()) {
      case "nginx" ->
          new SelectingBalancer(
              backends,
              new PerWeight(metric, backends),
              new NginxRandom(
                  NginxRandom.Draws.TWO,
                  backends,
                  NginxPeers.create(settings, backends, ports),
                  ports.random()));
      case "haproxy" ->
          new SelectingBalancer(
              backends,
              new PerWeight(metric, backends),
              new HaproxyRandom(settings.whole("d"), backends, ports));
      case "caddy" ->
          new SelectingBalancer(
              backends, metric, new CaddyChoice(atLeastTwo(settings), backends, ports.random()));
      case "envoy" ->
          EarliestDeadline.whereEnvoyHasIt(
              settings,
              backends,
              view,
              ports,
              set ->
                  new SelectingBalancer(
                      set, metric, selector(atLeastTwo(settings), settings, ports)));
      default ->
          new SelectingBalancer(
              backends,
              settings.choice("weights").equals("divided")
                  ? new PerWeight(metric, backends)
                  : metric,
              selector(settings.whole("d"), settings, ports));
    };
  }

  private static int atLeastTwo(Settings settings) {
    if (settings.whole("d") < 2) {
      throw settings.refusal("d", "at least 2 with as=" + settings.as());
    }
    return settings.whole("d");
  }

  private static PowerOfChoices selector(int choices, Settings settings, Ports ports) {
    PowerOfChoices.Draws draws =
        switch (settings.choice("draws")) {
          case "distinct" -> PowerOfChoices.Draws.DISTINCT;
          case "shifted" -> PowerOfChoices.Draws.SHIFTED;
          default -> PowerOfChoices.Draws.REPLACEMENT;
        };
    PowerOfChoices.Ties ties =
        settings.choice("ties").equals("random")
            ? PowerOfChoices.Ties.RANDOM
            : PowerOfChoices.Ties.FIRST;
    return new PowerOfChoices(choices, draws, ties, ports.random());
  }
}
