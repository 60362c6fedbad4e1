package dev.herdlab.balancer;

import java.util.Objects;

/// What an algorithm may know of the request that it picks for. Owner thread: any (immutable).
///
/// @param key the request's attribute as a number, for hashing and affinity; 0 when it has none
/// @param pinned id of the backend that the client's cookie names, whether or not it is in the set;
///     empty when it has none
public record PickContext(long key, String pinned) {
  /// The context of a request without attributes.
  public static final PickContext PLAIN = new PickContext(0);

  public PickContext {
    Objects.requireNonNull(pinned, "pinned");
  }

  /// The context of a request without a cookie.
  public PickContext(long key) {
    this(key, "");
  }
}
