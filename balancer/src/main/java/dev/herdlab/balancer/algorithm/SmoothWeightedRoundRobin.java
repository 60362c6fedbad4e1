package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;
import java.util.Map;

/// Weighted round-robin that spreads each backend's picks over the cycle: {5,1,1} gives a a b a c a
/// a.
///
/// Each pick adds every backend's weight to its value, takes the first greatest, and subtracts the
/// sum of the weights from it. After a cycle of that many picks the values are where they began.
/// They begin at zero; or at the weights, if those are added after the pick instead: the same
/// sequence. Failures lower weights and shut backends out if they are asked to: see [NginxPeers].
///
/// Cost: O(n), no draw. Owner thread: its dispatcher's.
/// Source: nginx src/http/ngx_http_upstream_round_robin.c; phusion/nginx commit 27e9498 (the
/// sequence).
public final class SmoothWeightedRoundRobin implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "nginx",
              "nginx 1.31.4 `src/http/ngx_http_upstream_round_robin.c`: `max-fails=1` unless given,"
                  + " `start=zero`",
              Map.of("start", "zero")),
          new Preset(
              "tengine",
              "Tengine `modules/ngx_http_upstream_vnswrr_module`, commit fcebbd1 (2026-08): the cycle of"
                  + " picks is worked out beforehand, and begins after a random one of the first n;"
                  + " `max-fails=1` unless given",
              Map.of("start", Preset.OWN)));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "smooth-weighted-round-robin",
              "Weighted round-robin that spreads each backend's picks evenly over the cycle.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("zero", "weights"),
                      "zero",
                      "a backend's number before its first pick; both give the same picks"),
                  new Parameter(
                      NginxPeers.MAX_FAILS.name(),
                      NginxPeers.MAX_FAILS.kind(),
                      "0",
                      "failures that shut a backend out for `fail-timeout`, each taking weight /"
                          + " max-fails from its weight until it grows back; 0: weights are static"),
                  new Parameter(
                      NginxTime.FAIL_TIMEOUT.name(),
                      NginxTime.FAIL_TIMEOUT.kind(),
                      NginxTime.FAIL_TIMEOUT.defaultValue(),
                      "how long failures shut a backend out (with max-fails)"),
                  Preset.parameter(PRESETS)),
              "O(n), no draw; O(1) with `as=tengine`",
              "a number for each backend; survivors keep theirs, newcomers begin as `start` says",
              Preset.sources(
                  PRESETS,
                  "nginx `src/http/ngx_http_upstream_round_robin.c`",
                  "phusion/nginx commit 27e9498 (the sequence of {5,1,1})"),
              List.of(
                  "Instants of failures are in ns; nginx's in whole seconds.",
                  "A set that changes keeps the survivors' numbers; nginx and Tengine begin anew."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.WEIGHTS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          boolean product = !settings.as().equals("none");
          int maxFails =
              product && !settings.isGiven("max-fails") ? 1 : settings.whole("max-fails");
          Start start = settings.choice("start").equals("weights") ? Start.WEIGHTS : Start.ZERO;
          if (maxFails > 0 && start == Start.WEIGHTS) {
            throw settings.refusal("start", "zero with max-fails above 0");
          }
          if (maxFails == 0) {
            settings.refuseGiven("fail-timeout", "max-fails above 0 with it");
          }
          NginxPeers peers =
              new NginxPeers(
                  backends,
                  start == Start.WEIGHTS ? NginxPeers.Start.WEIGHT : NginxPeers.Start.ZERO,
                  maxFails,
                  settings.nanos("fail-timeout"),
                  ports.clock());
          return settings.as().equals("tengine")
              ? new ExpandedRoundRobin(backends, peers, ports.random())
              : new SmoothWeightedRoundRobin(backends, start, peers);
        }
      };

  private final Start start;
  private final NginxPeers peers;
  private BackendSet backends;

  /// A backend's value before its first pick, and so when its weight is added.
  enum Start {
    /// Zero: weights are added before each pick.
    ZERO,
    /// Its weight: weights are added after each pick.
    WEIGHTS
  }

  SmoothWeightedRoundRobin(BackendSet backends, Start start, NginxPeers peers) {
    this.start = start;
    this.peers = peers;
    this.backends = backends;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = start == Start.ZERO ? peers.next() : greatestThenRaise();
    return index == Selector.NONE ? NginxPeers.NONE_LEFT : new Picked(backends, index);
  }

  private int greatestThenRaise() {
    int best = 0;
    for (int i = 1; i < backends.size(); i++) {
      if (peers.current(i) > peers.current(best)) {
        best = i;
      }
    }
    peers.begin();
    for (int i = 0; i < backends.size(); i++) {
      peers.raise(i);
    }
    peers.take(best);
    return best;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    peers.completed(picked, outcome);
  }

  @Override
  public void update(BackendSet next) {
    peers.update(next);
    backends = next;
  }

  /// The current values by index, a copy: for the study that shows the cycle.
  public long[] state() {
    long[] values = new long[backends.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = peers.current(i);
    }
    return values;
  }
}
