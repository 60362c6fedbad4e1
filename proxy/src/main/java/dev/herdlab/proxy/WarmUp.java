package dev.herdlab.proxy;

import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Opens the warm connections that pools do not have yet, a bounded number at a time so that no
/// backend's queue of new connections overflows. Ends with the first one that can't be opened.
///
/// Owner thread: its loop's; [#await] on any other.
final class WarmUp {
  // Below the smallest backlog in common use, 128.
  private static final int AT_ONCE = 64;

  private final PreciseLoop loop;
  private final List<BackendPool> pools;
  private final int warm;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final int total;
  private int begun;
  private int opened;

  /// @param pools in the order in which they take turns
  /// @param warm how many connections each is to have
  WarmUp(PreciseLoop loop, List<BackendPool> pools, int warm) {
    this.loop = loop;
    this.pools = pools;
    this.warm = warm;
    this.total = warm * pools.size();
  }

  void start() {
    if (total == 0) {
      done.complete(null);
    }
    for (int i = 0; i < AT_ONCE; i++) {
      next();
    }
  }

  private void next() {
    while (begun < total && !done.isDone()) {
      BackendPool pool = pools.get(begun++ % pools.size());
      if (pool.open() < warm && !pool.isClosed()) {
        open(pool);
        return;
      }
      ended();
    }
  }

  private void open(BackendPool pool) {
    var _ =
        pool.warm()
            .whenComplete(
                (nothing, cause) -> {
                  if (cause != null) {
                    fail(pool.backend(), cause);
                  } else {
                    ended();
                    loop.execute(this::next);
                  }
                });
  }

  private void ended() {
    if (++opened == total) {
      done.complete(null);
    }
  }

  private void fail(BackendAddress address, Throwable cause) {
    done.completeExceptionally(
        new IOException(
            "backend %s: cannot connect to %s: %s"
                .formatted(address.backend().id(), address.address(), cause.getMessage()),
            cause));
  }

  void await(Duration bound) throws IOException, InterruptedException {
    try {
      done.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      // Made in fail(); thrown anew for this thread's stack.
      String message = e.getCause() instanceof IOException cause ? cause.getMessage() : "failed";
      throw new IOException(message, e.getCause());
    } catch (TimeoutException e) {
      done.completeExceptionally(e);
      throw new IOException(
          "warm-up: not all of %d connections opened within %d s"
              .formatted(total, bound.toSeconds()),
          e);
    }
  }
}
