package dev.herdlab.loadgen;

import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.Trace;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One run: it walks the trace, sends each request at its intended instant or, when that has
/// passed, at once, and ends when all have.
///
/// Nothing that happens to a request changes when another is sent. One deadline walks the schedule
/// and one the time-outs, in the order of the turns. That is the order of the sends but for a
/// request that waited for a new connection: its time-out counts from its send, and those behind it
/// that time out before it do so with it, late by at most the wait. Owner thread: the generator's
/// loop.
final class OpenLoopRun {
  // As many late sends in a row as take less than a millisecond; then responses have their turn.
  private static final int BATCH = 64;
  private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final PreciseLoop loop;
  private final List<ConnectionPool> pools;
  private final Trace trace;
  private final long epochNanos;
  private final Progress progress;
  private final long timeoutNanos;
  private final long stopTimeoutNanos;
  private final RunRecorder recorder;
  private final CompletableFuture<RunRecorder> end = new CompletableFuture<>();
  private final Runnable sendDue = this::sendDue;
  private final Runnable expire = this::expire;
  private final Runnable report = this::report;
  // Requests before it have had their turn.
  private int next;
  // Requests before it have ended.
  private int oldest;
  private boolean stopped;
  private @Nullable Deadline sending;
  private @Nullable Deadline expiry;
  private @Nullable Deadline reporting;
  private @Nullable Deadline cutting;

  OpenLoopRun(
      PreciseLoop loop,
      GeneratorSettings settings,
      List<ConnectionPool> pools,
      Trace trace,
      long epochNanos,
      Progress progress) {
    this.loop = loop;
    this.pools = pools;
    this.trace = trace;
    this.epochNanos = epochNanos;
    this.progress = progress;
    this.timeoutNanos = settings.requestTimeout().toNanos();
    this.stopTimeoutNanos = settings.stopTimeout().toNanos();
    this.recorder = new RunRecorder(trace.size(), epochNanos);
  }

  /// Completed on the loop when the run has ended; the recorder then belongs to who takes it.
  CompletableFuture<RunRecorder> end() {
    return end;
  }

  /// Begins to walk the trace.
  void begin() {
    reporting = loop.at(loop.nanos() + PROGRESS_NANOS, report);
    expire();
    awaitNext();
  }

  /// Sends nothing more; what is in flight has a while to end.
  void stop() {
    if (!stopped && !end.isDone()) {
      stopped = true;
      cancel(sending);
      cutting = loop.at(loop.nanos() + stopTimeoutNanos, this::cut);
      endIfDone();
    }
  }

  /// Fails what is still in flight.
  void cut() {
    for (int request = oldest; request < next; request++) {
      if (recorder.isInFlight(request)) {
        pools.get(trace.proxy(request)).fail(request, ClientFailure.TIMEOUT);
      }
    }
  }

  long serviceNanos(int request) {
    return trace.serviceNanos(request);
  }

  /// A request is written now.
  void sent(int request, long nowNanos) {
    recorder.sent(request, nowNanos);
  }

  /// The last byte of a response has come.
  void answered(int request, long nowNanos, int status, ResponseStamps response) {
    recorder.answered(request, nowNanos, status, response);
    endIfDone();
  }

  void failed(int request, ClientFailure failure, ResponseStamps response) {
    recorder.failed(request, loop.nanos(), failure, response);
    endIfDone();
  }

  void failedUnsent(int request, ClientFailure failure) {
    recorder.failedUnsent(request, loop.nanos(), failure);
    endIfDone();
  }

  private void sendDue() {
    int last = Math.min(trace.size(), next + BATCH);
    long nowNanos = loop.nanos();
    while (next < last && intendedNanos(next) - nowNanos <= 0) {
      int request = next++;
      recorder.sent(request, nowNanos);
      pools.get(trace.proxy(request)).send(this, request);
      nowNanos = loop.nanos();
    }
    awaitNext();
  }

  private void awaitNext() {
    if (next == trace.size()) {
      endIfDone();
    } else if (!stopped) {
      sending = loop.at(intendedNanos(next), sendDue);
    }
  }

  // Comes again at the time-out of the oldest in flight: what is sent after now expires after that.
  private void expire() {
    long nowNanos = loop.nanos();
    while (oldest < next && isOver(oldest, nowNanos)) {
      oldest++;
    }
    long fromNanos = oldest < next ? recorder.sentNanos(oldest) : nowNanos;
    if (!end.isDone()) {
      expiry = loop.at(fromNanos + timeoutNanos, expire);
    }
  }

  // Whether a request has ended, by its time-out at the latest.
  private boolean isOver(int request, long nowNanos) {
    if (recorder.isInFlight(request)) {
      if (recorder.sentNanos(request) + timeoutNanos - nowNanos > 0) {
        return false;
      }
      pools.get(trace.proxy(request)).fail(request, ClientFailure.TIMEOUT);
    }
    return true;
  }

  private void report() {
    progress.at(recorder.sent(), recorder.ended(), trace.size());
    reporting = loop.at(loop.nanos() + PROGRESS_NANOS, report);
  }

  private void endIfDone() {
    boolean allSent = stopped || next == trace.size();
    if (!allSent || recorder.ended() < recorder.sent() || end.isDone()) {
      return;
    }
    cancel(expiry);
    cancel(reporting);
    cancel(cutting);
    try {
      progress.at(recorder.sent(), recorder.ended(), trace.size());
    } finally {
      end.complete(recorder);
    }
  }

  private long intendedNanos(int request) {
    return epochNanos + trace.intendedNanos(request);
  }

  private static void cancel(@Nullable Deadline deadline) {
    if (deadline != null) {
      deadline.cancel();
    }
  }
}
