package dev.herdlab.loadgen;

import dev.herdlab.workload.RunLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What happened to each request of one run, in columns that are filled as responses come: no
/// allocation.
///
/// Instants come in on the host's clock and are kept relative to the run's start. Owner thread: the
/// generator's loop until the run has ended, then the one that builds the log.
final class RunRecorder {
  private static final int STATUS_OK = 200;
  private static final int STAMPS = ResponseStamps.COUNT;

  private long epochNanos;
  // Empty until the request has ended.
  private final String[] outcome;
  // Of a request whose turn has come.
  private final BitSet hadTurn;
  private final long[] sentNanos;
  private final long[] doneNanos;
  private final String[] backend;
  private final int[] proxy;
  // The number that the request was sent to; below 0 before its turn.
  private final int[] chosen;
  private final long[] stamps;
  private final Map<Integer, List<ResponseStamps.Beside>> beside = new HashMap<>();
  private int sent;
  private int ended;

  RunRecorder(int requests, long epochNanos) {
    this.epochNanos = epochNanos;
    outcome = new String[requests];
    hadTurn = new BitSet(requests);
    sentNanos = new long[requests];
    doneNanos = new long[requests];
    backend = new String[requests];
    proxy = new int[requests];
    chosen = new int[requests];
    stamps = new long[Math.multiplyExact(requests, STAMPS)];
    Arrays.fill(outcome, "");
    Arrays.fill(backend, "");
    Arrays.fill(proxy, (int) RunLog.UNKNOWN);
    Arrays.fill(chosen, (int) RunLog.UNKNOWN);
    Arrays.fill(stamps, RunLog.UNKNOWN);
  }

  /// The run begins at another instant than was planned; before any turn.
  void moveEpoch(long nanos) {
    if (sent > 0) {
      throw new IllegalStateException("epoch: moved after " + sent + " turns (expected: 0)");
    }
    epochNanos = nanos;
  }

  /// The turn of `request` has come, and it goes to proxy `number`, if there is one.
  void turn(int request, long nowNanos, int number) {
    hadTurn.set(request);
    sent++;
    sentNanos[request] = nowNanos - epochNanos;
    chosen[request] = number;
  }

  /// `request` is written.
  void sent(int request, long nowNanos) {
    sentNanos[request] = nowNanos - epochNanos;
  }

  /// A complete response: it succeeds if its status is 200 and it names no cause.
  void answered(int request, long nowNanos, int status, ResponseStamps response) {
    end(request, outcome(status, response), nowNanos);
    keep(request, response);
  }

  private static String outcome(int status, ResponseStamps response) {
    if (!response.cause().isEmpty()) {
      return response.cause();
    }
    if (status == STATUS_OK) {
      return RunLog.OK;
    }
    return response.refusal().isEmpty() ? ClientFailure.STATUS.label() : response.refusal();
  }

  /// A failure that the generator saw, beside what the response, if any, has said.
  void failed(int request, long nowNanos, ClientFailure failure, ResponseStamps response) {
    end(request, failure.label(), nowNanos);
    keep(request, response);
  }

  /// A failure before anything was written.
  void failedUnsent(int request, long nowNanos, ClientFailure failure) {
    end(request, failure.label(), nowNanos);
    sentNanos[request] = RunLog.UNKNOWN;
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
    return hadTurn.get(request) && outcome[request].isEmpty();
  }

  /// When the turn of `request` came, or when it was written if that was later.
  long sentNanos(int request) {
    return epochNanos + sentNanos[request];
  }

  /// The proxy that `request` was sent to; below 0 before its turn.
  int proxy(int request) {
    return chosen[request];
  }

  /// How `request` ended; empty before.
  String outcome(int request) {
    return outcome[request];
  }

  /// The proxies that the requests were sent to; the recorder's own, not a copy.
  int[] proxies() {
    return chosen;
  }

  /// The log of all requests whose turn came, once all of them have ended.
  RunLog toLog() {
    List<RunLog.Entry> entries = new ArrayList<>(sent);
    for (int i = hadTurn.nextSetBit(0); i >= 0; i = hadTurn.nextSetBit(i + 1)) {
      List<RunLog.Attempt> attempts = told(i) ? attempts(i) : List.of();
      entries.add(new RunLog.Entry(i, sentNanos[i], doneNanos[i], outcome[i], attempts));
    }
    return new RunLog(entries);
  }

  // Whether a response said anything of the request's way.
  private boolean told(int request) {
    return !backend[request].isEmpty() || proxy[request] != RunLog.UNKNOWN;
  }

  /// The one that decided stands last.
  private List<RunLog.Attempt> attempts(int request) {
    List<RunLog.Attempt> attempts = new ArrayList<>();
    for (ResponseStamps.Beside each : beside.getOrDefault(request, List.of())) {
      attempts.add(
          new RunLog.Attempt(
              each.backend(),
              proxyOf(request),
              stamps[request * STAMPS + ResponseStamps.PROXY],
              sinceEpoch(each.pickedNanos()),
              sinceEpoch(each.forwardedNanos()),
              RunLog.UNKNOWN,
              RunLog.UNKNOWN,
              RunLog.UNKNOWN,
              RunLog.UNKNOWN,
              sinceEpoch(each.endedNanos())));
    }
    attempts.add(attempt(request));
    return attempts;
  }

  private long sinceEpoch(long nanos) {
    return nanos == RunLog.UNKNOWN ? nanos : nanos - epochNanos;
  }

  private int proxyOf(int request) {
    return proxy[request] == RunLog.UNKNOWN ? chosen[request] : proxy[request];
  }

  private RunLog.Attempt attempt(int request) {
    int from = request * STAMPS;
    return new RunLog.Attempt(
        backend[request],
        proxyOf(request),
        stamps[from + ResponseStamps.PROXY],
        stamps[from + ResponseStamps.PROXY + 1],
        stamps[from + ResponseStamps.PROXY + 2],
        stamps[from + ResponseStamps.BACKEND],
        stamps[from + ResponseStamps.BACKEND + 1],
        stamps[from + ResponseStamps.BACKEND + 2],
        stamps[from + ResponseStamps.BACKEND + 3],
        stamps[from + ResponseStamps.PROXY + 3]);
  }

  private void end(int request, String how, long nowNanos) {
    if (!isInFlight(request)) {
      throw new IllegalStateException("request " + request + ": not in flight, so it cannot end");
    }
    outcome[request] = how;
    doneNanos[request] = nowNanos - epochNanos;
    ended++;
  }

  private void keep(int request, ResponseStamps response) {
    backend[request] = response.backend();
    proxy[request] = response.proxy();
    for (int i = 0, to = request * STAMPS; i < STAMPS; i++, to++) {
      stamps[to] = sinceEpoch(response.nanos(i));
    }
    if (!response.beside().isEmpty()) {
      beside.put(request, List.copyOf(response.beside()));
    }
  }
}
