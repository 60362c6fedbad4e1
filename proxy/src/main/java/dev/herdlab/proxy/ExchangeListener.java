package dev.herdlab.proxy;

/// Hears how each request ended that came with a head.
///
/// Hot path: it gets primitives and strings that exist already, and must neither wait nor throw (if
/// it does throw, that is logged, and the request does not suffer). Owner thread: the proxies'
/// loop.
@FunctionalInterface
public interface ExchangeListener {
  /// Hears nothing.
  ExchangeListener NONE = (proxy, backend, outcome, received, picked, ended) -> {};

  /// The outcome of a request whose response came to its end with a status below 500.
  String OK = "ok";

  /// The outcome of a request whose client left.
  String CANCELLED = "cancelled";

  /// A request ended. Called once for each.
  ///
  /// @param proxy number of the instance
  /// @param backend id of the picked one; empty if none was picked
  /// @param outcome [#OK], [#CANCELLED] or the label of a [dev.herdlab.balancer.FailureKind]
  /// @param receivedNanos when its head was read, on the loop's clock like all of these
  /// @param pickedNanos when the balancer answered; -1 if none was picked
  /// @param endedNanos when the last byte came from the backend, or it failed or was cancelled
  void ended(
      int proxy,
      String backend,
      String outcome,
      long receivedNanos,
      long pickedNanos,
      long endedNanos);
}
