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

/// The algorithm `maglev`: consistent hashing by a table. See [MaglevTable].
///
/// Owner thread: any (no state).
final class Maglev implements Algorithm {
  static final Algorithm ALGORITHM = new Maglev();

  /// Envoy's bound.
  private static final int MAX_SIZE = 5_000_011;

  private static final List<Preset> PRESETS =
      List.of(
          Preset.none(),
          new Preset(
              "envoy",
              "Envoy `maglev_lb.cc`, commit 104df3d (2026): `weights=shares`",
              Map.of("weights", "shares")));

  private Maglev() {}

  @Override
  public Description description() {
    return new Description(
        "maglev",
        "Consistent hashing by a table with a prime number of places, which backends have filled in turns,"
            + " each in an order of its own. Shares are nearly equal, and few keys move when the set changes.",
        List.of(
            Parameter.whole(
                "table-size",
                2,
                MAX_SIZE,
                "65537",
                "places in the table: a prime, at least a hundred times the number of backends for shares"
                    + " within a per cent"),
            Parameter.choice(
                "weights",
                List.of("shares", "ignored"),
                "shares",
                "whether a backend has a share of the places as large as that of its weight"),
            Preset.parameter(PRESETS)),
        "O(1), no draw; one for a request without a key",
        "nothing but the table, which is made anew when the set changes. A balancer is refused at its start"
            + " if there are more backends than places; if the set outgrows the table later, some have none",
        Preset.sources(
            PRESETS,
            "Eisenbud and others, *Maglev: A Fast and Reliable Software Network Load Balancer*, NSDI 2016,"
                + " section 3.4"),
        List.of(
            KeyedBalancer.WITHOUT_KEY,
            "The paper leaves the two hash functions and weights open; both are Envoy's. Envoy hashes"
                + " addresses or names, here ids are hashed."));
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters, PRESETS);
    int size = settings.whole("table-size");
    if (!isPrime(size)) {
      throw new IllegalArgumentException("table-size: " + size + " (expected: a prime number)");
    }
    if (size < backends.size()) {
      throw new IllegalArgumentException(
          "table-size: "
              + size
              + " (expected: at least the number of backends, "
              + backends.size()
              + ")");
    }
    boolean weighted = settings.choice("weights").equals("shares");
    return new KeyedBalancer(backends, set -> MaglevTable.of(set, size, weighted), ports.random());
  }

  private static boolean isPrime(int number) {
    for (int divisor = 2; (long) divisor * divisor <= number; divisor++) {
      if (number % divisor == 0) {
        return false;
      }
    }
    return number >= 2;
  }
}
