package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// Picks a backend with the fewest requests in flight, by a full scan.
///
/// Cost: O(n), one draw with `ties=random`. Owner thread: its dispatcher's.
/// Source: the published herd program (uniform among the least); the other tie rules as in HAProxy
/// (in turn) and naive implementations (first).
final class LeastConn {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "least-conn",
              "Picks a backend with the fewest requests in flight, by a full scan.",
              List.of(
                  Parameter.choice(
                      "ties",
                      List.of("random", "first", "round-robin"),
                      "random",
                      "which of the least loaded is picked")),
              "O(n), one draw with `ties=random`",
              "nothing, except with `ties=round-robin`: where the next scan for a tie begins",
              List.of(
                  "Envoy `least_request`, `FULL_SCAN`", "HAProxy `src/lb_fwlc.c` (ties in turn)"),
              List.of(
                  "Weights are ignored; HAProxy divides by them.",
                  "Envoy breaks ties by reservoir sampling: the same law, other coins."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          FullScan.Ties ties =
              switch (parameters.choice("ties")) {
                case "first" -> FullScan.Ties.FIRST;
                case "round-robin" -> FullScan.Ties.ROUND_ROBIN;
                default -> FullScan.Ties.RANDOM;
              };
          return new SelectingBalancer(
              backends, new InFlight(view), new FullScan(ties, ports.random()));
        }
      };

  private LeastConn() {}
}
