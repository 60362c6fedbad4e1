package dev.herdlab.loadgen;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What happened to each request of one run, in columns that are filled as responses come: no allocation.
///
/// Instants come in on the host's clock and are kept relative to the run's start. Owner thread: the generator's
/// loop until the run has ended, then the one that builds the log.
final class RunRecorder {
  /// What a stamp or a name that did not come is recorded as.
  static final int UNKNOWN = -1;

  private static final int STATUS_OK = 200;
  private static final byte UNSENT = 0;
  private static final byte IN_FLIGHT = 1;
  private static final byte OK = 2;
  private static final byte CAUSED = 3;
  private static final byte CLIENT_FAILED = 4;
  private static final ClientFailure[] CLIENT_FAILURES = ClientFailure.values();
  private static final int STAMPS = ResponseStamps.COUNT;

  private final long epochNanos;
  private final byte[] state;
  private final int[] cause;
  private final long[] sentNanos;
  private final long[] doneNanos;
  private final int[] backend;
  private final int[] proxy;
  private final long[] stamps;
  private int sent;
  private int ended;

  RunRecorder(int requests, long epochNanos) {
    this.epochNanos = epochNanos;
    state = new byte[requests];
    cause = new int[requests];
    sentNanos = new long[requests];
    doneNanos = new long[requests];
    backend = new int[requests];
    proxy = new int[requests];
    stamps = new long[Math.multiplyExact(requests, STAMPS)];
    Arrays.fill(backend, UNKNOWN);
    Arrays.fill(proxy, UNKNOWN);
  }

  /// The turn of `request` has come. Called again when it had to wait for its connection.
  void sent(int request, long nowNanos) {
    if (state[request] == UNSENT) {
      sent++;
    }
    state[request] = IN_FLIGHT;
    sentNanos[request] = nowNanos - epochNanos;
  }

  /// A complete response: it succeeds if its status is 200 and it names no cause.
  void answered(int request, long nowNanos, int status, ResponseStamps response) {
    if (response.cause() != UNKNOWN) {
      end(request, CAUSED, nowNanos);
      cause[request] = response.cause();
    } else if (status == STATUS_OK) {
      end(request, OK, nowNanos);
    } else {
      end(request, CLIENT_FAILED, nowNanos);
      cause[request] = ClientFailure.STATUS.ordinal();
    }
    keep(request, response);
  }

  /// A failure that the generator saw, beside what the response, if any, has said.
  void failed(int request, long nowNanos, ClientFailure failure, ResponseStamps response) {
    end(request, CLIENT_FAILED, nowNanos);
    cause[request] = failure.ordinal();
    keep(request, response);
  }

  /// A failure before anything was written.
  void failedUnsent(int request, long nowNanos, ClientFailure failure) {
    end(request, CLIENT_FAILED, nowNanos);
    cause[request] = failure.ordinal();
    sentNanos[request] = UNKNOWN;
  }

  /// Requests whose turn has come.
  int sent() {
    return sent;
  }

  /// Requests that have ended, well or not.
  int ended() {
    return ended;
  }

  /// True from the turn of `request` to its end.
  boolean isInFlight(int request) {
    return state[request] == IN_FLIGHT;
  }

  /// When the turn of `request` came, or when it was written if that was later.
  long sentNanos(int request) {
    return epochNanos + sentNanos[request];
  }

  /// The log of all requests whose turn came.
  ///
  /// @param backends names by number
  /// @param causes labels by number
  /// @param plan gives the proxy where the response names none
  RunLog toLog(List<String> backends, List<String> causes, Trace plan) {
    List<RunLog.Entry> entries = new ArrayList<>(sent);
    for (int i = 0; i < state.length; i++) {
      if (state[i] != UNSENT) {
        List<RunLog.Attempt> attempts =
            told(i) ? List.of(attempt(i, backends, plan)) : List.of();
        entries.add(
            new RunLog.Entry(i, sentNanos[i], doneNanos[i], outcome(i, causes), attempts));
      }
    }
    return new RunLog(entries);
  }

  // Whether a response said anything of the request's way.
  private boolean told(int request) {
    return backend[request] != UNKNOWN || proxy[request] != UNKNOWN;
  }

  private RunLog.Attempt attempt(int request, List<String> backends, Trace plan) {
    int from = request * STAMPS;
    return new RunLog.Attempt(
        backend[request] == UNKNOWN ? "" : backends.get(backend[request]),
        proxy[request] == UNKNOWN ? plan.proxy(request) : proxy[request],
        stamps[from + ResponseStamps.PROXY],
        stamps[from + ResponseStamps.PROXY + 1],
        stamps[from + ResponseStamps.PROXY + 2],
        stamps[from + ResponseStamps.BACKEND],
        stamps[from + ResponseStamps.BACKEND + 1],
        stamps[from + ResponseStamps.BACKEND + 2],
        stamps[from + ResponseStamps.BACKEND + 3],
        stamps[from + ResponseStamps.PROXY + 3]);
  }

  private String outcome(int request, List<String> causes) {
    return switch (state[request]) {
      case OK -> RunLog.OK;
      case CAUSED -> causes.get(cause[request]);
      case CLIENT_FAILED -> CLIENT_FAILURES[cause[request]].label();
      default -> throw new IllegalStateException("request " + request + ": still in flight");
    };
  }

  private void end(int request, byte how, long nowNanos) {
    if (state[request] != IN_FLIGHT) {
      throw new IllegalStateException(
          "request " + request + ": state " + state[request] + " (expected: in flight)");
    }
    state[request] = how;
    doneNanos[request] = nowNanos - epochNanos;
    ended++;
  }

  private void keep(int request, ResponseStamps response) {
    backend[request] = response.backend();
    proxy[request] = response.proxy();
    for (int i = 0, to = request * STAMPS; i < STAMPS; i++, to++) {
      long nanos = response.nanos(i);
      stamps[to] = nanos == UNKNOWN ? UNKNOWN : nanos - epochNanos;
    }
  }
}
