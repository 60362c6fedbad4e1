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

/// Picks each backend as many times in a row as its weight says, then the next: {5,1,1} gives a a a
/// a a b c. The naive way, here to be compared with the smooth one.
///
/// Cost: O(1), no draw. Owner thread: its dispatcher's.
/// Source: the complaints about its runs, traefik/traefik#6205 and cloudflare/pingora#51; Caddy
/// modules/caddyhttp/reverseproxy/selectionpolicies.go, whose first pick is the cycle's second.
final class WeightedRoundRobin implements LoadBalancer {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go` (`weighted_round_robin`), commit 0cf03d3 (2026-08):"
                  + " `start=second`",
              Map.of("start", "second")));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "weighted-round-robin",
              "Picks each backend as many times in a row as its weight says, then the next one.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("first", "second"),
                      "first",
                      "which pick of the cycle is the first"),
                  Preset.parameter(PRESETS)),
              "O(1), no draw",
              "whose turn it is and how much of it is over; if that backend leaves, the next one that"
                  + " stays begins its turn",
              Preset.sources(
                  PRESETS,
                  "traefik/traefik#6205 and cloudflare/pingora#51 (complaints about the runs it makes)"),
              List.of());
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters, PRESETS);
          WeightedRoundRobin balancer = new WeightedRoundRobin(backends);
          if (settings.choice("start").equals("second") && backends.size() > 0) {
            balancer.advance();
          }
          return balancer;
        }
      };

  private BackendSet backends;
  private int cursor;
  private int picksHere;

  private WeightedRoundRobin(BackendSet backends) {
    this.backends = backends;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = cursor;
    advance();
    return new Picked(backends, index);
  }

  private void advance() {
    picksHere++;
    endTurnIfDone();
  }

  private void endTurnIfDone() {
    if (picksHere >= backends.get(cursor).weight()) {
      picksHere = 0;
      cursor = cursor + 1 == backends.size() ? 0 : cursor + 1;
    }
  }

  /// The cursor stays on its backend, in the middle of its turn, or moves to the next one that
  /// survives.
  @Override
  public void update(BackendSet next) {
    int survivor = backends.survivorFrom(cursor, next);
    boolean sameBackend =
        survivor >= 0 && backends.get(cursor).id().equals(next.get(survivor).id());
    backends = next;
    cursor = Math.max(survivor, 0);
    if (!sameBackend) {
      picksHere = 0;
    } else {
      endTurnIfDone(); // its weight may be smaller now
    }
  }
}
