package dev.herdlab.balancer;

/// What one balancer knows of the loads: requests in flight on each backend, as this view sees
/// them.
///
/// Cost: [#inFlight] is O(1). Owner thread: its dispatcher's.
public interface View {
  /// In flight on the backend at `index` of the current set, 0 or more.
  int inFlight(int index);

  /// Shows this copy of the true counts from now on; nothing for a view that is always fresh.
  ///
  /// @param snapshot on the view's current set
  /// @param picksIncluded number of this dispatcher's picks that the copy knows of: those with a
  ///     lower [Picked#sequence]
  default void refresh(Snapshot snapshot, long picksIncluded) {}

  /// Replaces the set; counts of survivors are kept.
  default void update(BackendSet backends) {}

  /// This dispatcher opened a lease.
  default void picked(Picked picked) {}

  /// One of this dispatcher's leases ended.
  default void completed(Picked picked) {}
}
