package dev.herdlab.lab;

import dev.herdlab.dns.Rotation;
import dev.herdlab.lab.config.ExperimentKeys;
import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.ValueType;

/// The keys of `dns skew`. Owner thread: any (immutable).
final class DnsSkewKeys {
  static final Key<Rotation> ROTATION =
      Key.sweep(
          "rotation",
          ValueType.constant(Rotation.class),
          "cyclic,random",
          "in which order the server gives the addresses");
  static final Key<Integer> CLIENTS =
      Key.sweep(
          "clients",
          ValueType.whole(1, 1_000_000),
          "20",
          "how many clients send the requests; each keeps the first address of an answer");
  static final Key<Integer> TTL =
      Key.sweep(
          "ttl",
          ValueType.whole(0, 1_000_000),
          "0,1,10,100,1000",
          "how long an answer may be kept, in units: time is compressed, a second of TTL is a unit");
  static final Key<Integer> PROXIES =
      Key.one("proxies", ValueType.whole(1, 1024), "16", "how many addresses the name has");
  static final Key<Double> WINDOW =
      Key.one(
          "window",
          ValueType.positive(),
          "25",
          "units over which the skew within the run is taken; their mean is reported");
  static final Key<Integer> REQUESTS =
      Key.one("requests", ValueType.whole(1, 1_000_000), "8000", "how many requests are sent");
  static final Key<Long> SEED =
      Key.one("seed", ValueType.natural(), "0", "source of all randomness");
  static final Key<Integer> MODEL_SEEDS =
      Key.one(
          "model-seeds",
          ValueType.whole(20, 10_000),
          "20",
          "runs of the model with other coins, for a random rotation");
  static final Key<Long> UNIT =
      Key.one("unit", ValueType.duration(1), "10ms", "length of a unit when requests are sent");
  static final Key<Integer> BACKENDS =
      Key.one("backends", ValueType.whole(1, 4096), "16", "number of backends behind the proxies");
  static final Key<Double> RHO =
      Key.one("rho", ValueType.positive(), "0.8", "offered load: rho x backends requests a unit");
  static final Key<String> ALGORITHM =
      Key.one(
          "algorithm",
          ValueType.text("an algorithm such as p2c(d=2); see herdlab algorithms"),
          "least-conn",
          "how a proxy picks a backend when requests are sent");
  static final Key<String> VIEW =
      Key.one(
          "view",
          ValueType.text("local, shared or shared-stale(refresh=R,own=,phase=)"),
          "local",
          "what a proxy knows of the loads when requests are sent");

  /// All of them.
  static final KeyTable ALL =
      KeyTable.of(
          ExperimentKeys.NAME,
          ExperimentKeys.DESCRIPTION,
          ROTATION,
          CLIENTS,
          TTL,
          PROXIES,
          WINDOW,
          REQUESTS,
          SEED,
          MODEL_SEEDS,
          UNIT,
          BACKENDS,
          RHO,
          ALGORITHM,
          VIEW,
          ExperimentKeys.BURN_IN,
          ExperimentKeys.ATTEMPTS);

  private DnsSkewKeys() {}
}
