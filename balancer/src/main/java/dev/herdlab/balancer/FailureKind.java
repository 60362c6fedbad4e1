package dev.herdlab.balancer;

import java.util.Locale;

/// Why a request failed, in one vocabulary: the cause header of an error that a proxy originates,
/// the label of its metric, and the key in a result's accounting.
public enum FailureKind {
  /// The balancer had nothing to pick from.
  NO_BACKEND(503),
  /// The pool of connections to backends was at its cap: the run is not valid, since a queue would
  /// hide here.
  POOL_EXHAUSTED(503),
  /// The backend refused the connection or could not be reached.
  CONNECT_FAILED(502),
  /// The connection was not established in time.
  CONNECT_TIMEOUT(504),
  /// The backend closed or reset the connection before its response was complete.
  BACKEND_CLOSED(502),
  /// The backend's response was not HTTP/1.1 with an unambiguous length.
  BAD_RESPONSE(502),
  /// The backend's response did not come in time.
  RESPONSE_TIMEOUT(504),
  /// The backend answered with a status of 500 or above.
  ERROR_STATUS(502),
  /// The client's request was not HTTP/1.1 with an unambiguous length.
  BAD_REQUEST(400),
  /// The client did not complete its request in time.
  REQUEST_TIMEOUT(408),
  /// The backend turned the request away since its queue was at its limit, and says so; a proxy
  /// passes that on as it came.
  SHED(503),
  /// The client's time limit passed before the response was complete.
  DEADLINE_EXCEEDED(504);

  private final int status;
  private final String label;

  FailureKind(int status) {
    this.status = status;
    this.label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The HTTP status that a proxy answers with when it originates this failure.
  public int status() {
    return status;
  }

  /// Whether another backend may do better at once: the backend could not be reached, broke off
  /// before its answer, or answered with a status of 500 or above. Not where time has run out
  /// already.
  public boolean isRetryable() {
    return switch (this) {
      case CONNECT_FAILED, CONNECT_TIMEOUT, BACKEND_CLOSED, ERROR_STATUS, SHED -> true;
      case NO_BACKEND, POOL_EXHAUSTED, BAD_RESPONSE, RESPONSE_TIMEOUT -> false;
      case BAD_REQUEST, REQUEST_TIMEOUT, DEADLINE_EXCEEDED -> false;
    };
  }

  /// The kebab-case name: header value, metric label and JSON key.
  public String label() {
    return label;
  }
}
