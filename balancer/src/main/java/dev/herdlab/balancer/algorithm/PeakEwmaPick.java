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

/// The algorithm `peak-ewma`: the less loaded of two distinct draws, by the metric [PeakEwma].
///
/// Owner thread: any (no state).
final class PeakEwmaPick implements Algorithm {
  static final Algorithm ALGORITHM = new PeakEwmaPick();

  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "finagle",
              "Finagle `loadbalancer/PeakEwma.scala`, `p2c/P2CPick.scala`, commit 4feb34c (2024-10): the"
                  + " defaults",
              Map.of("newcomer", "free", "failures", "timed", "d", "2")),
          new Preset(
              "linkerd",
              "linkerd2-proxy `linkerd/load-biaser`, `linkerd/pool/p2c`, commit 29637b6 (2026-08):"
                  + " `newcomer=rtt`, `failures=penalised`",
              Map.of("newcomer", "rtt", "failures", "penalised", "d", "2")));

  private PeakEwmaPick() {}

  @Override
  public Description description() {
    List<Parameter> parameters = new ArrayList<>();
    parameters.add(
        Parameter.whole("d", 1, PowerOfChoices.MAX_CHOICES, "2", "number of distinct draws"));
    parameters.addAll(PeakEwma.PARAMETERS);
    parameters.add(Preset.parameter(PRESETS));
    return new Description(
        "peak-ewma",
        "Draws two different backends and picks the one of the lower peak EWMA: an average latency that"
            + " jumps to each peak and decays with time, times the requests in flight and this one.",
        parameters,
        "O(d), d draws and exponentials; one exponential at each completion",
        "each backend's average; survivors keep theirs, newcomers begin as `newcomer` says",
        Preset.sources(
            PRESETS,
            "Finagle `loadbalancer/PeakEwma.scala`: errors count by the time they took; a new backend is"
                + " free until it has a request, then costs more than any other until its first answer"),
        List.of(
            "In flight is what the view says; in both products it is the proxy's own, as in `local`.",
            "Linkerd penalises answers of 429 and of 500 and above; `penalised` does so for every failure"
                + " of the backend.",
            "Finagle and Linkerd prefer endpoints that are open; there is no such status here."));
  }

  @Override
  public Regard regard(Parameters parameters) {
    return Regard.LOADS;
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    return new SelectingBalancer(
        backends,
        PeakEwma.create(settings, backends, view, ports),
        new PowerOfChoices(
            settings.whole("d"),
            PowerOfChoices.Draws.DISTINCT,
            PowerOfChoices.Ties.FIRST,
            ports.random()));
  }
}
