package dev.herdlab.balancer.algorithm;

/// Where keys fall: a map from all keys to the backends of one set, made so that few keys move when
/// the set changes. Rings, tables and scores are placements.
///
/// Owner thread: its balancer's.
@FunctionalInterface
interface Placement {
  /// Index of the backend on which `key` falls; the set must not be empty. Hot path: allocates
  /// nothing.
  int indexOf(long key);
}
