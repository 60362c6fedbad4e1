package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import java.util.List;

/// The list of the algorithms of this module. Owner thread: any (immutable).
public final class BuiltIn {
  private static final List<Algorithm> ALL =
      List.of(
          RandomPick.ALGORITHM,
          RoundRobin.ALGORITHM,
          WeightedRoundRobin.ALGORITHM,
          SmoothWeightedRoundRobin.ALGORITHM,
          EarliestDeadline.ALGORITHM,
          StaticStride.ALGORITHM,
          ClientWeighted.ALGORITHM,
          LeastConn.ALGORITHM,
          LeastTime.ALGORITHM,
          PowerOfTwo.ALGORITHM,
          PeakEwmaPick.ALGORITHM,
          JoinIdleQueue.ALGORITHM,
          Prequal.ALGORITHM,
          CubicScore.ALGORITHM,
          LocalShortestQueue.ALGORITHM,
          BasicLi.ALGORITHM,
          TidalWaterFilling.ALGORITHM,
          RingHash.ALGORITHM,
          Rendezvous.ALGORITHM,
          Maglev.ALGORITHM,
          BoundedLoad.ALGORITHM,
          Sticky.ALGORITHM,
          Subset.ALGORITHM,
          Aperture.ALGORITHM,
          ShuffleSharding.ALGORITHM,
          SlowStart.ALGORITHM,
          OutlierEjection.ALGORITHM,
          Panic.ALGORITHM,
          Limit.ALGORITHM);

  private BuiltIn() {}

  /// All of them, in no order that matters.
  public static List<Algorithm> all() {
    return ALL;
  }
}
