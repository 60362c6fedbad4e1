package dev.herdlab.balancer;

import java.util.Objects;

/// One server behind the proxies, as a balancer knows it: a stable name and a static share of
/// capacity.
///
/// Owner thread: any (immutable).
///
/// @param id stable name, unique within a [BackendSet]; state is kept by it when the set changes
/// @param weight static share of capacity, 1 to 65535; only weighted algorithms read it
public record Backend(String id, int weight) {
  /// The largest weight: the bound that nginx and Envoy also use, so that sums of weights fit an
  /// int.
  public static final int MAX_WEIGHT = 65_535;

  public Backend {
    Objects.requireNonNull(id, "id");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("id: empty (expected: a name)");
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "weight: " + weight + " (expected: 1 to " + MAX_WEIGHT + ")");
    }
  }

  /// A backend of weight 1.
  public static Backend of(String id) {
    return new Backend(id, 1);
  }
}
