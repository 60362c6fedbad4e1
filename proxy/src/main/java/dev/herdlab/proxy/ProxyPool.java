package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The reverse proxies of one process: `k` instances on one loop, each with its own port, balancer
/// and connections, all counted in one truth. A request is refused with `no-backend` until an
/// algorithm is installed.
///
/// Cost: no thread an instance; some kilobytes a connection. Owner thread: its loop's; [#start],
/// [#addresses], [#warm], [#install], [#drain] and [#close] may be called from any other as well.
public final class ProxyPool implements AutoCloseable {
  private static final Duration CALL_BOUND = Duration.ofSeconds(30);
  private static final Duration WARM_BOUND = Duration.ofSeconds(30);
  private static final Duration DRAIN_STEP = Duration.ofMillis(5);

  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final Sockets sockets;
  private final Counts truth;
  private final List<ProxyInstance> instances = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<ViewRefresh> refreshes = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Deadline sweep;
  private long epochNanos;

  /// Proxies that are not started yet.
  ///
  /// @param loop runs, before [#start]; it is not closed with the pool
  /// @param listener hears of all picks, completions and refreshes, on the loop's thread
  public ProxyPool(PreciseLoop loop, ProxySettings settings, DispatchListener listener) {
    this.loop = loop;
    this.settings = settings;
    this.sockets = new Sockets(loop, settings);
    BackendSet backends = settings.backendSet();
    this.truth = new Counts(backends);
    Bootstrap bootstrap = sockets.backends();
    Ports.NanoClock clock = () -> loop.nanos() - epochNanos;
    for (int i = 0; i < settings.instances(); i++) {
      instances.add(
          new ProxyInstance(i, loop, settings, bootstrap, backends, truth, clock, listener));
    }
  }

  /// Binds all ports. Not on the loop's thread.
  ///
  /// @throws IOException in one line, if one can't be bound; those that were are released
  public void start() throws IOException, InterruptedException {
    for (ProxyInstance instance : instances) {
      int port = settings.port(instance.number());
      ChannelFuture bound = sockets.clients(instance).bind(settings.host(), port);
      if (!bound.await(CALL_BOUND.toMillis()) || !bound.isSuccess()) {
        Throwable cause = bound.cause();
        close();
        throw new IOException(
            "proxy %d: cannot listen on %s:%d: %s"
                .formatted(
                    instance.number(),
                    settings.host(),
                    port,
                    cause == null ? "no answer from the loop" : cause.getMessage()),
            cause);
      }
      addresses.add((InetSocketAddress) bound.channel().localAddress());
      loop.execute(() -> instance.listeningOn(bound.channel()));
    }
    loop.execute(this::sweepLater);
  }

  private void sweepLater() {
    if (!closed.get()) {
      sweep = loop.at(loop.nanos() + settings.timeouts().sweepNanos(), this::sweepNow);
    }
  }

  // The next sweep is scheduled first: time-outs go on if this one throws.
  private void sweepNow() {
    sweepLater();
    for (ProxyInstance instance : instances) {
      instance.sweep(loop.nanos());
    }
  }

  /// Where the instances listen, in order. Valid once started.
  public List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  /// Opens the connections of [PoolSettings#warm] to every backend, a few at a time. Not on the
  /// loop's thread.
  ///
  /// @throws IOException in one line, if one can't be opened, or all together take over 30 s
  public void warm() throws IOException, InterruptedException {
    WarmUp warmUp = new WarmUp(loop, instances, settings);
    loop.execute(warmUp::start);
    warmUp.await(WARM_BOUND);
  }

  /// Gives every instance a fresh balancer and view; counts and connections are kept. Any thread;
  /// returns once it is done. A balancer that sends a probe is refused it with an
  /// [UnsupportedOperationException].
  ///
  /// @param seed of the coins, stream (seed, "coins", instance), and of the view's phase
  /// @param epochNanos the instant on the loop's clock that dispatchers count from; a stale view's
  ///     copies are due at its schedule's instants from there, and if some have passed, one is made
  ///     up for at once
  public void install(ConfiguredAlgorithm algorithm, ViewSpec view, long seed, long epochNanos) {
    try {
      var _ =
          loop.call(
              () -> {
                installHere(algorithm, view, seed, epochNanos);
                return true;
              },
              CALL_BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("install: interrupted", e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void installHere(ConfiguredAlgorithm algorithm, ViewSpec view, long seed, long epoch) {
    stopRefreshes();
    epochNanos = epoch;
    for (ProxyInstance instance : instances) {
      instance
          .dispatcher()
          .install(
              algorithm,
              view,
              SeededRandom.of(seed, "coins", instance.number()),
              (delayNanos, task) -> {
                var _ = loop.at(loop.nanos() + delayNanos, task);
              },
              ProxyPool::refuseProbe);
    }
    if (view instanceof ViewSpec.SharedStale stale) {
      startRefreshes(stale, seed, epoch);
    }
  }

  private static void refuseProbe(int index) {
    throw new UnsupportedOperationException(
        "probe of backend "
            + index
            + ": the proxy has no probes yet (expected: an algorithm that sends none)");
  }

  private void startRefreshes(ViewSpec.SharedStale stale, long seed, long epoch) {
    List<Dispatcher> dispatchers = instances.stream().map(ProxyInstance::dispatcher).toList();
    switch (stale.phase()) {
      case SYNC -> startRefresh(dispatchers, RefreshSchedule.of(stale, seed, 0), epoch);
      case RANDOM -> {
        for (int i = 0; i < dispatchers.size(); i++) {
          startRefresh(List.of(dispatchers.get(i)), RefreshSchedule.of(stale, seed, i), epoch);
        }
      }
    }
  }

  private void startRefresh(List<Dispatcher> dispatchers, RefreshSchedule schedule, long epoch) {
    var refresh = new ViewRefresh(loop, dispatchers, schedule, epoch);
    refreshes.add(refresh);
    refresh.start();
  }

  private void stopRefreshes() {
    for (ViewRefresh refresh : refreshes) {
      refresh.stop();
    }
    refreshes.clear();
  }

  /// The counts of all instances together. To be read on the loop's thread.
  public Counts truth() {
    return truth;
  }

  /// The dispatcher of one instance. To be used on the loop's thread.
  public Dispatcher dispatcher(int proxy) {
    return instances.get(proxy).dispatcher();
  }

  /// Connections of clients and to backends, all instances together. On the loop's thread.
  Connections connections() {
    int clients = 0;
    int open = 0;
    int idle = 0;
    long waiting = 0;
    for (ProxyInstance instance : instances) {
      clients += instance.clients();
      waiting += instance.waitingBytes();
      for (int i = 0; i < settings.backends().size(); i++) {
        open += instance.pool(i).open();
        idle += instance.pool(i).idle();
      }
    }
    return new Connections(clients, open, idle, waiting);
  }

  /// How many connections there are, and how many bytes wait in them for a client to read or a
  /// backend to answer.
  record Connections(int clients, int backendsOpen, int backendsIdle, long waitingBytes) {}

  /// Ends in order: no more connections are accepted, each one ends with the response that it waits
  /// for, and what is left after `bound` is closed. Not on the loop's thread.
  public void drain(Duration bound) throws InterruptedException {
    loop.execute(() -> instances.forEach(ProxyInstance::drain));
    long start = loop.nanos();
    try {
      while (loop.nanos() - start < bound.toNanos()
          && loop.call(() -> connections().clients() > 0, CALL_BOUND)) {
        TimeUnit.NANOSECONDS.sleep(DRAIN_STEP.toNanos());
      }
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      close();
    }
  }

  /// Closes all ports and connections; what is under way is cancelled, so that all counts are back
  /// at 0. Any thread; waits until it is done.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      var _ =
          loop.call(
              () -> {
                closeHere();
                return true;
              },
              CALL_BOUND);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // The loop is closed, and all its channels with it.
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void closeHere() {
    stopRefreshes();
    if (sweep != null) {
      sweep.cancel();
    }
    for (ProxyInstance instance : instances) {
      instance.close();
    }
  }
}
