package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The algorithm `aperture`: each proxy uses a part of the backends, with two choices within it.
/// See [RingAperture], [RandomAperture].
///
/// Owner thread: any (no state).
final class Aperture implements Algorithm {
  static final Algorithm ALGORITHM = new Aperture();

  private static final String RANDOM = "kind=random with it";

  private Aperture() {}

  @Override
  public Description description() {
    return new Description(
        "aperture",
        "Each proxy uses a part of the backends: an arc of a ring that it has in common with the others, or"
            + " the first ones in an order of its own, as many as its load needs. Of two drawn there the less"
            + " loaded is picked.",
        List.of(
            Parameter.choice(
                "kind",
                List.of("ring", "random"),
                "ring",
                "the deterministic aperture, whose arcs cover the ring evenly; or the random one"),
            Parameter.whole("size", 2, 100_000, "12", "backends' worth of ring in an arc at least"),
            Parameter.whole("min-size", 1, 100_000, "1", "backends at least of a random aperture"),
            Parameter.decimal(
                "low",
                0,
                1e6,
                "0.875",
                "requests of this proxy for each backend, on average, at which a random aperture becomes"
                    + " smaller by one"),
            Parameter.decimal(
                "high", 0, 1e6, "1.125", "the same at which it becomes larger by one; above low"),
            Parameter.duration(
                "window", "15s", "over which they are averaged, with exponential weights")),
        "O(1), O(log n) with `kind=random`; two draws, up to six, of one or two numbers",
        "nothing with `kind=ring`; with `kind=random` its order, the size of the aperture and the average."
            + " An arc has all backends if there are fewer than `size`",
        List.of(
            "Finagle `loadbalancer/aperture/`, commit 4feb34c (2024-10): `WeightedAperture.scala`,"
                + " `DeterministicAperture.scala`, `RandomAperture.scala`, `LoadBand.scala`",
            "Anderson and others, *Deterministic Aperture: A distributed, load balancing algorithm*,"
                + " Twitter 2019"),
        List.of(
            "In flight is what the view says; in Finagle it is the proxy's own, as in `local`. Backends'"
                + " status is not known, and none is closed.",
            "A random aperture keeps its size when the set changes; Finagle's begins anew. Its order is that"
                + " of a hash with a seed of the proxy's own; Finagle draws a token for each backend."));
  }

  @Override
  public Regard regard(Parameters parameters) {
    return Regard.LOADS;
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters);
    return settings.choice("kind").equals("ring")
        ? ring(settings, backends, view, ports)
        : random(settings, backends, view, ports);
  }

  private static LoadBalancer ring(Settings settings, BackendSet backends, View view, Ports ports) {
    for (String others : List.of("min-size", "low", "high", "window")) {
      settings.refuseGiven(others, RANDOM);
    }
    return new RingAperture(backends, view, settings.whole("size"), ports.peers(), ports.random());
  }

  private static LoadBalancer random(
      Settings settings, BackendSet backends, View view, Ports ports) {
    settings.refuseGiven("size", "kind=ring with it");
    RandomAperture.Band band =
        new RandomAperture.Band(
            settings.whole("min-size"),
            settings.decimal("low"),
            settings.decimal("high"),
            settings.nanos("window"));
    return new RandomAperture(backends, view, band, ports);
  }
}
