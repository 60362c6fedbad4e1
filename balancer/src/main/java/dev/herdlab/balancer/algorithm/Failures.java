package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;

/// Which outcomes are a backend's fault. Owner thread: any (no state).
final class Failures {
  private Failures() {}

  /// No proper answer came: it could not be reached, broke off, or let the proxy wait too long.
  ///
  /// What nginx counts as a failure by default (`proxy_next_upstream error timeout`, and invalid
  /// headers): an answer of 500 or above is none.
  static boolean unanswered(Outcome outcome) {
    return outcome instanceof Outcome.Failed(FailureKind kind)
        && switch (kind) {
          case CONNECT_FAILED,
              CONNECT_TIMEOUT,
              BACKEND_CLOSED,
              BAD_RESPONSE,
              RESPONSE_TIMEOUT,
              DEADLINE_EXCEEDED ->
              true;
          case ERROR_STATUS, SHED, NO_BACKEND, POOL_EXHAUSTED, BAD_REQUEST, REQUEST_TIMEOUT ->
              false;
        };
  }

  /// An answer came, be it an error.
  static boolean answered(Outcome outcome) {
    return outcome instanceof Outcome.Succeeded || isErrorStatus(outcome);
  }

  private static boolean isErrorStatus(Outcome outcome) {
    return outcome instanceof Outcome.Failed(FailureKind kind)
        && (kind == FailureKind.ERROR_STATUS || kind == FailureKind.SHED);
  }

  /// The backend is to blame: no answer, or an error for an answer.
  static boolean ofBackend(Outcome outcome) {
    return unanswered(outcome) || isErrorStatus(outcome);
  }
}
