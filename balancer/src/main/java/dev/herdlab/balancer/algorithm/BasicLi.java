package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The rule of load interpretation: the requests that are expected while the copy is shown fill the
/// queues of the copy up to one level.
///
/// Basic: throughout, each backend gets its part of that filling, so that all are level when the
/// next copy comes. Aggressive: the lowest are filled first: uniformly one of those that the
/// requests since the copy cover.
///
/// Cost: see [WaterFilling]. Owner thread: any (no state).
enum BasicLi implements WaterFilling.Rule {
  BASIC {
    @Override
    public void fill(WaterLevel loads, double expected, Shares shares) {
      int covered = loads.covers(expected);
      double level = loads.over(covered, expected);
      for (int rank = 0; rank < covered; rank++) {
        shares.add(loads.index(rank), (level - loads.load(rank)) / expected);
      }
    }
  },

  AGGRESSIVE {
    @Override
    public void fill(WaterLevel loads, double expected, Shares shares) {
      // Each pick looks at the age.
    }

    @Override
    public int pick(WaterLevel loads, double arrived, Ports.RandomSource random) {
      // At the very beginning a drop of water covers the lowest.
      return loads.index(random.below(loads.covers(Math.max(arrived, Double.MIN_VALUE))));
    }
  };

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "basic-li",
              "Fills the queues of a stale copy up to one level with the requests that are expected until"
                  + " the next copy, each backend by its part of that; for the view shared-stale.",
              List.of(
                  Parameter.choice(
                      "variant",
                      List.of("basic", "aggressive"),
                      "basic",
                      "each backend its part throughout, or the lowest first as the copy ages"),
                  ArrivalsPerCopy.RATE),
              "O(log n), one draw, and O(n log n) for each copy; aggressive O(n)",
              "the shares of the copy at hand, and own picks during about ten copies",
              List.of(
                  "Dahlin, *Interpreting Stale Load Information*, IEEE TPDS 11(10), 2000: Basic LI and"
                      + " Aggressive LI under periodic update"),
              List.of(
                  "Written after the abstract and secondary sources; the paper's text was not at hand.",
                  "The arrival rate is measured where the paper knows it (`rate` tells it); until one"
                      + " interval is over picks are uniformly random.",
                  "On a view that is always fresh it is least-conn with random ties."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return Regard.LOADS;
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new WaterFilling(
              backends,
              view,
              ports,
              parameters.choice("variant").equals("basic") ? BASIC : AGGRESSIVE,
              new ArrivalsPerCopy(view, parameters.decimal("rate"), ports.peers().count()));
        }
      };
}
