package dev.herdlab.balancer.algorithm;

/// A placement by points on a circle: a key falls on one of them, and points have an order in which
/// one can go on from there.
///
/// Owner thread: its balancer's.
interface Ring extends Placement {
  /// The point, 0 to [#points] - 1, on which `key` falls.
  int pointOf(long key);

  /// Index of the backend whose point it is.
  int ownerOf(int point);

  /// How many points there are.
  int points();

  @Override
  default int indexOf(long key) {
    return ownerOf(pointOf(key));
  }
}
