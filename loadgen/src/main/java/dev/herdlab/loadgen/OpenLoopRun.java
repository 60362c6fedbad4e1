package dev.herdlab.loadgen;

import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.Trace;
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
  private final ProxyPools pools;
  private final ProxyChoice choice;
  private final RequestListener listener;
  private final String id;
  private final Trace trace;
  private final Schedule schedule;
  private final Progress progress;
  private final long timeoutNanos;
  private final long stopTimeoutNanos;
  private final long limitNanos;
  private final RunRecorder recorder;
  private final TenantCookies cookies = new TenantCookies();
  // By request, while it is under way.
  private final @Nullable ClientConnection[] carriers;
  private final CompletableFuture<OpenLoopRun> end = new CompletableFuture<>();
  private final Runnable sendDue = this::sendDue;
  private final Runnable expire = this::expire;
  private final Runnable report = this::report;
  // Requests before it have had their turn.
  private int next;
  // Requests before it have ended.
  private int oldest;
  private int opened;
  private boolean stopped;
  private @Nullable Deadline sending;
  private @Nullable Deadline expiry;
  private @Nullable Deadline reporting;
  private @Nullable Deadline cutting;

  /// A run that has not begun.
  ///
  /// @param host what it shares with the other runs
  OpenLoopRun(Host host, String id, Trace trace, long epochNanos, Progress progress) {
    this.loop = host.loop();
    this.pools = host.pools();
    this.choice = host.choice();
    this.listener = host.listener();
    this.id = id;
    this.trace = trace;
    this.schedule = new Schedule(trace, epochNanos);
    this.progress = progress;
    this.timeoutNanos = host.settings().requestTimeout().toNanos();
    this.stopTimeoutNanos = host.settings().stopTimeout().toNanos();
    this.limitNanos = host.settings().limitNanos();
    this.recorder = new RunRecorder(trace.size(), epochNanos);
    this.carriers = new @Nullable ClientConnection[trace.size()];
  }

  /// What all runs of a generator share.
  record Host(
      PreciseLoop loop,
      GeneratorSettings settings,
      ProxyPools pools,
      ProxyChoice choice,
      RequestListener listener) {}

  /// Its name.
  String id() {
    return id;
  }

  /// Completed, with this, on the loop when the run has ended; it then belongs to who takes it.
  CompletableFuture<OpenLoopRun> end() {
    return end;
  }

  /// What happened, once it has ended. Takes a while for a long run.
  CompletedRun completed() {
    return new CompletedRun(
        id, schedule.epochNanos(), schedule.executed(recorder.proxies()), recorder.toLog(), opened);
  }

  /// Begins to walk the trace.
  void begin() {
    reporting = loop.at(loop.nanos() + PROGRESS_NANOS, report);
    expire();
    awaitNext();
  }

  /// Its plan's time runs `factor` times as fast as planned for what is not due yet.
  void setRate(double factor) {
    schedule.setRate(factor, loop.nanos());
    if (recorder.sent() == 0) {
      recorder.moveEpoch(schedule.epochNanos());
    }
    if (!stopped && next < trace.size()) {
      cancel(sending);
      awaitNext();
    }
  }

  /// Requests whose turn has come.
  int sent() {
    return recorder.sent();
  }

  /// Requests that have ended.
  int ended() {
    return recorder.ended();
  }

  /// Connections that its requests had to open.
  int opened() {
    return opened;
  }

  /// Requests whose turn should have come by `nowNanos`; of a stopped run, those whose turn has.
  int scheduled(long nowNanos) {
    return stopped ? next : schedule.due(nowNanos);
  }

  /// What it plans to send a second now.
  double ratePerSecond(long nowNanos) {
    return stopped ? 0 : schedule.ratePerSecond(nowNanos);
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
        timeOut(request);
      }
    }
  }

  long serviceNanos(int request) {
    return trace.serviceNanos(request);
  }

  /// How long its client waits for a request from now on.
  long remainingNanos(int request) {
    return limitNanos == GeneratorSettings.UNLIMITED
        ? limitNanos
        : Math.max(0, schedule.intendedNanos(request) + limitNanos - loop.nanos());
  }

  /// The key of a request's tenant; empty if it has none.
  String key(int request) {
    return trace.key(request);
  }

  /// The cookie that a request's tenant sends now; empty if it has none.
  byte[] cookie(int request) {
    return cookies.of(trace.tenant(request));
  }

  /// A request's response may have brought its tenant a cookie.
  void takeCookie(int request, Head head) {
    cookies.take(trace.tenant(request), head);
  }

  /// A request has found too few connections and opens one.
  void opening() {
    opened++;
  }

  /// A request is with a connection from now to its end.
  void carriedBy(int request, ClientConnection connection) {
    carriers[request] = connection;
  }

  /// A request is written now.
  void sent(int request, long nowNanos) {
    recorder.sent(request, nowNanos);
    listener.sent(recorder.proxy(request), schedule.intendedNanos(request), nowNanos);
  }

  /// The last byte of a response has come.
  void answered(int request, long nowNanos, int status, ResponseStamps response) {
    long sentNanos = recorder.sentNanos(request);
    recorder.answered(request, nowNanos, status, response);
    ended(request, sentNanos, nowNanos);
  }

  void failed(int request, ClientFailure failure, ResponseStamps response) {
    long nowNanos = loop.nanos();
    long sentNanos = recorder.sentNanos(request);
    recorder.failed(request, nowNanos, failure, response);
    ended(request, sentNanos, nowNanos);
  }

  void failedUnsent(int request, ClientFailure failure) {
    long nowNanos = loop.nanos();
    long turnNanos = recorder.sentNanos(request);
    recorder.failedUnsent(request, nowNanos, failure);
    ended(request, turnNanos, nowNanos);
  }

  private void ended(int request, long sentNanos, long nowNanos) {
    carriers[request] = null;
    listener.ended(
        recorder.proxy(request),
        recorder.outcome(request),
        schedule.intendedNanos(request),
        sentNanos,
        nowNanos,
        id);
    endIfDone();
  }

  private void sendDue() {
    int last = Math.min(trace.size(), next + BATCH);
    long nowNanos = loop.nanos();
    while (next < last && schedule.intendedNanos(next) - nowNanos <= 0) {
      send(next++, nowNanos);
      nowNanos = loop.nanos();
    }
    awaitNext();
  }

  private void send(int request, long nowNanos) {
    int number = choice.proxy(trace, request);
    recorder.turn(request, nowNanos, number);
    ConnectionPool pool = pools.get(number);
    if (pool == null) {
      failedUnsent(request, ClientFailure.NO_PROXY);
    } else {
      pool.send(this, request);
    }
  }

  private void awaitNext() {
    if (next == trace.size()) {
      endIfDone();
    } else if (!stopped) {
      sending = loop.at(schedule.intendedNanos(next), sendDue);
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
      timeOut(request);
    }
    return true;
  }

  private void timeOut(int request) {
    ClientConnection carrier = carriers[request];
    if (carrier == null) {
      throw new IllegalStateException("request " + request + ": in flight on no connection");
    }
    carrier.fail(ClientFailure.TIMEOUT);
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
      end.complete(this);
    }
  }

  private static void cancel(@Nullable Deadline deadline) {
    if (deadline != null) {
      deadline.cancel();
    }
  }
}
