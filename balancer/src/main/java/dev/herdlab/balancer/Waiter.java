package dev.herdlab.balancer;

/// A request that may have to wait for a backend, as its dispatcher knows it. Owner thread: its
/// dispatcher's.
@FunctionalInterface
public interface Waiter {
  /// It waits no more: it was picked for, and the lease is open, or there will be no backend.
  ///
  /// Called from within the end of another request, or a change of balancer or set: to be cut
  /// short.
  ///
  /// @param result anything but [Waiting]
  void served(PickResult result);
}
