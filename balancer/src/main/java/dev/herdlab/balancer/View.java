package dev.herdlab.balancer;

/// What one balancer knows of the loads: requests in flight on each backend, as this view sees
/// them.
///
/// Cost: [#inFlight] is O(1). Owner thread: its dispatcher's.
public interface View {
  /// In flight on the backend at `index` of the current set, 0 or more.
  int inFlight(int index);

  /// In flight from this proxy on the backend at `index` of the current set, whatever else the view
  /// shows. Unlike [#inFlight] always fresh.
  default int own(int index) {
    return inFlight(index);
  }

  /// Shows this copy of the true counts from now on; nothing for a view that is always fresh.
  ///
  /// @param snapshot on the view's current set
  /// @param picksIncluded number of this dispatcher's picks that the copy knows of: those with a
  ///     lower [Picked#sequence]
  default void refresh(Snapshot snapshot, long picksIncluded) {}

  /// For how long the counts shown are not true any more, in ns, 0 or more: 0 for a view that is
  /// always fresh, and before the first copy.
  ///
  /// @param nowNanos the instant on the dispatcher's clock
  default long ageNanos(long nowNanos) {
    return 0;
  }

  /// Nanoseconds between the copies of a stale view; 0 for a view that takes none.
  default long refreshNanos() {
    return 0;
  }

  /// Number of copies taken so far; 0 for a view that takes none.
  default long copies() {
    return 0;
  }

  /// A backend said something about itself.
  default void observe(BackendSignal signal) {}

  /// Replaces the set; counts of survivors are kept.
  default void update(BackendSet backends) {}

  /// This dispatcher opened a lease.
  default void picked(Picked picked) {}

  /// One of this dispatcher's leases ended.
  default void completed(Picked picked) {}
}
