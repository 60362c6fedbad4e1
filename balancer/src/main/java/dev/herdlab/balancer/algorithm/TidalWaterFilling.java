package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The rule of Tidal Water Filling: the shares by which the queues come out closest to level, in
/// expected squares, when A requests are drawn independently by proxies that do not talk.
///
/// With the level L that A requests would fill the m queues below it to, the share of a queue q
/// below L is (L - q - 1/m) / (A - 1). What an exact filling would send to a queue that is only
/// just below L the randomness of the others brings anyway.
///
/// Cost: see [WaterFilling]. Owner thread: any (no state).
final class TidalWaterFilling implements WaterFilling.Rule {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "tidal-water-filling",
              "Fills the queues of a stale copy up to one level with the requests of all proxies until the"
                  + " next copy, by shares that reckon with the others' randomness; for the view"
                  + " shared-stale.",
              List.of(
                  Parameter.whole(
                      "dispatchers", 0, 1_000_000, "0", "number of proxies; 0: as it is"),
                  ArrivalsPerCopy.RATE),
              "O(log n), one draw, and O(n log n) for each copy",
              "the shares of the copy at hand, and own picks during about ten copies",
              List.of(
                  "Goren, Vargaftik, Moses, *Distributed Dispatching in the Parallel Server Model*, DISC 2020"
                      + " (LIPIcs 179, 14)",
                  "the authors' program for *Stochastic Coordination in Heterogeneous Load Balancing"
                      + " Systems*, PODC 2021: `DispatcherTWFSplittableFullServerState`"),
              List.of(
                  "The paper's proxies know the requests of a round at its start; here a round is the"
                      + " interval between copies, and its requests are estimated from earlier ones, rounded"
                      + " to a whole number; until one interval is over picks are uniformly random.",
                  "On a view that is always fresh it is least-conn with random ties: rounds of one"
                      + " request."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.LOADS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          int given = parameters.whole("dispatchers");
          int proxies = given == 0 ? ports.peers().count() : given;
          return new WaterFilling(
              backends,
              view,
              ports,
              new TidalWaterFilling(),
              new ArrivalsPerCopy(view, parameters.decimal("rate"), proxies));
        }
      };

  /// A single request is not drawn against others: it goes to one of the lowest.
  @Override
  public void fill(WaterLevel loads, double expected, Shares shares) {
    double arrivals = Math.max(1, Math.rint(expected));
    int covered = loads.covers(arrivals);
    double level = loads.over(covered, arrivals);
    for (int rank = 0; rank < covered; rank++) {
      double share =
          arrivals == 1 ? 1 : (level - loads.load(rank) - 1.0 / covered) / (arrivals - 1);
      if (share > 0) {
        shares.add(loads.index(rank), share);
      }
    }
  }
}
