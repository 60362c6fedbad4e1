package dev.herdlab.balancer.algorithm;

/// A number of times a step that need not be whole, rounded so that the mean is right: after k
/// steps the sum is the rate times k, rounded down.
///
/// Cost: O(1), no draw. Owner thread: its balancer's.
final class Fraction {
  private final double rate;
  private double due;

  Fraction(double rate) {
    this.rate = rate;
  }

  /// How often at this step.
  int next() {
    due += rate;
    int whole = (int) due;
    due -= whole;
    return whole;
  }
}
