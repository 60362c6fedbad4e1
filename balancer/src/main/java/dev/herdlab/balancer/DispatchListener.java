package dev.herdlab.balancer;

/// Hears of everything that can change a balancer's mind, in order. Owner thread: the dispatcher's.
public interface DispatchListener {
  /// Hears nothing.
  DispatchListener NONE = new DispatchListener() {};

  /// A lease was opened.
  default void picked(int proxy, Picked picked, PickContext context) {}

  /// A pick was refused.
  default void refused(int proxy, PickContext context, long nowNanos) {}

  /// A request was asked for and has to wait; or is turned away, as the waiting list is full. So
  /// again each time that a request which waits was asked for in vain.
  ///
  /// @param pinned index in the dispatcher's set of the backend that its cookie names, -1 if it is
  ///     not there
  default void waits(int proxy, PickContext context, int pinned, long nowNanos) {}

  /// A further attempt is asked for: what follows of the proxy's is its pick, its refusal or its
  /// wait. Once for each backend that the request has tried.
  ///
  /// @param index of that backend in the dispatcher's set, -1 if it has left
  default void again(int proxy, Further why, int index, long nowNanos) {}

  /// A retry was refused by the budget.
  default void overBudget(int proxy, long nowNanos) {}

  /// A lease ended.
  default void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {}

  /// The proxy's view took a new copy.
  ///
  /// @param snapshot on the dispatcher's set
  /// @param picksNotIncluded number of the proxy's last picks that the copy does not know of
  default void refreshed(int proxy, Snapshot snapshot, long picksNotIncluded, long nowNanos) {}

  /// A backend's word reached the proxy; its view and balancer hear of it next.
  ///
  /// @param index of the backend in the dispatcher's set, -1 if it is not there
  default void observed(int proxy, int index, BackendSignal signal, long nowNanos) {}

  /// The proxy was given a fresh balancer and view.
  default void installed(int proxy, long nowNanos) {}

  /// A lease that is open while a fresh balancer is installed; all of them follow [#installed],
  /// oldest first.
  ///
  /// @param index of its backend in the dispatcher's set, -1 if it has left
  /// @param sequence the lease's number
  default void kept(int proxy, int index, long sequence, long nowNanos) {}

  /// The proxy's set of backends was replaced by that of this version.
  default void updated(int proxy, long version, long nowNanos) {}
}
