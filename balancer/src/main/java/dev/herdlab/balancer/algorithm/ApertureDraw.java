package dev.herdlab.balancer.algorithm;

/// How Finagle picks within an aperture: two weighted draws, the second repeated up to four times
/// if it is the first again, and the less loaded of the two for its weight; the first if they are
/// equal.
///
/// Cost: two draws, up to six. Owner thread: its balancer's.
/// Source: Finagle aperture/WeightedP2CPick.scala, ProbabilityDistribution.scala, commit 4feb34c.
final class ApertureDraw {
  private static final int TRIES = 5;

  /// Weights that differ by less count as equal.
  private static final double EQUAL_WEIGHTS = 0.0001;

  /// The backends of an aperture, by place.
  interface Distribution {
    /// A place, drawn by weight.
    int draw();

    /// What a place's load is divided by.
    double weight(int place);
  }

  private ApertureDraw() {}

  /// A place.
  static int pick(Distribution places, LoadMetric loads) {
    int first = places.draw();
    int second = first;
    for (int i = 0; i < TRIES && second == first; i++) {
      second = places.draw();
    }
    double firstWeight = places.weight(first);
    double secondWeight = places.weight(second);
    double firstLoad = loads.load(first);
    double secondLoad = loads.load(second);
    if (Math.abs(firstWeight - secondWeight) >= EQUAL_WEIGHTS) {
      firstLoad /= firstWeight;
      secondLoad /= secondWeight;
    }
    return firstLoad <= secondLoad ? first : second;
  }
}
