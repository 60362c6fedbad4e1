package dev.herdlab.balancer;

/// What an algorithm may know of the request that it picks for.
///
/// @param key the request's attribute as a number, for hashing and affinity; 0 when it has none
public record PickContext(long key) {
  /// The context of a request without attributes.
  public static final PickContext PLAIN = new PickContext(0);
}
