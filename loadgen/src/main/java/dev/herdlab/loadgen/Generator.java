package dev.herdlab.loadgen;

import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The open-loop load generator: it sends the requests of traces at their intended instants,
/// whatever becomes of those before, and records what happens to each.
///
/// One request a connection at a time, no pipelining, no retries, no redirects; bodies are read and
/// dropped. A request that has a tenant says which (`x-herdlab-key`), and a tenant sends back the
/// cookie that keeps it with a backend. A request that is sent late counts from its intended
/// instant all the same, and none is dropped silently. Runs share the connections and do not wait
/// for each other: each begins to send at its epoch, whatever is in flight of those before, and
/// ends by itself. A burn-in is just a run before.
///
/// Cost of a request: two system calls, one buffer each way, 100 bytes of columns set aside
/// beforehand. Threads: methods may be called from any unless they say so; the work is done on the
/// loop.
public final class Generator implements AutoCloseable {
  /// Most runs that are under way or yet to begin.
  public static final int MAX_RUNS = 8;

  /// The slowest and the fastest that a rate may be, as a share of what is planned. Guesses; beyond
  /// them a plan of hours is over at once, or never.
  public static final double MIN_RATE = 0.001;

  /// See [#MIN_RATE].
  public static final double MAX_RATE = 1000;

  // What the loop is asked to do takes microseconds: a loop that needs longer hangs.
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final PreciseLoop loop;
  private final GeneratorSettings settings;
  private final OpenLoopRun.Host host;
  // The loop's, from here on.
  private final ProxyPools pools;
  private final List<OpenLoopRun> runs = new ArrayList<>();
  private long sentBefore;
  private long endedBefore;
  private long scheduled;
  private volatile int openedInRun;

  /// A generator without connections, whose requests go where their trace says.
  public Generator(PreciseLoop loop, GeneratorSettings settings) {
    this(loop, settings, ProxyChoice.PLANNED, RequestListener.NONE);
  }

  /// A generator without connections.
  ///
  /// @param choice where requests go
  /// @param listener hears of each request
  public Generator(
      PreciseLoop loop, GeneratorSettings settings, ProxyChoice choice, RequestListener listener) {
    this.loop = loop;
    this.settings = settings;
    this.pools = new ProxyPools(loop, settings);
    this.host = new OpenLoopRun.Host(loop, settings, pools, choice, listener);
  }

  /// Opens connections to every proxy until there are as many as the settings want; again before a
  /// further run, it replaces those that were lost. Not on the loop's thread.
  ///
  /// @throws IOException if one cannot be opened in time: proxy, address and cause in one line
  public void connect() throws IOException {
    CompletableFuture<Void> warmed = onLoop(pools::warm);
    // Each connection has its own bound; this one only matters if many are slow.
    long boundNanos = settings.connectTimeout().toNanos() + BOUND.toNanos();
    try {
      warmed.get(boundNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(String.valueOf(cause.getMessage()), cause);
    } catch (TimeoutException e) {
      throw new IOException("proxies: not connected within " + boundNanos + " ns", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("proxies: interrupted while connecting", e);
    }
  }

  /// Exchanges the proxies, under load: their numbers are the places in the list. Connections to
  /// those that stay are kept, to new ones they are opened in the background, and to those that
  /// have left they are closed once the requests in flight have ended. A request whose turn comes
  /// and whose proxy's number nobody has fails as [ClientFailure#NO_PROXY].
  public void setProxies(List<InetSocketAddress> proxies) {
    List<InetSocketAddress> addresses = List.copyOf(proxies);
    onLoop(
        () -> {
          // One that cannot be opened now is tried again by the request that needs it.
          pools.set(addresses).forEach(pool -> pool.warm(new CompletableFuture<>()));
          return addresses;
        });
  }

  /// Runs a trace, for who needs no more than its log. No other run without an id may be under way.
  /// Otherwise as [#run(String, Trace, long, Progress)].
  public CompletableFuture<RunLog> run(Trace trace, long epochNanos, Progress progress) {
    return run("", trace, epochNanos, progress).thenApply(CompletedRun::log);
  }

  /// Begins to send a trace at `epochNanos`, whatever else is under way.
  ///
  /// @param id names the run, differently from the others that are under way
  /// @param epochNanos the run's start on the loop's clock; instants of the trace and of the log
  ///     count from it
  /// @param progress hears how far the run is
  /// @return the log of every request whose turn came, once all of them have been answered or have
  ///     failed. It is made on another thread, so as not to stall the loop
  /// @throws IllegalArgumentException if the trace wants more proxies than there are
  /// @throws IllegalStateException if a run of that id is under way, or [#MAX_RUNS] are
  public CompletableFuture<CompletedRun> run(
      String id, Trace trace, long epochNanos, Progress progress) {
    OpenLoopRun run = new OpenLoopRun(host, id, trace, epochNanos, progress);
    // The first step is taken on the loop, and the second, which is long, is not.
    CompletableFuture<CompletedRun> completed =
        run.end().thenApply(this::ended).thenApplyAsync(OpenLoopRun::completed);
    onLoop(
        () -> {
          requireRoom(id, trace);
          runs.add(run);
          run.begin();
          return run;
        });
    return completed;
  }

  private void requireRoom(String id, Trace trace) {
    if (trace.proxies() > pools.size()) {
      throw new IllegalArgumentException(
          "trace: %d proxies (expected: at most %d, which are known)"
              .formatted(trace.proxies(), pools.size()));
    }
    if (runs.size() >= MAX_RUNS) {
      throw new IllegalStateException(
          "runs: " + runs.size() + " are under way (expected: fewer than " + MAX_RUNS + ")");
    }
    if (runs.stream().anyMatch(run -> run.id().equals(id))) {
      throw new IllegalStateException(
          "run: \"" + id + "\" is under way (expected: an id of its own)");
    }
  }

  /// From now on the time of every run's plan runs `factor` times as fast as planned: what is not
  /// due yet is sent the sooner, or later, and a run that has not begun moves its epoch. Requests
  /// that are due keep their instants, and runs that are given later are as planned. Setting the
  /// same factor again changes nothing for the runs that have it.
  ///
  /// @param factor [#MIN_RATE] to [#MAX_RATE]; 1 is as planned
  public void setRate(double factor) {
    if (!(factor >= MIN_RATE && factor <= MAX_RATE)) {
      throw new IllegalArgumentException(
          "factor: " + factor + " (expected: " + MIN_RATE + " to " + MAX_RATE + ")");
    }
    onLoop(
        () -> {
          runs.forEach(run -> run.setRate(factor));
          return runs;
        });
  }

  /// Ends all runs: nothing more is sent, what is in flight has the settings' time to end and fails
  /// then. Their futures are completed all the same, with what was sent. Does not wait.
  public void stop() {
    loop.execute(() -> List.copyOf(runs).forEach(OpenLoopRun::stop));
  }

  /// Ends one run in the same way, if it is under way.
  public void stop(String id) {
    loop.execute(
        () ->
            List.copyOf(runs).stream()
                .filter(run -> run.id().equals(id))
                .forEach(OpenLoopRun::stop));
  }

  /// What it is doing now. Asks the loop.
  public GeneratorState state() {
    return onLoop(this::stateNow);
  }

  private GeneratorState stateNow() {
    long nowNanos = loop.nanos();
    long sent = sentBefore;
    long ended = endedBefore;
    long due = sentBefore;
    double rate = 0;
    for (OpenLoopRun run : runs) {
      sent += run.sent();
      ended += run.ended();
      due += run.scheduled(nowNanos);
      rate += run.ratePerSecond(nowNanos);
    }
    // A run that is stopped behind its schedule has less to send than was said.
    scheduled = Math.max(scheduled, due);
    return new GeneratorState(
        pools.size(), pools.connections(), runs.size(), scheduled, sent, ended, rate);
  }

  /// Connections that the run which ended last had to open, since it found too few: each cost its
  /// request the time of a connection.
  public int openedInRun() {
    return openedInRun;
  }

  /// Cuts short the runs that are under way and closes every connection. Idempotent; to be closed
  /// before its loop.
  @Override
  public void close() {
    try {
      onLoop(
          () -> {
            for (OpenLoopRun run : List.copyOf(runs)) {
              // Which may end it, when nothing is in flight.
              run.stop();
              run.cut();
            }
            pools.close();
            return runs;
          });
    } catch (RejectedExecutionException e) {
      // A loop that has ended has closed its channels.
    }
  }

  private OpenLoopRun ended(OpenLoopRun run) {
    runs.remove(run);
    sentBefore += run.sent();
    endedBefore += run.ended();
    openedInRun = run.opened();
    return run;
  }

  private <T> T onLoop(Callable<T> task) {
    try {
      return loop.call(task, BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
