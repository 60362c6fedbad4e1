package example;

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

/// Draws a backend at random; when it has `limit` requests in flight or more, draws again, `tries`
/// times at most. The last one drawn is picked whatever its load.
public final class Threshold implements Algorithm {
  @Override
  public Description description() {
    return new Description(
        "threshold",
        "Draws backends at random until one has fewer than `limit` requests in flight.",
        List.of(
            Parameter.whole("limit", 1, 1_000_000, "1", "in flight from which a backend is full"),
            Parameter.whole("tries", 1, 64, "3", "draws at most; the last one is picked anyhow")),
        "O(tries), one draw each",
        "nothing",
        List.of(
            "Eager, Lazowska and Zahorjan, *Adaptive Load Sharing in Homogeneous Distributed"
                + " Systems*, IEEE TSE 12(5), 1986 (its threshold policy)"),
        List.of("The last one drawn is picked; there, the job stays where it arrived."));
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    return new Balancer(
        parameters.whole("limit"), parameters.whole("tries"), backends, view, ports.random());
  }

  private static final class Balancer implements LoadBalancer {
    private final int limit;
    private final int tries;
    private final View view;
    private final Ports.RandomSource random;
    private BackendSet backends;

    Balancer(int limit, int tries, BackendSet backends, View view, Ports.RandomSource random) {
      this.limit = limit;
      this.tries = tries;
      this.backends = backends;
      this.view = view;
      this.random = random;
    }

    @Override
    public PickResult pick(PickContext context) {
      if (backends.size() == 0) {
        return NoBackend.EMPTY_SET;
      }
      int drawn = random.below(backends.size());
      for (int i = 1; i < tries && view.inFlight(drawn) >= limit; i++) {
        drawn = random.below(backends.size());
      }
      return new Picked(backends, drawn);
    }

    @Override
    public void update(BackendSet next) {
      backends = next;
    }
  }
}
