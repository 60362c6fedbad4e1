package dev.herdlab.proxy;

import dev.herdlab.balancer.Outcome;

/// What the outside is told of the exchanges of one client's connection: each one once. Owner
/// thread: its connection's.
final class ExchangeReport {
  private final ProxyInstance instance;
  private final Stamps stamps;
  private boolean told = true;

  /// @param stamps of the present exchange
  ExchangeReport(ProxyInstance instance, Stamps stamps) {
    this.instance = instance;
    this.stamps = stamps;
  }

  /// An exchange begins.
  void begin() {
    stamps.reset(instance.nanos());
    told = false;
  }

  /// The present exchange, if there is one, has ended.
  ///
  /// @param backend id of the picked one; empty if none was picked
  /// @param label of the outcome, as [ExchangeListener] says
  void end(String backend, String label) {
    if (told) {
      return;
    }
    told = true;
    long now = instance.nanos();
    try {
      instance
          .exchanges()
          .ended(instance.number(), backend, label, stamps.receivedNanos, stamps.pickedNanos, now);
    } catch (Throwable e) {
      Log.unexpected("exchange listener", e);
    }
  }

  /// The label of a response that came to its end.
  static String label(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded ok -> ExchangeListener.OK;
      case Outcome.Failed failed -> failed.kind().label();
      case Outcome.Cancelled cancelled -> ExchangeListener.CANCELLED;
    };
  }
}
