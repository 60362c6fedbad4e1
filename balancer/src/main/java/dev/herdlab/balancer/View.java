package dev.herdlab.balancer;

/// What one balancer knows of the loads: requests in flight on each backend, as this view sees
/// them.
///
/// Cost: [#inFlight] is O(1). Owner thread: its dispatcher's.
public interface View {
  /// In flight on the backend at `index` of the current set, 0 or more.
  int inFlight(int index);

  /// Takes a new copy of the true counts; nothing for a view that is always fresh.
  default void refresh() {}

  /// Replaces the set; counts of survivors are kept.
  default void update(BackendSet backends) {}

  /// This dispatcher opened a lease.
  default void picked(Picked picked) {}

  /// One of this dispatcher's leases ended.
  default void completed(Picked picked) {}
}
