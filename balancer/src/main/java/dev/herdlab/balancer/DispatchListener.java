package dev.herdlab.balancer;

/// Hears of everything that can change a balancer's mind, in order. Owner thread: the dispatcher's.
public interface DispatchListener {
  /// Hears nothing.
  DispatchListener NONE = new DispatchListener() {};

  /// A lease was opened.
  default void picked(int proxy, Picked picked, PickContext context) {}

  /// A pick was refused.
  default void refused(int proxy, PickContext context, long nowNanos) {}

  /// A lease ended.
  default void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {}

  /// The proxy's view took a new copy.
  default void refreshed(int proxy, long nowNanos) {}
}
