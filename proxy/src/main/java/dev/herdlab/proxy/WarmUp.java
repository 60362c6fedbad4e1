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
/// backend's queue of new connections overflows.
///
/// Owner thread: its loop's; [#await] on any other.
final class WarmUp {
  // Below the smallest backlog in common use, 128.
  private static final int AT_ONCE = 64;

  private final PreciseLoop loop;
  private final List<ProxyInstance> instances;
  private final ProxySettings settings;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private final int total;
  private int begun;
  private int opened;

  WarmUp(PreciseLoop loop, List<ProxyInstance> instances, ProxySettings settings) {
    this.loop = loop;
    this.instances = instances;
    this.settings = settings;
    this.total = settings.pool().warm() * settings.backends().size() * instances.size();
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
      // Backends take turns, so that none gets all connections at once.
      int backend = begun % settings.backends().size();
      ProxyInstance instance = instances.get(begun / settings.backends().size() % instances.size());
      begun++;
      BackendPool pool = instance.pool(backend);
      if (pool.open() < settings.pool().warm()) {
        open(pool, backend);
        return;
      }
      ended();
    }
  }

  private void open(BackendPool pool, int backend) {
    var _ =
        pool.warm()
            .whenComplete(
                (nothing, cause) -> {
                  if (cause != null) {
                    fail(backend, cause);
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

  private void fail(int backend, Throwable cause) {
    BackendAddress address = settings.backends().get(backend);
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
