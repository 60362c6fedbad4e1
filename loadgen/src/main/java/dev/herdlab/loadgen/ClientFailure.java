package dev.herdlab.loadgen;

import java.util.Locale;

/// Why a request failed on the generator's side: the outcome labels that no proxy gave.
public enum ClientFailure {
  /// The connection that the request waited for was not established.
  CONNECT_FAILED,
  /// No proxy has the number that the request was to go to: it has left, or never was.
  NO_PROXY,
  /// All connections to the proxy were in use, and their number at its cap: the run is not valid.
  NO_CONNECTION,
  /// The connection was closed or reset before the response was complete.
  CLOSED,
  /// The response was not complete in time, or not when a stopped run was cut short.
  TIMEOUT,
  /// The response was not HTTP/1.1 with an unambiguous length, or its stamps were not numbers.
  BAD_RESPONSE,
  /// The status was not 200, and no cause was given, nor a refusal by the backend. A backend's own
  /// 5xx is one, because its proxy passes it on as it came, without a cause; the proxy's dispatcher
  /// knows it as `error-status`.
  STATUS;

  private final String label = "client-" + name().toLowerCase(Locale.ROOT).replace('_', '-');

  /// The outcome in a run's log.
  public String label() {
    return label;
  }
}
