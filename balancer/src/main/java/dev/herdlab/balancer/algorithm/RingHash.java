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
import java.util.function.Function;

/// The algorithm `ring-hash`: consistent hashing on a ring. See [RingPoints], [HashRing] and, for
/// HAProxy's, [HaproxyRing].
///
/// Owner thread: any (no state).
final class RingHash implements Algorithm {
  static final Algorithm ALGORITHM = new RingHash();

  /// Envoy's bound for both sizes.
  private static final int MAX_SIZE = 8_388_608;

  /// Size of the ring; shared with bounded-load.
  static final Parameter MIN_SIZE =
      Parameter.whole(
          "min-size",
          1,
          MAX_SIZE,
          "1024",
          "points on the ring at least; the lightest backend gets a whole number of them");

  /// Size of the ring; shared with bounded-load.
  static final Parameter MAX_POINTS =
      Parameter.whole(
          "max-size", 1, MAX_SIZE, Integer.toString(MAX_SIZE), "points on the ring at most");

  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "envoy",
              "Envoy `ring_hash_lb.cc`, commit 0d2acde (2026): `hash=xxhash`",
              Map.of("hash", "xxhash")),
          new Preset(
              "nginx",
              "nginx 1.31.4 `ngx_http_upstream_hash_module.c` (`hash consistent`): `hash=crc32`, 160 points"
                  + " for each unit of weight",
              Map.of("hash", "crc32")),
          new Preset(
              "haproxy",
              "HAProxy 3.5-dev5 `src/lb_chash.c` (`hash-type consistent`): 16 points for each unit of"
                  + " weight, by numbers in the order of coming; a key falls on the nearest",
              Map.of("hash", Preset.OWN, "min-size", Preset.OWN, "max-size", Preset.OWN)));

  private RingHash() {}

  @Override
  public Description description() {
    return new Description(
        "ring-hash",
        "Consistent hashing: backends have points on a ring, and a request goes to the backend whose point"
            + " comes first after its key. When a backend leaves its keys move, and few others.",
        List.of(
            Parameter.choice(
                "hash",
                List.of("xxhash", "ketama", "crc32"),
                "xxhash",
                "whose points: Envoy's; those of memcached's clients, 40 MD5 sums of 4 points for a mean"
                    + " weight; nginx's"),
            MIN_SIZE,
            MAX_POINTS,
            Preset.parameter(PRESETS)),
        "O(1), no draw; one for a request without a key",
        "nothing but the ring, which is made anew when the set changes. Where `min-size` is divided among"
            + " fewer backends each has more points, and some keys of others move too; not so with"
            + " `hash=ketama` and equal weights, nor with nginx's and HAProxy's points",
        Preset.sources(
            PRESETS,
            "Karger and others, *Consistent Hashing and Random Trees*, STOC 1997",
            "gRFC A42 (`ring_hash`)",
            "`hash=ketama`: libmemcached `src/libmemcached/hosts.cc` (weighted ketama), commit 374774d;"
                + " RJ/ketama"),
        List.of(
            KeyedBalancer.WITHOUT_KEY,
            "Points are made of backends' ids; the products hash addresses or names. libmemcached leaves out"
                + " the port 11211, which an id must then do itself.",
            "All place a request by XXH64 of its attribute, rings of 32 bits by its low half; memcached's"
                + " clients use MD5, nginx CRC-32, and HAProxy sdbm of the attribute."));
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    return new KeyedBalancer(backends, rings(settings, ports.random()), ports.random());
  }

  private static Function<BackendSet, Ring> rings(Settings settings, Ports.RandomSource random) {
    if (settings.as().equals("haproxy")) {
      return HaproxyRing.following(random);
    }
    String hash = settings.choice("hash");
    if (hash.equals("xxhash")) {
      return envoys(settings);
    }
    settings.refuseGiven("min-size", "hash=xxhash with it");
    settings.refuseGiven("max-size", "hash=xxhash with it");
    return hash.equals("ketama") ? RingPoints::ketama : RingPoints::nginxs;
  }

  /// Envoy's rings of the sizes that are set.
  ///
  /// @throws IllegalArgumentException if the least is above the most
  static Function<BackendSet, Ring> envoys(Settings settings) {
    int minSize = settings.whole("min-size");
    int maxSize = settings.whole("max-size");
    if (minSize > maxSize) {
      throw new IllegalArgumentException(
          "min-size: " + minSize + " (expected: at most max-size, " + maxSize + ")");
    }
    return backends -> RingPoints.envoys(backends, minSize, maxSize);
  }
}
