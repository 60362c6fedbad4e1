package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.XxHash64;
import java.util.List;
import java.util.Map;

/// Rendezvous hashing: every backend bids a hash of itself and the key, and the highest bid wins.
/// When a backend leaves its keys go to the next highest bidders, and no others move.
///
/// With weights a bid is the weight over an exponential of mean 1 made of the hash, so that each
/// backend wins its share of the keys.
///
/// Cost: O(n), a hash for each backend and a logarithm where weights differ; no draw, one for a
/// request without a key. Owner thread: any (not changed after its making).
final class Rendezvous implements Placement {
  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "caddy",
              "Caddy `selectionpolicies.go` (`hostByHashing`), commit 0cf03d3 (2026-08):"
                  + " `weights=ignored`",
              Map.of("weights", "ignored")),
          new Preset(
              "traefik",
              "Traefik `hrw.go`, commit fd5a576 (2026-07): `weights=shares`",
              Map.of("weights", "shares")));

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "rendezvous",
              "Every backend bids a hash of itself and the request's key, and the highest bid wins. When a"
                  + " backend leaves only its keys move.",
              List.of(
                  Parameter.choice(
                      "weights",
                      List.of("shares", "ignored"),
                      "shares",
                      "whether a backend wins a share of the keys as large as that of its weight"),
                  Preset.parameter(PRESETS)),
              "O(n), no draw; one for a request without a key",
              "nothing",
              Preset.sources(
                  PRESETS,
                  "Thaler and Ravishankar, *Using Name-Based Mappings to Increase Hit Rates*, IEEE/ACM"
                      + " ToN 6(1), 1998",
                  "Schindelhauer and Schomaker, *Weighted Distributed Hash Tables*, SPAA 2005 (weights, by"
                      + " the logarithmic method)"),
              List.of(
                  KeyedBalancer.WITHOUT_KEY,
                  "A bid is XXH64 of the key with the hash of the backend's id as its seed; Caddy hashes id and"
                      + " attribute in one by XXH64, Traefik attribute and id by FNV-1a: the same law, other"
                      + " places."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          boolean weighted = Settings.of(parameters, PRESETS).choice("weights").equals("shares");
          return new KeyedBalancer(backends, set -> new Rendezvous(set, weighted), ports.random());
        }
      };

  private final long[] seeds;
  private final double[] weights;
  private final boolean alike;

  private Rendezvous(BackendSet backends, boolean weighted) {
    this.seeds = new long[backends.size()];
    this.weights = new double[backends.size()];
    boolean same = true;
    for (int i = 0; i < seeds.length; i++) {
      seeds[i] = XxHash64.of(backends.get(i).id(), 0);
      weights[i] = weighted ? backends.get(i).weight() : 1;
      same &= weights[i] == weights[0];
    }
    this.alike = same;
  }

  @Override
  public int indexOf(long key) {
    return alike ? highest(key) : highestOfShares(key);
  }

  private int highest(long key) {
    int best = 0;
    long highest = Long.MIN_VALUE;
    for (int i = 0; i < seeds.length; i++) {
      long bid = XxHash64.of(key, seeds[i]);
      if (bid > highest) {
        highest = bid;
        best = i;
      }
    }
    return best;
  }

  /// Where weights are alike it finds the same as [#highest]: both order by the hash.
  private int highestOfShares(long key) {
    int best = 0;
    double highest = 0;
    for (int i = 0; i < seeds.length; i++) {
      double bid = weights[i] / -StrictMath.log(uniform(XxHash64.of(key, seeds[i])));
      if (bid > highest) {
        highest = bid;
        best = i;
      }
    }
    return best;
  }

  /// In (0, 1), in the order of signed hashes.
  private static double uniform(long hash) {
    return (((hash ^ Long.MIN_VALUE) >>> 11) + 0.5) * 0x1.0p-53;
  }
}
