package dev.herdlab.loadgen;

import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The open-loop load generator: it sends the requests of a trace at their intended instants,
/// whatever becomes of those before, and records what happens to each.
///
/// One request a connection at a time, no pipelining, no retries, no redirects; bodies are read and
/// dropped. A request that is sent late counts from its intended instant all the same, and none is
/// dropped silently. Runs follow one another on the same connections, so that a burn-in is just a
/// run before.
///
/// Cost of a request: two system calls, one buffer each way, 92 bytes of columns set aside
/// beforehand. Threads: methods may be called from any unless they say so; the work is done on the
/// loop.
public final class Generator implements AutoCloseable {
  // What the loop is asked to do takes microseconds: a loop that needs longer hangs.
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final PreciseLoop loop;
  private final GeneratorSettings settings;
  private final List<ConnectionPool> pools;
  // The loop's.
  private @Nullable OpenLoopRun running;
  private int openedBefore;
  private volatile int openedInRun;

  /// A generator without connections.
  public Generator(PreciseLoop loop, GeneratorSettings settings) {
    this.loop = loop;
    this.settings = settings;
    Labels labels = new Labels();
    this.pools =
        IntStream.range(0, settings.proxies().size())
            .mapToObj(proxy -> new ConnectionPool(loop, settings, proxy, labels))
            .toList();
  }

  /// Opens connections to every proxy until there are as many as the settings want; again before a
  /// further run, it replaces those that were lost. Not on the loop's thread.
  ///
  /// @throws IOException if one cannot be opened in time: proxy, address and cause in one line
  public void connect() throws IOException {
    List<CompletableFuture<Void>> warmed = new ArrayList<>();
    for (ConnectionPool pool : pools) {
      CompletableFuture<Void> future = new CompletableFuture<>();
      warmed.add(future);
      loop.execute(() -> pool.warm(future));
    }
    // Each connection has its own bound; this one only matters if many are slow.
    long boundNanos = settings.connectTimeout().toNanos() + BOUND.toNanos();
    try {
      CompletableFuture.allOf(warmed.toArray(CompletableFuture<?>[]::new))
          .get(boundNanos, TimeUnit.NANOSECONDS);
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

  /// Runs a trace.
  ///
  /// @param epochNanos the run's start on the loop's clock; instants of the trace and of the log
  ///     count from it
  /// @param progress hears how far the run is
  /// @return the log of every request whose turn came, once all of them have been answered or have
  ///     failed. It is made on another thread, so as not to stall the loop
  /// @throws IllegalArgumentException if the trace wants more proxies than there are
  /// @throws IllegalStateException if a run is under way
  public CompletableFuture<RunLog> run(Trace trace, long epochNanos, Progress progress) {
    if (trace.proxies() > pools.size()) {
      throw new IllegalArgumentException(
          "trace: %d proxies (expected: at most %d, which are known)"
              .formatted(trace.proxies(), pools.size()));
    }
    OpenLoopRun run = new OpenLoopRun(loop, settings, pools, trace, epochNanos, progress);
    // The first step is taken on the loop, and the second, which is long, is not.
    CompletableFuture<RunLog> log =
        run.end().thenApply(this::ended).thenApplyAsync(recorder -> recorder.toLog(trace));
    onLoop(
        () -> {
          if (running != null) {
            throw new IllegalStateException("run: one is under way (expected: none)");
          }
          running = run;
          openedBefore = opened();
          run.begin();
        });
    return log;
  }

  /// Ends the run that is under way, if any: nothing more is sent, what is in flight has the
  /// settings' time to end and fails then. Its future is completed all the same, with what was
  /// sent. Does not wait.
  public void stop() {
    loop.execute(
        () -> {
          if (running != null) {
            running.stop();
          }
        });
  }

  /// Connections that the last run had to open, since it found too few: each cost its request the
  /// time of a connection. Valid once that run has ended.
  public int openedInRun() {
    return openedInRun;
  }

  /// Cuts short the run that is under way and closes every connection. Idempotent; to be closed
  /// before its loop.
  @Override
  public void close() {
    try {
      onLoop(
          () -> {
            OpenLoopRun run = running;
            if (run != null) {
              // Which may end it, when nothing is in flight.
              run.stop();
              run.cut();
            }
            pools.forEach(ConnectionPool::close);
          });
    } catch (RejectedExecutionException e) {
      // A loop that has ended has closed its channels.
    }
  }

  private RunRecorder ended(RunRecorder recorder) {
    running = null;
    openedInRun = opened() - openedBefore;
    return recorder;
  }

  private int opened() {
    return pools.stream().mapToInt(ConnectionPool::opened).sum();
  }

  private void onLoop(Runnable task) {
    try {
      loop.call(Executors.callable(task), BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
